import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { email as emailSchema, newPassword } from '@lendtools/contracts';
import { postgresMigrations } from '@lendtools/event-bus';
import { createLogger, createPool, migrate } from '@lendtools/service-kit';
import { isCommonPassword } from './domain/password-rules.ts';
import { makeAdmin } from './make-first-admin/make-first-admin.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { migrations } from './start-accounts.ts';

const usage = `npm run admin:create -- <email>

Makes an account that is an admin, or makes the account with that email one, under the password that is given in
ADMIN_PASSWORD or typed. A running marketplace is found by its run.json.

--home <folder>   of the marketplace (default .local); or set DATABASE_URL to accounts' database`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { home: { type: 'string', default: '.local' } },
});

const databaseUrl = async (): Promise<string> => {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const run = JSON.parse(await readFile(path.join(values.home, 'run.json'), 'utf8'));
  return run.databases.accounts;
};

const askPassword = async (): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question('Password of the admin: ');
  } finally {
    terminal.close();
  }
};

const run = async (): Promise<string> => {
  const email = emailSchema.parse(positionals[0]);
  const password = newPassword
    .refine((typed) => !isCommonPassword(typed), 'This password is one of the commonest')
    .parse(process.env.ADMIN_PASSWORD ?? (await askPassword()));
  const pool = createPool(await databaseUrl(), createLogger('accounts', 'warn'), 1);
  try {
    await migrate(pool, postgresMigrations(migrations));
    const hasher = await createPasswordHasher();
    const made = await makeAdmin({ pool, hasher }, { email, password, promote: true });
    return made === 'already an admin' ? `${email} is an admin already.` : `${email}: ${made}.`;
  } finally {
    await pool.end();
  }
};

if (positionals.length !== 1) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    console.log(await run());
  } catch (error) {
    const [issue] = (error as { issues?: { message: string }[] }).issues ?? [];
    console.error(issue?.message ?? (error as Error).message);
    process.exitCode = 1;
  }
}
