import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';

/** Copies the names and places that bookings and reviews show. Ignores older versions of an account. */
export const syncPeople = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.sync-people', pool, async (event, tx) => {
    const person = event.data;
    await tx.query(
      `INSERT INTO people (id, version, first_name, last_name, image, country, state, city, address,
         email_verified)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, first_name = EXCLUDED.first_name,
         last_name = EXCLUDED.last_name, image = EXCLUDED.image, country = EXCLUDED.country,
         state = EXCLUDED.state, city = EXCLUDED.city, address = EXCLUDED.address,
         email_verified = EXCLUDED.email_verified
       WHERE people.version < EXCLUDED.version`,
      [
        person.userId,
        event.version,
        person.firstName,
        person.lastName,
        person.image,
        person.country,
        person.state,
        person.city,
        person.address,
        person.emailVerified,
      ],
    );
  });
