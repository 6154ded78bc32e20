import type { Deps } from './deps.ts';
import { passwordWrong } from './errors.ts';
import type { User } from './user-repository.ts';

/** A stolen access token alone must not take an account over. @throws AppError 403 or, after ten guesses, 429 */
export const checkCurrentPassword = async (
  { limits, hasher }: Deps,
  user: User,
  { typed, path, message }: { typed: string; path: string; message?: string },
): Promise<void> => {
  const attempt = await limits.currentPassword(user.id);
  if (!(await hasher.verify(user.passwordHash, typed))) throw passwordWrong(path, message);
  await attempt.succeeded();
};
