import type { ServiceName } from '@lendtools/contracts';
import { connect } from '../databases.ts';

/** What the demo has made; `after` are the ids of what was there first. */
export interface Made {
  id: string;
  after: string[];
}

type Kind = 'people' | 'tools' | 'bookings';

interface Period {
  kind: Kind;
  database: ServiceName;
  table: string;
  moments: string[];
  /** The days ago on which it begins; it ends today. */
  from: number;
}

/** First people came, soon with their tools, then the first rentals. */
const periods: Period[] = [
  { kind: 'people', database: 'accounts', table: 'users', moments: ['created_at'], from: 28 },
  { kind: 'tools', database: 'catalog', table: 'tools', moments: ['created_at'], from: 21 },
  {
    ...{ kind: 'bookings', database: 'bookings', table: 'bookings' },
    ...{ moments: ['created_at', 'booked_at'], from: 14 },
  },
];

/**
 * Spreads over four weeks what the demo has made within a minute, since the API knows no past and
 * the admin's charts would have one bar each. The rentals' own dates stay, and whatever others made
 * is not touched. Safe to repeat.
 */
export async function moveIntoPast(
  databases: Record<ServiceName, string>,
  made: Record<Kind, Made[]>,
): Promise<void> {
  const daysAgo = planPast(made);
  for (const { kind, database, table, moments } of periods) {
    const ids = made[kind].map(({ id }) => id);
    const client = await connect(databases[database]);
    try {
      await client.query(
        `UPDATE ${table} SET ${moments.map((moment) => `${moment} = now() - ago`).join()}
         FROM (SELECT id AS moved, days * interval '1 day' AS ago
               FROM unnest($1::uuid[], $2::float8[]) AS each (id, days)) AS moves
         WHERE id = moved`,
        [ids, ids.map((id) => daysAgo.get(id))],
      );
    } finally {
      await client.end();
    }
  }
}

/** How many days ago each of them happened: in their order, each after what was there first. */
export function planPast(made: Record<Kind, Made[]>): Map<string, number> {
  const daysAgo = new Map<string, number>();
  for (const { kind, from } of periods) {
    made[kind].forEach(({ id, after }, place, { length }) => {
      const possible = Math.min(from, ...after.map((other) => daysAgo.get(other) ?? from));
      daysAgo.set(id, possible * Math.sqrt(1 - (place + 0.5) / length));
    });
  }
  return daysAgo;
}
