import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AccountsService, startAccountsService } from './accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const migration = new URL('../migrations/0008_publish_verified_emails.sql', import.meta.url);

it('publishes only the profiles with a verified email', async () => {
  const [verified, other] = [await accounts.signUp(), await accounts.signUp()];
  await accounts.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [
    verified.id,
  ]);

  await accounts.pool.query(readFileSync(migration, 'utf8'));

  const event = await accounts.broker.expectEvent(
    'AccountUpdated',
    (profile) => profile.userId === verified.id,
  );
  expect(event).toMatchObject({ version: 2, data: { emailVerified: true } });
  const { rows } = await accounts.pool.query('SELECT version FROM users WHERE id = $1', [other.id]);
  expect(rows).toEqual([{ version: 1 }]);
});
