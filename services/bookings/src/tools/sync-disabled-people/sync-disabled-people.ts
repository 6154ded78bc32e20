import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { schedule } from '../../store/schedule.ts';

/** Copies which accounts are disabled. `settle-disabled-account` settles their bookings, each in its own transaction. */
export const syncDisabledPeople = ({ pool }: Deps): Consumer =>
  subscribeOnce(
    'bookings.sync-disabled-people',
    pool,
    async ({ data: { userId, disabled }, version }, tx) => {
      await tx.query(
        `INSERT INTO disabled_people (id, version, disabled) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, disabled = EXCLUDED.disabled, changed_at = now()
         WHERE disabled_people.version < EXCLUDED.version`,
        [userId, version, disabled],
      );
      if (disabled) await schedule(tx, 'settle-disabled-account', userId);
    },
  );
