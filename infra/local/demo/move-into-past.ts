import type { ServiceName } from '@lendtools/contracts';
import { connect } from '../databases.ts';

interface Period {
  database: ServiceName;
  table: string;
  moments: string[];
  /** The days ago on which it begins and ends. */
  from: number;
  to: number;
}

/** First the people came, then their tools, then the rentals. */
export const periods: Period[] = [
  { database: 'accounts', table: 'users', moments: ['created_at'], from: 27, to: 19 },
  { database: 'catalog', table: 'tools', moments: ['created_at'], from: 18, to: 9 },
  { database: 'bookings', table: 'bookings', moments: ['created_at', 'booked_at'], from: 8, to: 0 },
];

/**
 * Spreads over four weeks what the demo has made within a minute, since the API knows no past and
 * the admin's charts would have one bar each. The order stays, and so do the rentals' own dates. What
 * an earlier run has moved is left alone.
 */
export async function moveIntoPast(databases: Record<ServiceName, string>): Promise<void> {
  for (const { database, table, moments, ...period } of periods) {
    const client = await connect(databases[database]);
    try {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM ${table} WHERE created_at > now() - interval '1 day' ORDER BY id`,
      );
      const days = rows.map((_, place) => daysAgo(place / rows.length, period));
      await client.query(
        `UPDATE ${table} SET ${moments.map((moment) => `${moment} = ${moment} - ago`).join()}
         FROM (SELECT id AS moved, make_interval(days => days) AS ago
               FROM unnest($1::uuid[], $2::int[]) AS each (id, days)) AS moves
         WHERE id = moved`,
        [rows.map(({ id }) => id), days],
      );
    } finally {
      await client.end();
    }
  }
}

/** For what stands at this part of its row, from 0 to 1: more and more happens, as in real life. */
export function daysAgo(part: number, { from, to }: Pick<Period, 'from' | 'to'>): number {
  return from - Math.floor((from - to + 1) * Math.sqrt(part));
}
