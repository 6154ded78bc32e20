import { email as emailSchema } from '@lendtools/contracts';
import { addToOutbox } from '@lendtools/event-bus';
import { createLogger, createPool, inTransaction } from '@lendtools/service-kit';
import { fail, readOperatorCommand } from '@lendtools/service-kit/command-line';
import { removeAllFactors } from './second-factors/remove-second-factor.ts';
import { insertCommand } from './store/audit-repository.ts';
import { hasSecondFactor } from './store/second-factor-repository.ts';
import { findUserByEmail, lockUser } from './store/user-repository.ts';

const usage = `npm run second-factor:remove -- <email>

Removes the authenticator app, the passkeys and the recovery codes of a person who has lost them. First make sure that it is
that person: the email account alone is no proof. They get an email about it, and then log in with the password. A running marketplace
is found by its run.json.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to accounts' database`;

const { positionals, addressOf } = readOperatorCommand(usage);

const run = async (): Promise<string> => {
  const email = emailSchema.parse(positionals[0]);
  const url = await addressOf('DATABASE_URL', ({ databases }) => databases.accounts as string);
  const pool = createPool(url, createLogger('accounts', 'warn'), { max: 1 });
  try {
    return await inTransaction(pool, async (tx) => {
      const found = await findUserByEmail(tx, email);
      const user = found && (await lockUser(tx, found.id));
      if (!user) throw new Error(`No account has the email ${email}.`);
      if (!(await hasSecondFactor(tx, user.id))) return `${email} has no second factor.`;
      await insertCommand(tx, 'removeSecondFactor', user.id);
      await addToOutbox(tx, ...(await removeAllFactors(tx, user, { change: 'removed' })));
      return `${email}: the second factor is removed.`;
    });
  } finally {
    await pool.end();
  }
};

if (positionals.length !== 1) fail('', usage);
try {
  console.log(await run());
} catch (error) {
  const [issue] = (error as { issues?: { message: string }[] }).issues ?? [];
  fail(issue?.message ?? (error as Error).message);
}
