import { type Envelope, isAdminRole, type SecondFactorChange } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { toEventRole, type User } from '../domain/user.ts';
import {
  deleteRecoveryCodes,
  deleteSecondFactors,
  hasSecondFactor,
} from '../store/second-factor-repository.ts';
import { endSessions } from '../store/session-repository.ts';
import { cutEarlierTokens, saveUser } from '../store/user-repository.ts';
import { secondFactorChanged } from './check-second-factor.ts';

/** Finishes the removal of a factor of a locked user: recovery codes go with the last one. Returns the events to publish. */
export const afterRemoval = async (
  tx: Transaction,
  user: User,
  why: { change: SecondFactorChange; reason?: string },
): Promise<Envelope[]> => {
  const isLast = !(await hasSecondFactor(tx, user.id));
  if (isLast) await deleteRecoveryCodes(tx, user.id);
  const removed = await secondFactorChanged(tx, user, why);
  if (!isLast || !isAdminRole(user.role)) return [removed];
  // Under REQUIRE_ADMIN_MFA the account is a member's until there is another factor.
  const saved = await saveUser(tx, user);
  await cutEarlierTokens(tx, user.id);
  return [removed, newEvent('RoleChanged', saved, { userId: user.id, ...toEventRole(user.role) })];
};

/**
 * Removes the app, the passkeys and the recovery codes of a locked user, and ends the user's sessions: a thief's session could add
 * a new factor. Returns the events to publish.
 */
export const removeAllFactors = async (
  tx: Transaction,
  user: User,
  why: { change: SecondFactorChange; reason?: string },
): Promise<Envelope[]> => {
  await deleteSecondFactors(tx, user.id);
  return [...(await afterRemoval(tx, user, why)), ...(await endSessions(tx, { userId: user.id }))];
};
