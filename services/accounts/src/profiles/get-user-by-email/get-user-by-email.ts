import { routes } from '@lendtools/contracts';
import { forbidden, handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { userNotFound } from '../../domain/errors.ts';
import { toApiUser } from '../../domain/user.ts';
import { findUserByEmail } from '../../store/user-repository.ts';

/** For admins and the account's owner. Other users get 403 whether or not the email has an account. */
export const getUserByEmail = ({ pool }: Deps) =>
  handle(routes.getUserByEmail, async ({ params, allow }) => {
    const found = await findUserByEmail(pool, params.email);
    const answer = allow([found?.id], forbidden);
    if (!found) throw userNotFound();
    return answer({ user: toApiUser(found) });
  });
