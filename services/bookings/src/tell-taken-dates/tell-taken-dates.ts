import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { inTransaction, type Pool, type Transaction } from '@lendtools/service-kit';

/** Tools at a time, and bookings in one event. */
const batchSize = 100;

type Taken = NonNullable<EventData<'AvailabilityChanged'>['taken']>;

/**
 * Publishes what is taken of the tools of which that was not told yet: the bookings of before the events said when they are.
 * Each is told once, on several replicas too. What is taken or let go of meanwhile has its own event, in whatever order
 * the two arrive.
 */
export const tellTakenDates = async (pool: Pool): Promise<void> => {
  let told: number;
  do {
    told = await inTransaction(pool, async (tx) => {
      const tools = await takeSome(tx);
      for (const { id, version, taken } of tools)
        for (let i = 0; i < taken.length; i += batchSize) {
          const data = { toolId: id, taken: taken.slice(i, i + batchSize) };
          await addToOutbox(tx, newEvent('AvailabilityChanged', { id, version }, data));
        }
      return tools.length;
    });
  } while (told > 0);
};

const takeSome = async (
  tx: Transaction,
): Promise<{ id: string; version: number; taken: Taken }[]> => {
  const { rows } = await tx.query(
    `WITH tells AS (
       UPDATE tools SET told_taken_at = now() WHERE id = ANY (ARRAY(
         SELECT id FROM tools WHERE told_taken_at IS NULL ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED))
       RETURNING id, version
     )
     SELECT tells.id, tells.version, coalesce((
       SELECT json_agg(json_build_object('bookingId', b.id, 'toolId', b.tool_id, 'quantity', b.quantity,
         'startsAt', b.starts_at, 'endsAt', b.ends_at, 'units', t.units, 'bookedAt', b.booked_at))
       FROM (SELECT t.booking_id, json_agg(u.number ORDER BY u.number) AS units
             FROM units u JOIN booking_units t ON t.unit_id = u.id
               AND t.status IN ('held', 'confirmed') AND t.change_id IS NULL AND t.during && tstzrange(now(), NULL)
             WHERE u.tool_id = tells.id GROUP BY 1) t
       JOIN bookings b ON b.id = t.booking_id), '[]') AS taken
     FROM tells`,
  );
  return rows.map(({ taken, ...tool }) => ({
    ...tool,
    taken: taken.map(({ bookedAt, ...one }: Taken[number]) => ({
      ...one,
      startsAt: new Date(one.startsAt).toISOString(),
      endsAt: new Date(one.endsAt).toISOString(),
      ...(bookedAt && { bookedAt: new Date(bookedAt).toISOString() }),
    })),
  }));
};
