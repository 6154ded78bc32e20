import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../test/bookings-service.ts';
import { changesAt, days } from '../../test/changes.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { lendOnRequest, askChange, answer, unitsOf, change } = changesAt(() => service);

const endOf = async (changeId: string) =>
  (
    await service.broker.expectEvent(
      'BookingChangeRequestEnded',
      (one) => one.changeId === changeId,
    )
  ).data;

interface Lent {
  owner: Person;
  renter: Person;
  id: string;
  toolId: string;
}

const disable = async ({ userId }: Person): Promise<unknown> =>
  service.broker.sendNew('AccountDisabled', { userId, disabled: true }, { id: userId, version: 2 });

const ways = [
  [
    'declined',
    'by the owner',
    ({ owner, id }: Lent, changeId: string) =>
      answer(owner, id, 'decline', { changeId, note: 'I need it myself' }),
  ],
  [
    'declined',
    'by an admin',
    async ({ id }: Lent, changeId: string) =>
      answer(await service.person('Admin'), id, 'decline', { changeId }),
  ],
  [
    'withdrawn',
    'by the renter',
    ({ renter, id }: Lent, changeId: string) => answer(renter, id, 'withdraw', { changeId }),
  ],
  [
    'lapsed',
    'at its deadline',
    (_: Lent, changeId: string) =>
      service.pool.query('UPDATE booking_changes SET answer_by = now() WHERE id = $1', [changeId]),
  ],
  ['lapsed', 'when the renter is disabled', ({ renter }: Lent) => disable(renter)],
  [
    'lapsed',
    'when the owner is disabled',
    ({ toolId }: Lent) =>
      service.pool.query('UPDATE tools SET owner_disabled = true WHERE id = $1', [toolId]),
  ],
  [
    'lapsed',
    'when the tool is deleted',
    ({ toolId }: Lent) =>
      service.pool.query('UPDATE tools SET removed_at = now() WHERE id = $1', [toolId]),
  ],
] as const;

describe('an open change request', () => {
  it.each(ways)(
    'keeps the booking, releases the card and frees the added dates when a change is %s %s',
    async (outcome, _how, end) => {
      // The first change costs more and needs a card; the second one costs the same and needs none.
      for (const asked of [days(10, 16), days(12, 16)]) {
        const lent = await lendOnRequest();
        const { id, owner } = lent;
        const { changeId, hold, follow } = await askChange(lent.renter, id, asked);

        await end(lent, changeId);
        const ended = await endOf(changeId);

        const dueCents = hold?.amountCents ?? 0;
        expect(ended).toMatchObject({ bookingId: id, outcome, dueCents });
        expect(await unitsOf(id)).toEqual(['1: 10-14']);
        expect(await service.seen(owner, id)).toMatchObject({
          payment: 40,
          changeRequest: { state: outcome, note: ended.note },
          changes: [],
        });
        if (hold) {
          await service.broker.expectEvent('BookingExpired', (one) => one.holdId === hold.id);
          expect(await follow()).toBe('ended');
          expect(await follow('canceled')).toBe('ended');
        }
        const { rows } = await service.pool.query(
          `SELECT FROM outbox_messages WHERE aggregate_id = $1 AND type = 'BookingChangeRequestEnded'`,
          [id],
        );
        expect(rows.length).toBe(1);
      }
    },
  );

  it('lets only the owner decline and only the renter withdraw a change, until it is accepted', async () => {
    const { renter, owner, id } = await lendOnRequest();
    const { changeId } = await askChange(renter, id, days(10, 16));

    const wrong = [
      await answer(renter, id, 'decline', { changeId }),
      await answer(owner, id, 'withdraw', { changeId }),
      await answer(await service.person(), id, 'decline', { changeId }),
    ];
    await answer(owner, id, 'accept', { changeId });
    await service.pool.query('UPDATE booking_changes SET answer_by = now() WHERE id = $1', [
      changeId,
    ]);
    const late = [
      await answer(owner, id, 'decline', { changeId }),
      await answer(renter, id, 'withdraw', { changeId }),
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
    expect(await service.seen(owner, id)).toMatchObject({ changeRequest: { state: 'accepted' } });
  });

  it.each([
    ['with a card', days(10, 16)],
    ['without a card', days(12, 16)],
  ])(
    'lapses a change request %s when a payment of its booking is disputed, and publishes its end',
    async (_, asked) => {
      const { renter, id, payment } = await lendOnRequest();
      const { changeId, hold } = await askChange(renter, id, asked);

      await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

      expect((await endOf(changeId)).outcome).toBe('lapsed');
      expect(await unitsOf(id)).toEqual(['1: 10-14']);
      if (hold)
        await waitFor(
          'the hold to end',
          async () => (await service.holdStatus(hold.id)) === 'ended',
        );
    },
  );

  it('fails an accepted change instead of lapsing it if a dispute arrives before the charge', async () => {
    const { renter, owner, id, payment } = await lendOnRequest();
    const { changeId, follow } = await askChange(renter, id, days(10, 16));
    await answer(owner, id, 'accept', { changeId });

    await service.dispute(payment, 'open', { cents: 4_000, version: 3 });

    expect((await endOf(changeId)).outcome).toBe('failed');
    expect(await follow()).toBe('ended');
    expect(await service.seen(renter, id)).toMatchObject({
      payment: 40,
      changeRequest: { state: 'failed' },
    });
  });

  it('creates no change request if the card is authorized after the change was replaced', async () => {
    const { renter, id } = await lendOnRequest();
    const { body } = await change(renter, id, days(10, 16));
    await change(renter, id, days(10, 15));

    const { paymentId } = service.paymentOf(renter, 2_000, body.hold.id);
    const late = await service.reportAuthorization(body.hold, { paymentId, userId: renter.userId });

    expect(late.body).toEqual({ request: 'ended' });
    expect((await service.seen(renter, id)).changeRequest).toBeNull();
  });
});
