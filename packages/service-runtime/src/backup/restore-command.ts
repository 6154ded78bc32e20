import { parseArgs } from 'node:util';
import { createLogger } from '@lendtools/service-kit';
import { fail, readCommandLine } from '@lendtools/service-kit/command-line';
import { restore } from './back-up.ts';
import { storeSettings, storesOf } from './stores.ts';
import { summaryOf } from './summary.ts';

const usage = `npm run restore -- --from <folder>

Fills empty databases, and the folders of pictures, from what \`npm run backup\` wrote, before any service starts:
  ${storeSettings.join('\n  ')}
The broker must be empty as well: docs/operations.md. On this machine: npm start -- --home <new folder> --restore <folder>`;

const { from } = readCommandLine(
  usage,
  (args) => parseArgs({ args, options: { from: { type: 'string' } } }).values,
);
if (!from) fail('Name a folder with --from.', usage);
const { stores, missing } = storesOf(process.env);
if (missing.length > 0) fail(`Missing: ${missing.join(', ')}`, usage);

try {
  const logger = createLogger('restore', 'warn');
  const emptyWith = 'docker compose down --volumes';
  console.log(summaryOf(await restore(stores, from as string, { logger, emptyWith })));
} catch (error) {
  fail((error as Error).message);
}
