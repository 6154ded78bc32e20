import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lendOnRequest, requestChange, answer, unitsOf, change } = changesAt(() => service);

const endOf = async (approvalId: string) =>
  (await service.broker.expectEvent('ApprovalEnded', (one) => one.approvalId === approvalId)).data;

interface Lent {
  owner: Person;
  renter: Person;
  id: string;
  toolId: string;
}

const disable = async ({ userId }: Person): Promise<unknown> =>
  service.broker.sendNew('AccountDisabled', { userId, disabled: true }, { id: userId, version: 2 });

/** The id and version of a tool's next event. */
const next = (id: string) => ({ id, version: 2 });

const ways = [
  [
    'declined',
    'by the owner',
    ({ owner }: Lent, approvalId: string) =>
      answer(owner, approvalId, 'decline', { note: 'I need it myself: 503-555-0123' }),
  ],
  [
    'declined',
    'by an admin',
    async (_: Lent, approvalId: string) =>
      answer(await service.person('Admin'), approvalId, 'decline'),
  ],
  [
    'withdrawn',
    'by the renter',
    ({ renter }: Lent, approvalId: string) => answer(renter, approvalId, 'withdraw'),
  ],
  [
    'lapsed',
    'at its deadline',
    (_: Lent, approvalId: string) =>
      service.pool.query('UPDATE approvals SET answer_by = now() WHERE id = $1', [approvalId]),
  ],
  ['lapsed', 'when the renter is disabled', ({ renter }: Lent) => disable(renter)],
  [
    'lapsed',
    'when the owner is disabled',
    ({ toolId, owner }: Lent) => {
      const tool = { toolId, ownerId: owner.userId, ownerDisabled: true };
      return service.broker.sendNew('ToolUpdated', service.toolData(tool), next(toolId));
    },
  ],
  [
    'lapsed',
    'when the tool is deleted',
    ({ toolId, owner }: Lent) =>
      service.broker.sendNew('ToolRemoved', { toolId, ownerId: owner.userId }, next(toolId)),
  ],
] as const;

describe('a change request', () => {
  it.each(ways)(
    'keeps the booking, releases the card and frees the added dates when it is %s %s',
    async (outcome, _how, end) => {
      // The first change costs more and needs a card; the second one costs the same and needs none.
      for (const requested of [days(10, 16), days(12, 16)]) {
        const lent = await lendOnRequest();
        const { id, owner } = lent;
        const { approvalId, hold, follow } = await requestChange(lent.renter, id, requested);

        await end(lent, approvalId);
        const ended = await endOf(approvalId);

        const dueCents = hold?.amountCents ?? 0;
        expect(ended).toMatchObject({ bookingId: id, outcome, change: { dueCents } });
        expect(ended.note).not.toContain('[hidden]');
        expect(await unitsOf(id)).toEqual(['1: 10-14']);
        expect(await service.seen(owner, id)).toMatchObject({
          payment: 40,
          approval: { status: outcome, note: ended.note },
          changes: [],
        });
        if (hold) {
          await service.broker.expectEvent('BookingExpired', (one) => one.holdId === hold.id);
          expect(await follow()).toBe('ended');
          expect(await follow('canceled')).toBe('ended');
        }
        const { rows } = await service.pool.query(
          `SELECT FROM outbox_messages WHERE aggregate_id = $1 AND type = 'ApprovalEnded'`,
          [id],
        );
        expect(rows.length).toBe(1);
      }
    },
  );

  it('can be declined only by the owner and withdrawn only by the renter, until it is accepted', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { approvalId } = await requestChange(renter, id, days(10, 16));

    const wrong = [
      await answer(renter, approvalId, 'decline'),
      await answer(owner, approvalId, 'withdraw'),
      await answer(await service.person(), approvalId, 'decline'),
    ];
    await answer(owner, approvalId, 'accept');
    await service.pool.query('UPDATE approvals SET answer_by = now() WHERE id = $1', [approvalId]);
    const late = [
      await answer(owner, approvalId, 'decline'),
      await answer(renter, approvalId, 'withdraw'),
    ];

    expect(wrong.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect(late.map(({ body }) => body.detail)).toEqual(
      Array(2).fill('The owner has accepted already, and the card is being charged.'),
    );
    await disable(renter);
    await waitFor('the renter to be disabled', async () => {
      const { rows } = await service.pool.query('SELECT FROM disabled_people WHERE id = $1', [
        renter.userId,
      ]);
      return rows.length > 0;
    });
    expect(await service.seen(owner, id)).toMatchObject({ approval: { status: 'accepted' } });
  });

  it.each([
    ['with a card', days(10, 16)],
    ['without a card', days(12, 16)],
  ])(
    'lapses %s and is published as lapsed when a payment of its booking is disputed',
    async (_, requested) => {
      const { renter, id, payment } = await lendOnRequest();
      const { approvalId, hold } = await requestChange(renter, id, requested);

      await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

      expect((await endOf(approvalId)).outcome).toBe('lapsed');
      expect(await unitsOf(id)).toEqual(['1: 10-14']);
      if (hold)
        await waitFor(
          'the hold to end',
          async () => (await service.holdStatus(hold.id)) === 'ended',
        );
    },
  );

  it('fails instead of lapsing if a dispute arrives between the acceptance and the charge', async () => {
    const { renter, owner, id, payment } = await lendOnRequest();
    const { approvalId, follow } = await requestChange(renter, id, days(10, 16));
    await answer(owner, approvalId, 'accept');

    await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

    expect((await endOf(approvalId)).outcome).toBe('failed');
    expect(await follow()).toBe('ended');
    expect(await service.seen(renter, id)).toMatchObject({
      payment: 40,
      approval: { status: 'failed' },
    });
  });

  it('is not created if the card is authorized after the change was replaced', async () => {
    const { renter, id } = await lendOnRequest();
    const { body } = await change(renter, id, days(10, 16));
    await change(renter, id, days(10, 15));

    const { paymentId } = service.paymentOf(renter, 2_000, body.hold.id);
    const late = await service.reportAuthorization(body.hold, { paymentId, userId: renter.userId });

    expect(late.body).toEqual({ approval: 'ended' });
    expect((await service.seen(renter, id)).approval).toBeNull();
  });
});
