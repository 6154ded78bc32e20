import { type Identity, type Transaction, unauthenticated } from '@lendtools/service-kit';
import type { User } from '../domain/user.ts';
import { isSessionOpen } from '../store/session-repository.ts';
import { lockUser } from '../store/user-repository.ts';

/** Locks the calling user, whose session may have ended since the token was checked. @throws AppError 401 */
export const lockCaller = async (
  tx: Transaction,
  { userId, sessionId }: Identity,
): Promise<User> => {
  const user = await lockUser(tx, userId);
  if (!user || !(await isSessionOpen(tx, sessionId))) throw unauthenticated();
  return user;
};
