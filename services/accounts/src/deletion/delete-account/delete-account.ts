import { randomUUID } from 'node:crypto';
import { deletedEmail } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import {
  databaseNow,
  inTransaction,
  newToken,
  schedule,
  type Transaction,
} from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { erased, isClosed, postponedTo } from '../../domain/deletion.ts';
import { toProfile, type User } from '../../domain/user.ts';
import { unblockAllOf } from '../../store/block-repository.ts';
import { eraseReportedContent, hasWaitingReport } from '../../store/report-repository.ts';
import { deleteCredentials, lockUser, saveUser } from '../../store/user-repository.ts';
import { deletionChanged } from '../deletion-changed.ts';
import { findOpenMatters } from '../find-open-matters.ts';

/**
 * Erases a user when the deletion is due. Checks for open matters again: a booking may have begun while the account was being closed, or
 * a card been disputed since. The account has been disabled for days, so nothing can begin between the check and the commit.
 */
export const deleteAccount = async (deps: Deps, userId: string): Promise<void> => {
  const { pool, hasher, logger } = deps;
  if (!(await inTransaction(pool, (tx) => lockDue(tx, userId)))) return;
  const reasons = await findOpenMatters(deps, userId);
  const passwordHash = await hasher.hash(newToken());
  const email = deletedEmail(randomUUID());
  await inTransaction(pool, async (tx) => {
    const user = await lockDue(tx, userId);
    if (!user) return;
    const now = await databaseNow(tx);
    // An admin may still need the content. The user is not notified of the reason. Later reports do not count: otherwise others
    // could postpone the deletion without limit.
    const isReported = await hasWaitingReport(tx, userId, user.disabledAt);
    const waits = reasons.length > 0 || isReported;
    if (waits) await postpone(tx, user, postponedTo(now));
    else await erase(tx, erased(user, { email, passwordHash, now }));
    logger.info({ userId, reasons, isReported }, waits ? 'postponed a deletion' : 'deleted a user');
  });
};

/** Locks the user. If the deletion is not due yet, schedules it again. */
const lockDue = async (
  tx: Transaction,
  userId: string,
): Promise<(User & { disabledAt: Date }) | undefined> => {
  const user = await lockUser(tx, userId);
  if (!user || !isClosed(user)) return undefined;
  if (user.deletionDueAt <= (await databaseNow(tx))) return user;
  await schedule(tx, 'delete-account', userId, user.deletionDueAt);
  return undefined;
};

const postpone = async (tx: Transaction, user: User, dueAt: Date): Promise<void> => {
  const saved = await saveUser(tx, { ...user, deletionDueAt: dueAt });
  await schedule(tx, 'delete-account', user.id, dueAt);
  await addToOutbox(tx, deletionChanged(saved));
};

const erase = async (tx: Transaction, user: User): Promise<void> => {
  const saved = await saveUser(tx, user);
  await deleteCredentials(tx, user.id);
  await eraseReportedContent(tx, user.id);
  await unblockAllOf(tx, user.id);
  await addToOutbox(
    tx,
    newEvent('AccountUpdated', saved, toProfile(saved)),
    newEvent('AccountDeleted', saved, { userId: user.id }),
  );
};
