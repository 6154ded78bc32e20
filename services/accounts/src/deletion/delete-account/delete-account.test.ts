import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTasksNow } from '@lendtools/service-kit';
import { findRowsWith, waitFor } from '@lendtools/testing';
import {
  type AccountsService,
  password,
  randomAddress,
  startAccountsService,
} from '../../../test/accounts-service.ts';
import { addPasskey } from '../../../test/passkeys.ts';
import { withSecondFactor } from '../../../test/second-factor.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const rowOf = async (userId: string) =>
  (await accounts.pool.query('SELECT * FROM users WHERE id = $1', [userId])).rows[0];

/** A user with a row in every table of accounts that refers to users, whose deletion is due. */
const closedUser = async () => {
  const user = await withSecondFactor(accounts);
  await accounts.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id]);
  await accounts.pool.query(
    `INSERT INTO former_emails (hash, user_id, email) VALUES (sha256($1::text::bytea), $2, 'former-' || $3)`,
    [user.id, user.id, user.email],
  );
  await addPasskey(accounts, user);
  await accounts.pool.query(
    `WITH made AS (INSERT INTO data_exports (user_id) VALUES ($1) RETURNING id)
     INSERT INTO data_export_parts (export_id, run, number, bytes) SELECT id, 0, 0, 'zip' FROM made`,
    [user.id],
  );
  const { token } = user;
  const reply = await accounts.http.post(`/api/user/${user.id}/deletion`, { token });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return user;
};

const makeDue = async (userId: string): Promise<void> => {
  await accounts.pool.query(
    `UPDATE users SET deletion_due_at = now() - interval '1 second' WHERE id = $1`,
    [userId],
  );
  await runTasksNow(accounts.pool);
};

const isDeleted = (userId: string) =>
  waitFor('the deletion', async () => (await rowOf(userId)).deleted_at !== null);

/** Only the outbox may still contain the words: it is purged after three days. */
const findRows = (words: string[]) =>
  findRowsWith(accounts.pool, words, { except: ['outbox_messages'] });

describe('the task delete-account', () => {
  it('leaves nothing of the user but an id, and publishes that', async () => {
    const user = await closedUser();
    const words = [user.email, 'former-', '12 Elm Street', '555 0134', 'My phone'];
    await accounts.pool.query(`DELETE FROM idempotency_keys`);

    await makeDue(user.id);
    await isDeleted(user.id);

    expect(await findRows(words)).toEqual([]);
    expect((await accounts.pool.query('SELECT FROM data_export_parts')).rowCount).toBe(0);
    expect(await rowOf(user.id)).toMatchObject({
      first_name: 'Deleted',
      last_name: 'user',
      email: expect.stringMatching(/@deleted\.invalid$/),
      disabled_at: expect.any(Date),
      deletion_due_at: null,
    });
    const updated = await accounts.broker.expectEvent(
      'AccountUpdated',
      ({ userId, firstName }) => userId === user.id && firstName === 'Deleted',
    );
    const deleted = await accounts.broker.expectEvent(
      'AccountDeleted',
      ({ userId }) => userId === user.id,
    );
    expect(updated.data).toMatchObject({ address: '', city: '', image: 'null' });
    expect(deleted.version).toBe(updated.version);
  });

  it('frees the email, and leaves an account that nobody can log in to or enable', async () => {
    const user = await closedUser();
    await makeDue(user.id);
    await isDeleted(user.id);
    const { email } = await rowOf(user.id);
    const { token } = await accounts.logInAdmin();

    const login = await accounts.http.post('/api/login', {
      body: { email, password, keepAccount: true },
      headers: { 'x-forwarded-for': randomAddress() },
    });
    const enable = await accounts.http.put(`/api/users/${user.id}`, {
      token,
      body: { disabled: false },
    });
    const { body } = await accounts.http.get('/api/all-users', { token });

    expect(login.status).toBe(401);
    expect(enable.status).toBe(404);
    expect(body.users.map(({ id }: { id: string }) => id)).not.toContain(user.id);
    await accounts.signUp({ email: user.email });
  });

  it('erases the user although another account has the email `<id>@deleted.invalid`', async () => {
    const user = await closedUser();
    const squatter = await accounts.signUp();
    await accounts.pool.query('UPDATE users SET email = $2 WHERE id = $1', [
      squatter.id,
      `${user.id}@deleted.invalid`,
    ]);

    await makeDue(user.id);

    await isDeleted(user.id);
  });

  it('is postponed by a week while something is open after all, and then deletes', async () => {
    const user = await closedUser();
    accounts.openMatters.set(user.id, { disputes: 1 });

    await makeDue(user.id);
    const { deletion_due_at: dueAt } = await waitFor('the new date', async () => {
      const row = await rowOf(user.id);
      return row.deletion_due_at > new Date() && row;
    });
    accounts.openMatters.delete(user.id);
    await makeDue(user.id);
    await isDeleted(user.id);

    expect(dueAt.getTime() - Date.now()).toBeGreaterThan(6 * 86_400_000);
    await accounts.broker.expectEvent(
      'AccountDeletionChanged',
      ({ userId, deletionDueAt }) => userId === user.id && deletionDueAt === dueAt.toISOString(),
    );
  });

  const addReport = (userId: string, daysAgo: number) =>
    accounts.pool.query(
      `INSERT INTO reports (about, content_id, title, content, author_id, reason, text, reporter_email, created_at)
       VALUES ('tool', uuidv7(), 'Saw', 'Ask for Sam.', $1, 'scam', 'It is a scam', 'visitor@example.com',
         now() - make_interval(days => $2))`,
      [userId, daysAgo],
    );

  it('is postponed while a report from before the request waits, and erases the copy of what was reported', async () => {
    const user = await closedUser();
    await addReport(user.id, 1);
    await makeDue(user.id);
    await waitFor('the new date', async () => (await rowOf(user.id)).deletion_due_at > new Date());

    await accounts.pool.query(
      `UPDATE reports SET waiting_since = NULL, decision = 'warn', decided_at = now() WHERE author_id = $1`,
      [user.id],
    );
    await makeDue(user.id);
    await isDeleted(user.id);

    expect(await findRows(['Ask for Sam'])).toEqual([]);
  });

  it('is not postponed by a report from after the request, whose copy is erased', async () => {
    const user = await closedUser();
    await addReport(user.id, 0);

    await makeDue(user.id);

    await isDeleted(user.id);
    expect(await findRows(['Ask for Sam'])).toEqual([]);
  });

  it('waits while another service is unavailable', async () => {
    const user = await closedUser();
    accounts.servicesOutage.isOn = true;
    await makeDue(user.id);
    await waitFor('a failed attempt', async () => {
      const { rows } = await accounts.pool.query(
        `SELECT attempts FROM graphile_worker.jobs WHERE key = 'delete-account:' || $1 AND attempts > 0 AND locked_at IS NULL`,
        [user.id],
      );
      return rows.length > 0;
    });
    expect((await rowOf(user.id)).deleted_at).toBeNull();

    accounts.servicesOutage.isOn = false;
    await runTasksNow(accounts.pool);

    await isDeleted(user.id);
  });

  it('does nothing before the date, and nothing if the user kept the account', async () => {
    const [early, kept] = [await closedUser(), await closedUser()];
    await accounts.pool.query(
      'UPDATE users SET disabled_at = NULL, deletion_due_at = NULL WHERE id = $1',
      [kept.id],
    );

    await runTasksNow(accounts.pool);
    const last = await closedUser();
    await makeDue(last.id);
    await isDeleted(last.id);

    expect((await rowOf(early.id)).first_name).toBe('Sam');
    expect((await rowOf(kept.id)).first_name).toBe('Sam');
  });
});
