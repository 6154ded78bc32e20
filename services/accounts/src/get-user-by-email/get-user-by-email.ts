import { routes } from '@lendtools/contracts';
import { forbidden, handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { userNotFound } from '../errors.ts';
import { findUser, findUserByEmail, toApiUser } from '../user-repository.ts';

/** One's own account; any for an admin. A stranger's email gets 403, whether or not it has an account. */
export const getUserByEmail = ({ pool }: Deps) =>
  handle(routes.getUserByEmail, async ({ params, user }) => {
    if (user.role === 'Admin') {
      const found = await findUserByEmail(pool, params.email);
      if (!found) throw userNotFound();
      return { user: toApiUser(found) };
    }
    const self = await findUser(pool, user.userId);
    if (self?.email !== params.email) throw forbidden();
    return { user: toApiUser(self) };
  });
