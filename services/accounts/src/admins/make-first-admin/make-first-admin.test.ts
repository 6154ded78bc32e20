import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '@lendtools/service-kit';
import {
  type AccountsService,
  adminLogin,
  anyId,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { config } from '../../config.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const roleOf = async (email: string): Promise<string | undefined> =>
  (await accounts.pool.query('SELECT role FROM users WHERE email = $1', [email])).rows[0]?.role;

describe('the accounts service at startup', () => {
  it('creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD, and no second admin at another start', async () => {
    const admin = await accounts.logInAdmin();
    const replica = await accounts.startReplica();
    await replica.stop();

    const { rows } = await accounts.pool.query(`SELECT id FROM users WHERE role = 'Admin'`);

    expect(rows).toEqual([{ id: admin.userId }]);
    await accounts.broker.expectEvent(
      'AccountRegistered',
      ({ email, role, emailVerified }) =>
        email === adminLogin.email && role === 'Admin' && emailVerified === true,
    );
  });

  it('does not promote a user who signed up with ADMIN_EMAIL first', async () => {
    const own = await startAccountsService({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
    try {
      const { email } = await own.signUp();
      const replica = await own.startReplica({
        ADMIN_EMAIL: email,
        ADMIN_PASSWORD: 'first of all',
      });
      await replica.stop();

      const { rows } = await own.pool.query('SELECT role FROM users');
      expect(rows).toEqual([{ role: 'User' }]);
    } finally {
      await own.stop();
    }
  });

  it('rejects a guessable ADMIN_PASSWORD without showing it, but only while there is no admin', async () => {
    const own = await startAccountsService({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
    const weak = { ADMIN_EMAIL: 'admin@lendtools.test', ADMIN_PASSWORD: 'lendtools1' };
    try {
      await expect(own.startReplica(weak)).rejects.toThrow(/^ADMIN_PASSWORD: (?!.*lendtools)/);
      await (await own.startReplica({ ...weak, ADMIN_PASSWORD: adminLogin.password })).stop();
      await (await own.startReplica(weak)).stop();
    } finally {
      await own.stop();
    }
  });

  it.each([
    ['ADMIN_PASSWORD', 'short'],
    ['JWT_PRIVATE_KEY', '{"kty":"RSA"}'],
    ['JWT_PRIVATE_KEY', 'secret'],
    ['JWT_PRIVATE_KEY', ''],
    ['DATABASE_URL', ''],
  ])('rejects %s=%j without showing the value', (name, value) => {
    const read = () => readConfig(config, { ...accounts.env, [name]: value });

    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
    if (value) expect(read).not.toThrow(value);
  });
});

describe('npm run admin:create', () => {
  const command = fileURLToPath(new URL('../../create-admin-command.ts', import.meta.url));
  const run = (email: string, password = 'made by a command') =>
    promisify(execFile)(process.execPath, [command, email], {
      env: { DATABASE_URL: accounts.databaseUrl, ADMIN_PASSWORD: password },
    });

  it('creates an admin who can log in', async () => {
    const email = `admin-${anyId()}@example.com`;

    const first = await run(email);
    const second = await run(email);

    expect(first.stdout).toBe(`${email}: created.\n`);
    expect(second.stdout).toBe(`${email} is an admin already.\n`);
    await expect(accounts.logIn(email, 'made by a command')).resolves.toBeDefined();
  });

  it('promotes a user and ends their sessions', async () => {
    const { email } = await accounts.signUp();
    const { cookie } = await accounts.logIn(email);

    const { stdout } = await run(email);

    expect(stdout).toBe(`${email}: promoted.\n`);
    expect(await roleOf(email)).toBe('Admin');
    expect((await accounts.refresh(cookie)).status).toBe(401);
  });

  it('promotes a user and invalidates the links emailed to them', async () => {
    const { email } = await accounts.signUp();
    const confirm = await accounts.requestNewEmail(email);

    await run(email);

    expect((await confirm()).status).toBe(400);
    expect(await roleOf(email)).toBe('Admin');
  });

  it.each([
    ['nothing', '', /No password was given\. Type one, or set ADMIN_PASSWORD\.$/],
    ['a password', 'typed by hand\n', /created\.$/],
  ])('prints the result when %s is typed at the password prompt', (_, input, answer) => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [command, `admin-${anyId()}@example.com`],
      { input, encoding: 'utf8', env: { DATABASE_URL: accounts.databaseUrl } },
    );

    expect(`${stderr}${stdout}`.trim()).toMatch(answer);
  });

  it.each([
    ['no email', 'made by a command'],
    ['new@example.com', 'password1'],
  ])('rejects the email %s with the password %s, and prints why', async (email, password) => {
    const failure: { code: number; stderr: string } = await run(email, password).catch(
      (error) => error,
    );

    expect(failure.code).toBe(1);
    expect(failure.stderr).toMatch(/^(Please enter a valid email|This password is on a list)/m);
    expect(await roleOf(email)).toBeUndefined();
  });
});
