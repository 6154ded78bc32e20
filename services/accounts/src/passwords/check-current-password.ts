import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { passwordWrong, userNotFound } from '../domain/errors.ts';
import type { User } from '../domain/user.ts';
import { findUser } from '../store/user-repository.ts';

/** Checks the current password, because an access token may be stolen. @throws AppError 403; 429 after ten guesses */
export const checkCurrentPassword = async (
  { limits, hasher }: Deps,
  user: User,
  { typed, path, message }: { typed: string; path: string; message?: string },
): Promise<void> => {
  const attempt = await limits.currentPassword(user.id);
  if (!(await hasher.verify(user.passwordHash, typed))) throw passwordWrong(path, message);
  await attempt.succeeded();
};

/** Checks a password for another service, which calls this route on behalf of the user. */
export const checkPassword = (deps: Deps) =>
  handle(internalRoutes.checkPassword, async ({ params, body }) => {
    const user = await findUser(deps.pool, params.userId);
    if (!user) throw userNotFound();
    await checkCurrentPassword(deps, user, { typed: body.password, path: 'password' });
    return { message: 'This is the current password.' };
  });
