import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/**
 * Copies which accounts are disabled, never replacing a newer version. `settleDisabledAccounts` then settles what they have open,
 * because each row needs a transaction of its own.
 */
export const syncDisabledPeople = ({ pool }: Deps): Consumer =>
  subscribeOnce(
    'bookings.end-requests-when-account-disabled',
    pool,
    async ({ data: { userId, disabled }, version }, tx) => {
      await tx.query(
        `INSERT INTO disabled_people (id, version, disabled) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, disabled = EXCLUDED.disabled, changed_at = now()
         WHERE disabled_people.version < EXCLUDED.version`,
        [userId, version, disabled],
      );
    },
  );
