import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminAct, auditWords } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { armFault } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import { type AccountsService, startAccountsService } from '../../../test/accounts-service.ts';

const queue = 'accounts.record-acts-of-admins';

let accounts: AccountsService;
beforeAll(async () => {
  accounts = await startAccountsService();
});
afterAll(() => accounts.stop());

const refund = (overrides: Partial<AdminAct> = {}): AdminAct => ({
  id: randomUUIDv7(),
  at: '2026-11-28T06:00:00.000Z',
  actorId: randomUUIDv7(),
  actorRole: 'Finance',
  action: 'refundBooking',
  subject: randomUUIDv7(),
  details: { amountCents: 500, reason: 'Broken.' },
  requestId: 'a-request',
  ...overrides,
});

const eventOf = (act: AdminAct) =>
  newEvent('AdminActedInBookings', { id: act.id, version: 1 }, act);

const stored = async (id: string): Promise<Record<string, unknown>[]> => {
  const { rows } = await accounts.pool.query('SELECT * FROM audit_entries WHERE id = $1', [id]);
  return rows;
};
const expectStored = (id: string) => waitFor('the entry', async () => (await stored(id))[0]);

describe(queue, () => {
  it('stores what an admin did in another service', async () => {
    const act = refund();

    await accounts.broker.send(eventOf(act));

    expect(await expectStored(act.id)).toMatchObject({
      at: new Date(act.at),
      actor_id: act.actorId,
      actor_role: 'Finance',
      action: 'refundBooking',
      subject: act.subject,
      details: act.details,
      network: null,
      request_id: 'a-request',
    });
    expect(auditWords).toHaveProperty(act.action);
  });

  it.each(['AdminActedInCatalog', 'AdminActedInPayments', 'AdminActedInMessaging'] as const)(
    'consumes %s',
    async (type) => {
      const act = refund();

      await accounts.broker.send(newEvent(type, { id: act.id, version: 1 }, act));

      await expectStored(act.id);
    },
  );

  it('stores a duplicate once, and an act that arrives after a later one', async () => {
    const [earlier, later] = [refund(), refund()];

    for (const act of [later, earlier, later]) await accounts.broker.send(eventOf(act));
    await expectStored(earlier.id);
    const last = refund();
    await accounts.broker.send(eventOf(last));
    await expectStored(last.id);

    expect([(await stored(earlier.id)).length, (await stored(later.id)).length]).toEqual([1, 1]);
  });

  it('stores an act when an acknowledgement is lost', async () => {
    const act = refund();
    armFault('consumer.beforeAck:1:throw');

    await accounts.broker.send(eventOf(act));

    await expectStored(act.id);
  });

  it('stores an action of a later version, which has no words here', async () => {
    const act = refund({ action: 'rewindTime' });

    await accounts.broker.send(eventOf(act));

    await expectStored(act.id);
  });

  it('dead-letters an unreadable message', async () => {
    await accounts.broker.sendRaw(queue, '{"type":"Nonsense"}');

    await waitFor('the dead letter', async () => (await accounts.broker.countDead(queue)) === 1);
  });
});
