import { routes } from '@lendtools/contracts';
import { forbidden, handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { userNotFound } from '../errors.ts';
import { findUserByEmail, toApiUser } from '../user-repository.ts';

/**
 * Returns the caller's own account, or any account to an admin. Another person's email gets 403 whether or not it has
 * an account.
 */
export const getUserByEmail = ({ pool }: Deps) =>
  handle(routes.getUserByEmail, async ({ params, allow }) => {
    const found = await findUserByEmail(pool, params.email);
    const answer = allow([found?.id], forbidden);
    if (!found) throw userNotFound();
    return answer({ user: toApiUser(found) });
  });
