import { parseArgs } from 'node:util';
import { fail, readCommandLine, readRunFile } from '@lendtools/service-kit/command-line';
import { backUp } from './back-up.ts';
import { asStoreSettings, type Stores, storeSettings, storesOf } from './stores.ts';
import { summaryOf } from './summary.ts';

const usage = `npm run backup -- --to <folder>

Copies everything that a running marketplace must not lose into an empty folder: databases and pictures. It holds
password hashes and addresses, so keep it as safe as the databases.

--home <folder>   of the marketplace (default .local); or set
  ${storeSettings.join('\n  ')}`;

const { to, home } = readCommandLine(
  usage,
  (args) =>
    parseArgs({
      args,
      options: { to: { type: 'string' }, home: { type: 'string', default: '.local' } },
    }).values,
);
if (!to) fail('Name a folder with --to.', usage);

const findStores = async (): Promise<Stores> => {
  const { stores, missing } = storesOf(process.env);
  if (missing.length === 0) return stores;
  if (missing.length < storeSettings.length) fail(`Missing: ${missing.join(', ')}`, usage);
  const { settings } = await readRunFile(home, `set ${storeSettings.join(', ')}`);
  return storesOf(asStoreSettings(settings)).stores;
};

try {
  console.log(summaryOf(await backUp(await findStores(), to as string)));
} catch (error) {
  fail((error as Error).message);
}
