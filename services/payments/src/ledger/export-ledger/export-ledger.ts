import { Readable } from 'node:stream';
import { routes } from '@lendtools/contracts';
import { handle, scaled, spend, streamFile, tooManyRequests } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { ledgerCsv } from './ledger-csv.ts';

/** Each occupies one of the process's connections to the database. */
const maxOpen = 2;

const filesAnHour = (factor: number) => ({
  kind: 'ledger-files',
  limit: scaled(60, factor),
  windowSeconds: 3_600,
  rejection: 'You have exported the ledger often within an hour.',
});

/** Streams the month. */
export const exportLedger = ({ pool, config }: Deps) => {
  let open = 0;
  return handle(routes.ledgerCsv, async ({ params: { month }, user, response }) => {
    await spend(pool, user.userId, filesAnHour(config.RATE_LIMIT_FACTOR));
    if (open >= maxOpen) throw tooManyRequests(60, 'Other exports of the ledger are running.');
    open += 1;
    const lines = Readable.from(ledgerCsv(pool, month));
    // Its connection is returned before.
    lines.once('close', () => {
      open -= 1;
    });
    await streamFile(response, { name: `ledger-${month}.csv`, type: 'text/csv', body: lines });
    return undefined;
  });
};
