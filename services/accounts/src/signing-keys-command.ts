import { generateKeyPairSync } from 'node:crypto';
import { createLogger, createPool } from '@lendtools/service-kit';
import { fail, readOperatorCommand } from '@lendtools/service-kit/command-line';
import { listKeyUses, retireKey } from './store/signing-key-repository.ts';

const usage = `npm run signing-keys -- new            prints a new JWT_PRIVATE_KEY without storing it
npm run signing-keys -- list           lists the ids of the valid keys
npm run signing-keys -- retire <id>    invalidates a key that no replica uses

To rotate, run \`new\` and give the key to accounts' replicas one by one. Both keys are valid meanwhile, the old one for
another 13 hours. After a leak, \`retire\` the old key once no replica uses it.

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
const run = commands[command ?? ''] ?? fail('', usage);
try {
  console.log(await run());
} catch (error) {
  fail((error as Error).message);
}
