import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { email as emailSchema, newPassword } from '@lendtools/contracts';
import { createLogger, createPool, migrate } from '@lendtools/service-kit';
import { fail, readOperatorCommand } from '@lendtools/service-kit/command-line';
import { postgresMigrations } from '@lendtools/service-runtime';
import { makeAdmin } from './admins/make-first-admin/make-first-admin.ts';
import { createPasswordHasher } from './credentials/password-hasher.ts';
import { findPasswordProblem } from './passwords/find-password-problem.ts';
import { migrations } from './start-accounts.ts';

const usage = `npm run admin:create -- <email>

Creates an admin, or promotes the account with that email. The password comes from ADMIN_PASSWORD or is typed. A
running marketplace is found by its run.json.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to accounts' database`;

const { positionals, addressOf } = readOperatorCommand(usage);
const databaseUrl = () =>
  addressOf('DATABASE_URL', ({ databases }) => databases.accounts as string);

const promptPassword = async (): Promise<string> => {
  // Discard the output of readline, which would echo the password.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  process.stderr.write('Password of the admin: ');
  // Piped input can end without a line. The password is then empty.
  const ended = once(terminal, 'close').then(() => '');
  const password = await Promise.race([terminal.question(''), ended]);
  terminal.close();
  process.stderr.write('\n');
  if (password) return password;
  throw new Error('No password was given. Type one, or set ADMIN_PASSWORD.');
};

const run = async (): Promise<string> => {
  const email = emailSchema.parse(positionals[0]);
  const password = newPassword.parse(process.env.ADMIN_PASSWORD ?? (await promptPassword()));
  const problem = await findPasswordProblem(password, { email });
  if (problem) throw new Error(problem.message);
  const url = await databaseUrl();
  const logger = createLogger('accounts', 'warn');
  await migrate(url, postgresMigrations(migrations), logger, { connectWithinMs: 0 });
  const pool = createPool(url, logger, { max: 1 });
  try {
    const hasher = await createPasswordHasher();
    const made = await makeAdmin({ pool, hasher }, { email, password, promote: true });
    return made === 'already an admin' ? `${email} is an admin already.` : `${email}: ${made}.`;
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
