import * as kit from '@lendtools/service-kit';

/** The scheduled tasks of the bookings service. Each run gets the id of a hold, a booking, an approval, a person or a payment. */
export type Task =
  | 'expire-hold'
  | 'lapse-approval'
  | 'remind-owner'
  | 'finish-acceptance'
  | 'fail-uncharged-approval'
  | 'end-refunded-hold'
  | 'end-hold-of-change'
  | 'complete-booking'
  | 'remind-reviewers'
  | 'publish-reviews'
  | 'remind-parties'
  | 'warn-next-renter'
  | 'settle-disabled-account'
  | 'refund-unassigned-payment';

export const schedule = (
  tx: kit.Transaction,
  task: Task,
  id: string,
  runAt?: Date,
): Promise<void> => kit.schedule(tx, task, id, runAt);

export const unschedule = (tx: kit.Transaction, task: Task, id: string): Promise<void> =>
  kit.unschedule(tx, task, id);
