import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mostBlocks } from '@lendtools/contracts';
import { runTasksNow } from '@lendtools/service-kit';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const member = async (typed: Record<string, string> = {}) => {
  const { email } = await accounts.signUp(typed);
  return accounts.logIn(email);
};
type Member = Awaited<ReturnType<typeof member>>;

const at = ({ userId }: Member, id = '') => `/api/user/${userId}/blocks${id && `/${id}`}`;
const block = (who: Member, id: string) => accounts.http.put(at(who, id), { token: who.token });
const unblock = (who: Member, id: string) =>
  accounts.http.delete(at(who, id), { token: who.token });
const peopleBlockedBy = async (who: Member) =>
  (await accounts.http.get(at(who), { token: who.token })).body.people;
const published = (blockerId: string) =>
  accounts.broker.received.filter(
    ({ type, data }) =>
      type === 'PersonBlocked' && (data as { blockerId: string }).blockerId === blockerId,
  );

describe('PUT and DELETE /api/user/:userId/blocks/:id', () => {
  it('blocks and unblocks a person, and publishes each change once with the version of the pair', async () => {
    const [one, other] = [await member(), await member({ first_name: 'Olga', last_name: 'Ober' })];
    const pair = { blockerId: one.userId, blockedId: other.userId };

    for (const _ of [1, 2]) expect((await block(one, other.userId)).status).toBe(200);
    const blocked = await peopleBlockedBy(one);
    for (const _ of [1, 2]) expect((await unblock(one, other.userId)).status).toBe(200);
    await block(one, other.userId);
    await accounts.broker.expectEvent(
      'PersonBlocked',
      ({ blockerId }) => blockerId === one.userId && published(one.userId).length >= 3,
    );

    expect(blocked).toEqual([
      {
        id: other.userId,
        first_name: 'Olga',
        last_name: 'O.',
        image: 'null',
        blockedAt: expect.any(String),
      },
    ]);
    const events = published(one.userId).sort((a, b) => a.version - b.version);
    expect(events.map(({ version, data }) => ({ version, data }))).toEqual([
      { version: 1, data: { ...pair, blocked: true } },
      { version: 2, data: { ...pair, blocked: false } },
      { version: 3, data: { ...pair, blocked: true } },
    ]);
    expect(await peopleBlockedBy(other)).toEqual([]);
  });

  it('rejects oneself and a person who does not exist', async () => {
    const one = await member();

    const replies = [await block(one, one.userId), await block(one, randomUUIDv7())];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'BLOCK_IS_YOURSELF'],
      [404, 'USER_NOT_FOUND'],
    ]);
  });

  it('rejects more blocked people than the limit', async () => {
    const [one, other] = [await member(), await member()];
    await accounts.pool.query(
      `WITH people AS (
         INSERT INTO users (role, user_name, first_name, last_name, email, phone, password_hash, country, state, city, address,
           image, lat, lng, time_zone)
         SELECT role, user_name, first_name, last_name, n || email, phone, password_hash, country, state, city, address,
           image, lat, lng, time_zone
         FROM users, generate_series(1, $2::int) n WHERE id = $1 RETURNING id)
       INSERT INTO blocks (blocker_id, blocked_id) SELECT $1, id FROM people`,
      [one.userId, mostBlocks],
    );

    const { status, body } = await block(one, other.userId);

    expect([status, body.code]).toEqual([409, 'TOO_MANY_BLOCKS']);
  });

  it('rejects a user who blocks and unblocks all the time', async () => {
    const [one, other] = [await member(), await member()];
    await accounts.pool.query(
      `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, 'blocks', 1000000000, now() + interval '1 hour')`,
      [one.userId],
    );

    expect((await block(one, other.userId)).status).toBe(429);
  });
});

describe('a deleted account', () => {
  it('ends all blocks by and of it', async () => {
    const [gone, blocker, blocked] = [await member(), await member(), await member()];
    await block(gone, blocked.userId);
    await block(blocker, gone.userId);
    await accounts.http.post(`/api/user/${gone.userId}/deletion`, { token: gone.token });
    await accounts.pool.query(
      `UPDATE users SET deletion_due_at = now() - interval '1 second' WHERE id = $1`,
      [gone.userId],
    );

    await runTasksNow(accounts.pool);

    for (const blockerId of [gone.userId, blocker.userId])
      await accounts.broker.expectEvent(
        'PersonBlocked',
        (data) => data.blockerId === blockerId && !data.blocked,
      );
    expect(await peopleBlockedBy(blocker)).toEqual([]);
    expect((await block(blocker, gone.userId)).body.code).toBe('USER_NOT_FOUND');
  });
});
