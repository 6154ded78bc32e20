import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { inTransaction } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt, days } from '../../../test/changes.ts';
import {
  type DisabledPerson,
  findUnsettled,
  saveSettled,
  unsettleOwners,
} from '../../store/disabled-people-repository.ts';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService({ RATE_LIMIT_FACTOR: '1000' });
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, change } = changesAt(() => service);

const disabling = ({ userId }: Person, { disabled = true, version = 2 } = {}) =>
  newEvent('AccountDisabled', { id: userId, version }, { userId, disabled });
const disable = (person: Person) => service.broker.send(disabling(person));

const cancelled = (id: string) =>
  service.broker.expectEvent('BookingCancelled', ({ bookingId }) => bookingId === id);

/** Books another tool of the same owner. */
const lendAlso = async (owner: Person, dates = {}) => {
  const { toolId } = await service.tool({ ownerId: owner.userId });
  const renter = await service.neighbor();
  return { renter, toolId, ...(await service.booked(renter, toolId, dates)) };
};

const underWay = { start_date: inDays(0), end_date: inDays(2) };

/** Waits until a disabled account is settled. Each poll makes the task due again; the first backdates the disabling. */
const settled = ({ userId }: Person) =>
  waitFor('the account to be settled', async () => {
    await service.pool.query(
      `UPDATE disabled_people SET changed_at = now() - interval '2 minutes'
       WHERE id = $1 AND changed_at > now() - interval '1 minute'`,
      [userId],
    );
    const { rowCount } = await service.pool.query(
      'SELECT FROM disabled_people WHERE id = $1 AND settled_version = version',
      [userId],
    );
    return rowCount === 1;
  });

const problemsOf = async (id: string): Promise<{ id: string; kind: string }[]> =>
  (await service.seen(admin, id)).problems;

describe('when an owner’s account is disabled', () => {
  it('cancels a booking that has not started, with a full refund and the cause', async () => {
    const { owner, renter, id, payment } = await lend({ terms: { cancellation: 'strict' } });
    await service.pool.query(
      `UPDATE bookings SET starts_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );

    for (const _ of [1, 2]) await disable(owner);

    expect((await cancelled(id)).data).toMatchObject({
      reason: 'The owner’s account is no longer active.',
      refunds: [{ paymentId: payment.paymentId, refundCents: 4_000 }],
      keptCents: 0,
    });
    await settled(owner);
    const events = service.broker.received.filter(
      ({ type, data }) => type === 'BookingCancelled' && data.bookingId === id,
    );
    expect(events).toHaveLength(1);
    expect(await service.seen(renter, id)).toMatchObject({ booking_status: 'Cancelled' });
  });

  it('reports a rental under way to the admins once, and leaves it unchanged', async () => {
    const { owner } = await lend();
    const { id } = await lendAlso(owner, underWay);
    await disable(owner);

    const [problem] = await waitFor('the problem', async () => {
      const problems = await problemsOf(id);
      return problems.length > 0 && problems;
    });
    expect(problem).toMatchObject({ kind: 'owner-disabled', by: 'system' });
    await service.http.post(`/api/admin/problems/${problem?.id}/settle`, {
      ...admin,
      body: { note: 'The neighbor takes it back.' },
    });
    await settled(owner);

    expect(await problemsOf(id)).toHaveLength(1);
    expect(await service.seen(admin, id)).toMatchObject({ booking_status: 'Booked' });
  });

  it('cancels the other bookings when one booking cannot be written', async () => {
    const { owner, id: bad } = await lend();
    const good = await lendAlso(owner, days(20, 22));
    await service.pool.query(`
      CREATE FUNCTION refuse_cancelling() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'A bad row'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF status ON bookings FOR EACH ROW
        WHEN (NEW.id = '${bad}' AND NEW.status = 'cancelled') EXECUTE FUNCTION refuse_cancelling()`);

    await disable(owner);
    await cancelled(good.id);
    expect(await service.seen(admin, bad)).toMatchObject({ booking_status: 'Booked' });

    await service.pool.query('DROP TRIGGER refuse ON bookings');
    await cancelled(bad);
  });

  it('cancels nothing when a newer event has enabled the account again', async () => {
    const [enabled, disabled] = [await lend(), await lend()];
    await service.broker.send(disabling(enabled.owner, { disabled: false, version: 3 }));
    await disable(enabled.owner);
    await disable(disabled.owner);

    await cancelled(disabled.id);

    expect(await service.seen(admin, enabled.id)).toMatchObject({ booking_status: 'Booked' });
  });

  it('cancels the booking if an accepted request is charged later', async () => {
    const renter = await service.person();
    const request = await service.requested(renter);
    await service.answer(request.owner, request.approvalId, 'accept');
    await disable(request.owner);
    await settled(request.owner);

    await service.succeed(request.payment);

    expect((await cancelled(request.id)).data.refunds).toEqual([
      { paymentId: request.payment.paymentId, refundCents: request.payment.amountCents },
    ]);
  });

  it('leaves the account to a later run if one of the owner’s bookings is confirmed at the same time', async () => {
    const owner = await service.person();
    await disable(owner);
    await settled(owner);
    const person = await inTransaction(service.pool, async (tx) => {
      await unsettleOwners(tx, [owner.userId]);
      return findUnsettled(tx, owner.userId);
    });
    await settled(owner);

    await inTransaction(service.pool, async (tx) => {
      await unsettleOwners(tx, [owner.userId]);
      await saveSettled(tx, person as DisabledPerson);
      const open = await findUnsettled(tx, owner.userId);
      expect(open).toBeDefined();
    });
  });

  it('refunds a cart and an extension that are paid later', async () => {
    const { owner, toolId } = await lend();
    const { id, renter } = await lendAlso(owner, underWay);
    const longer = (await change(renter, id, days(0, 4))).body.hold;
    const buyer = await service.person();
    const cart = (await service.postHold(buyer, [service.line(toolId, days(20, 22))])).body.hold;
    await disable(owner);
    await settled(owner);

    const payments = [
      await service.succeed(service.paymentOf(renter, longer.amountCents, longer.id)),
      await service.succeed(service.paymentOf(buyer, cart.amountCents, cart.id)),
    ];

    for (const { paymentId, amountCents } of payments) {
      const { data } = await service.broker.expectEvent(
        'BookingRejected',
        (rejected) => rejected.paymentId === paymentId,
      );
      expect(data.refundCents).toBe(amountCents);
    }
  });
});

describe('when a renter’s account is disabled', () => {
  it('keeps the renter’s paid bookings, which the owner or an admin may cancel', async () => {
    const { renter, owner, id } = await lend();

    await disable(renter);
    await settled(renter);

    expect(await service.seen(owner, id)).toMatchObject({
      booking_status: 'Booked',
      allowedActions: expect.arrayContaining(['cancel']),
    });
  });
});
