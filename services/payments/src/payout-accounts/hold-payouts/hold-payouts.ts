import { routes } from '@lendtools/contracts';
import { forbidden, handle, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { findAccount, holdByAdmin } from '../../store/payout-account-repository.ts';
import { viewOf } from '../account-view.ts';

/** An owner whose LendTools account is disabled stays held after the release. */
export const holdPayouts = ({ pool }: Deps) =>
  handle(routes.holdPayouts, async ({ user, params: { userId }, body: { isHeld } }) => {
    if (userId === user.userId) throw forbidden();
    await inTransaction(pool, (tx) => holdByAdmin(tx, userId, isHeld));
    return viewOf(await findAccount(pool, userId));
  });
