import { subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { saveOwnerDisabled } from '../../store/payout-account-repository.ts';

export const holdPayoutsWhenOwnerDisabled = ({ pool }: Deps) =>
  subscribeOnce(
    'payments.hold-payouts-when-owner-disabled',
    pool,
    ({ data: { userId: ownerId, disabled: isDisabled }, version }, tx) =>
      saveOwnerDisabled(tx, { ownerId, isDisabled, version }),
  );
