import { createLogger, createPool, inTransaction } from '@lendtools/service-kit';
import { fail, readOperatorCommand } from '@lendtools/service-kit/command-line';
import { createSecretBox } from './credentials/secret-box.ts';
import { listTotpUsers, lockTotp, saveTotpSecret } from './store/second-factor-repository.ts';

const usage = `npm run second-factor:reseal

Encrypts the secrets of all authenticator apps with the first key of FACTOR_KEY, while the marketplace runs. Run it after
every replica of accounts got FACTOR_KEY=<new>,<old>; then the old key can be removed.

--home <folder>   of the marketplace (default .local); or set FACTOR_KEY, and DATABASE_URL to accounts' database`;

const { positionals, addressOf } = readOperatorCommand(usage);

const run = async (): Promise<string> => {
  const keys = await addressOf('FACTOR_KEY', ({ settings }) => settings.accounts?.FACTOR_KEY ?? '');
  const url = await addressOf('DATABASE_URL', ({ databases }) => databases.accounts as string);
  const box = createSecretBox(keys.split(',').map((key) => key.trim()));
  const pool = createPool(url, createLogger('accounts', 'warn'), { max: 1 });
  let resealed = 0;
  try {
    for (const userId of await listTotpUsers(pool)) {
      await inTransaction(pool, async (tx) => {
        const totp = await lockTotp(tx, userId);
        if (!totp || box.isCurrent(totp.secret)) return;
        await saveTotpSecret(tx, userId, box.seal(box.open(totp.secret, userId), userId));
        resealed += 1;
      });
    }
  } finally {
    await pool.end();
  }
  return `Sealed ${resealed} secrets again. All are sealed with the first key.`;
};

if (positionals.length !== 0) fail('', usage);
try {
  console.log(await run());
} catch (error) {
  fail((error as Error).message);
}
