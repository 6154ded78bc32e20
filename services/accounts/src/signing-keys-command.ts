import { generateKeyPairSync } from 'node:crypto';
import { createLogger, createPool } from '@lendtools/service-kit';
import { readOperatorCommand } from '@lendtools/service-kit/command-line';
import { listKeyUses, retireKey } from './signing-key-repository.ts';

const usage = `npm run signing-keys -- new            prints a new JWT_PRIVATE_KEY, and keeps it nowhere
npm run signing-keys -- list           the keys whose tokens count, by id
npm run signing-keys -- retire <id>    a key that no replica uses any more counts no longer

Rotate with \`new\`: give it to accounts' replicas, one after the other. Both keys count meanwhile, and the old one for
13 hours after. Only after a leak, \`retire\` it at once.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to accounts' database`;

const { positionals, addressOf } = readOperatorCommand(usage);
const databaseUrl = () =>
  addressOf('DATABASE_URL', ({ databases }) => databases.accounts as string);

const list = async (): Promise<string> => {
  const pool = createPool(await databaseUrl(), createLogger('accounts', 'warn'), { max: 1 });
  const uses = await listKeyUses(pool).finally(() => pool.end());
  return uses
    .map(({ kid, firstUsedAt, lastUsedAt }) => {
      return `${kid}  since ${firstUsedAt.toISOString()}, last used ${lastUsedAt.toISOString()}`;
    })
    .join('\n');
};

const retire = async (kid: string): Promise<string> => {
  const pool = createPool(await databaseUrl(), createLogger('accounts', 'warn'), { max: 1 });
  const outcome = await retireKey(pool, kid).finally(() => pool.end());
  if (outcome === 'retired')
    return `${kid} is retired. Every service refuses its tokens within ten minutes.`;
  throw new Error(
    outcome === 'unknown'
      ? `There is no key ${kid}.`
      : `A replica of accounts used ${kid} within the last two minutes. Give all of them the new key first.`,
  );
};

const [command, kid] = positionals;
const commands: Record<string, (() => Promise<string> | string) | undefined> = {
  new: () => JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  list,
  retire: kid ? () => retire(kid) : undefined,
};
const run = commands[command ?? ''];
if (!run) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    console.log(await run());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
