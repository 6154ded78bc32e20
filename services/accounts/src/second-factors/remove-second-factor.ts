import { type Envelope, isAdminRole } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { toEventRole, type User } from '../domain/user.ts';
import { deleteSecondFactors } from '../store/second-factor-repository.ts';
import { cutEarlierTokens, saveUser } from '../store/user-repository.ts';
import { secondFactorChanged } from './check-second-factor.ts';

/** Removes the app and the recovery codes of a locked user. Returns the events to publish. */
export const removeSecondFactor = async (tx: Transaction, user: User): Promise<Envelope[]> => {
  await deleteSecondFactors(tx, user.id);
  const removed = await secondFactorChanged(tx, user, 'removed');
  if (!isAdminRole(user.role)) return [removed];
  // Under REQUIRE_ADMIN_MFA the account is a member's until there is another app.
  const saved = await saveUser(tx, user);
  await cutEarlierTokens(tx, user.id);
  return [removed, newEvent('RoleChanged', saved, { userId: user.id, ...toEventRole(user.role) })];
};
