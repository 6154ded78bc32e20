import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from './accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const migration = new URL('../migrations/0004_tell_of_admins.sql', import.meta.url);

it('publishes each existing admin again, and which of them are disabled', async () => {
  const { userId } = await accounts.logInAdmin();
  const plain = await accounts.signUp();
  const { version } = await versionOf(userId);
  await accounts.pool.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);

  await accounts.pool.query(readFileSync(migration, 'utf8'));

  const event = await accounts.broker.expectEvent(
    'AccountUpdated',
    (profile) => profile.userId === userId,
  );
  expect(event).toMatchObject({
    aggregateId: userId,
    version: version + 1,
    data: { role: 'Admin' },
  });
  expect(await versionOf(userId)).toEqual({ version: version + 1 });
  const off = await accounts.broker.expectEvent('AccountDisabled', (one) => one.userId === userId);
  expect(off).toMatchObject({ version: version + 1, data: { disabled: true } });
  expect(await versionOf(plain.id)).toEqual({ version: 1 });
});

const versionOf = async (id: string): Promise<{ version: number }> =>
  (await accounts.pool.query('SELECT version FROM users WHERE id = $1', [id])).rows[0];
