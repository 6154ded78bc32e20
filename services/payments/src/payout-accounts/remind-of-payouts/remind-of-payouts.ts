import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  claimReminder,
  endReminders,
  findAccount,
  sumEarnings,
} from '../../store/payout-account-repository.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { refreshAccount } from '../settle-account.ts';

/** Reminds an owner who has earned something and can't be paid. Reads the account first: the webhook may be lost. */
export const remindOfPayouts = async (deps: Deps, ownerId: string): Promise<void> => {
  const { accountId } = (await findAccount(deps.pool, ownerId)) ?? {};
  if (accountId)
    await refreshAccount(deps, { ownerId, accountId }).catch((error: unknown) => {
      throw withoutSecrets(error);
    });
  await inTransaction(deps.pool, async (tx) => {
    const due = await claimReminder(tx, ownerId);
    if (!due) return;
    // What was booked may have been refunded since.
    if ((await sumEarnings(tx, ownerId)) <= 0) return endReminders(tx, ownerId);
    const { state, version } = due;
    await addToOutbox(
      tx,
      newEvent('PayoutReminderDue', { id: ownerId, version }, { ownerId, state }),
    );
  });
};
