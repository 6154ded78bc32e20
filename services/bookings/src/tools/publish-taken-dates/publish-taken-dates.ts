import type { EventData } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { type Db, forEachRow, type RowRange, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';

/** An event contains at most this many bookings. */
const batchSize = 100;

type Taken = NonNullable<EventData<'AvailabilityChanged'>['taken']>;

/** Publishes a tool's taken dates again if a consumer lost them (docs/operations.md). Safe on several replicas. */
export const publishTakenDates = async (deps: Pick<Deps, 'pool' | 'logger'>): Promise<void> => {
  const { pool } = deps;
  const find = (range: RowRange) => findUnpublished(pool, range);
  await forEachRow(deps, 'publish-taken-dates', find, async (tx, id) => {
    const tool = await claimUnpublished(tx, id);
    if (!tool) return;
    const { version, taken } = tool;
    for (let i = 0; i < taken.length; i += batchSize) {
      const data = { toolId: id, taken: taken.slice(i, i + batchSize) };
      await addToOutbox(tx, newEvent('AvailabilityChanged', { id, version }, data));
    }
  });
};

const findUnpublished = async (db: Db, { skip, limit }: RowRange): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM tools WHERE taken_dates_published_at IS NULL AND id <> ALL ($1::uuid[]) ORDER BY id LIMIT $2`,
    [skip, limit],
  );
  return rows.map(({ id }) => id);
};

const claimUnpublished = async (
  tx: Transaction,
  toolId: string,
): Promise<{ version: number; taken: Taken } | undefined> => {
  const { rows } = await tx.query<{ version: number; taken: Taken }>(
    `WITH published AS (
       UPDATE tools SET taken_dates_published_at = now() WHERE id = $1 AND taken_dates_published_at IS NULL RETURNING id, version
     )
     SELECT published.version, coalesce((
       SELECT json_agg(json_build_object('bookingId', b.id, 'toolId', b.tool_id, 'quantity', b.quantity,
         'startsAt', b.starts_at, 'endsAt', b.ends_at, 'units', t.units, 'bookedAt', b.booked_at))
       FROM (SELECT t.booking_id, json_agg(u.number ORDER BY u.number) AS units
             FROM units u JOIN booking_units t ON t.unit_id = u.id
               AND t.status IN ('held', 'requested', 'confirmed') AND t.change_id IS NULL AND t.during && tstzrange(now(), NULL)
             WHERE u.tool_id = published.id GROUP BY 1) t
       JOIN bookings b ON b.id = t.booking_id), '[]') AS taken
     FROM published`,
    [toolId],
  );
  const [tool] = rows;
  return (
    tool && {
      ...tool,
      taken: tool.taken.map(({ bookedAt, ...one }) => ({
        ...one,
        startsAt: new Date(one.startsAt).toISOString(),
        endsAt: new Date(one.endsAt).toISOString(),
        ...(bookedAt && { bookedAt: new Date(bookedAt).toISOString() }),
      })),
    }
  );
};
