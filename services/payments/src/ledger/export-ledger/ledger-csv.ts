import { type CsvColumn, csvHead, csvLines } from '@lendtools/contracts/csv';
import type { Pool } from '@lendtools/service-kit';
import { spanOfMonth } from '../../domain/month.ts';
import { type ExportedEntry, readEntries } from '../../store/ledger-export.ts';

const columns: CsvColumn<ExportedEntry>[] = [
  { title: 'Posted (UTC)', value: ({ postedAt }) => postedAt.toISOString() },
  { title: 'Happened (UTC)', value: ({ happenedAt }) => happenedAt.toISOString() },
  { title: 'Movement', value: ({ key }) => key },
  { title: 'Line', value: ({ line }) => line },
  { title: 'From', value: ({ from }) => from },
  { title: 'To', value: ({ to }) => to },
  { title: 'Amount', value: ({ cents }) => cents / 100 },
  { title: 'Payment', value: ({ paymentId }) => paymentId },
  { title: 'Booking', value: ({ bookingId }) => bookingId },
  { title: 'Owner', value: ({ ownerId }) => ownerId },
  { title: 'Stripe', value: ({ stripeId }) => stripeId },
];

/** The entries of a month in UTC. @param month such as `2026-11` */
export const ledgerCsv = async function* (pool: Pool, month: string): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const entries of readEntries(pool, spanOfMonth(month)))
    yield csvLines(columns, entries);
};
