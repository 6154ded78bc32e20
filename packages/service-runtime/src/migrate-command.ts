import { parseArgs } from 'node:util';
import { createLogger, migrate } from '@lendtools/service-kit';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { inPostgres, migrationsOf } from './backup/stores.ts';

const usage = `npm run migrate -- <service>       ${inPostgres.join(', ')}

Applies the new migrations of a service to the database of DATABASE_URL, then exits. A service does this itself when it
starts; run it before an upgrade to keep long migrations out of the start of each replica. Safe to repeat.`;

const service = readCommandLine(usage, (args) => {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const found = inPostgres.find((name) => name === positionals[0]);
  if (!found || positionals.length > 1) throw new Error('Name one service.');
  return found;
});
const { DATABASE_URL, DATABASE_DIRECT_URL } = process.env;
const url = DATABASE_DIRECT_URL ?? DATABASE_URL ?? fail('Missing: DATABASE_URL', usage);
await migrate(url, migrationsOf(service), createLogger(`migrate-${service}`, 'info'));
