import { internalRoutes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { passwordWrong, userNotFound } from './errors.ts';
import { findUser, type User } from './user-repository.ts';

/** Protects an account from a stolen access token. @throws AppError 403 or, after ten guesses, 429 */
export const checkCurrentPassword = async (
  { limits, hasher }: Deps,
  user: User,
  { typed, path, message }: { typed: string; path: string; message?: string },
): Promise<void> => {
  const attempt = await limits.currentPassword(user.id);
  if (!(await hasher.verify(user.passwordHash, typed))) throw passwordWrong(path, message);
  await attempt.succeeded();
};

/** Called by other services on behalf of a user. */
export const checkPassword = (deps: Deps) =>
  handle(internalRoutes.checkPassword, async ({ params, body }) => {
    const user = await findUser(deps.pool, params.userId);
    if (!user) throw userNotFound();
    await checkCurrentPassword(deps, user, { typed: body.password, path: 'password' });
    return { message: 'This is the current password.' };
  });
