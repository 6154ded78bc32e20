import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData, GoneFromShare } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { changesAt } from '../../../test/changes.ts';

const queue = 'bookings.sync-shares';

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService();
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, cancel } = changesAt(() => service);

type Payment = EventData<'PaymentSucceeded'>;

const nothing = { outsideCents: 0, lostCents: 0, heldCents: 0 };

const send = (
  { paymentId }: Payment,
  version: number,
  ...shares: (Partial<GoneFromShare> & { bookingId: string })[]
) =>
  service.broker.sendNew(
    'PaymentSharesChanged',
    { paymentId, shares: shares.map((share) => ({ ...nothing, ...share })) },
    { id: paymentId, version },
  );

const isAt = ({ paymentId }: Payment, version: number) =>
  waitFor(`version ${version}`, async () => {
    const { rows } = await service.pool.query('SELECT shares_version FROM payments WHERE id = $1', [
      paymentId,
    ]);
    return rows[0]?.shares_version === version;
  });

const settlementOf = async (id: string) => (await service.seen(admin, id)).settlement;

describe(queue, () => {
  it('copies what is gone of a booking, so that a cancellation does not refund it again', async () => {
    const { id, payment, owner } = await lend();

    await send(payment, 3, { bookingId: id, outsideCents: 1_000, heldCents: 500 });
    await isAt(payment, 3);

    expect(await settlementOf(id)).toMatchObject({ refundedAtStripe: 10, refundable: 25 });
    expect((await cancel(owner, id)).body.refundCents).toBe(3_000);
  });

  it('resets the booking once nothing is gone any more', async () => {
    const { id, payment, owner } = await lend();
    await send(payment, 3, { bookingId: id, outsideCents: 1_000 });
    await isAt(payment, 3);
    await cancel(owner, id);

    await send(payment, 4);
    await isAt(payment, 4);

    expect(await settlementOf(id)).toMatchObject({ refundedAtStripe: 0, refundable: 0 });
    expect((await service.seen(admin, id)).refunded).toBe(40);
  });

  it('cancels a completely lost booking once, despite a duplicate and an older event', async () => {
    const { id, payment } = await lend();

    for (const version of [5, 5]) await send(payment, version, { bookingId: id, lostCents: 4_000 });
    await send(payment, 4, { bookingId: id, heldCents: 4_000 });

    await service.broker.expectEvent('BookingCancelled', ({ bookingId }) => bookingId === id);
    await send(payment, 6, { bookingId: id, lostCents: 4_000 });
    await isAt(payment, 6);
    expect(await settlementOf(id)).toMatchObject({ refundable: 0 });
    const { rows } = await service.pool.query(
      'SELECT cancel_cause, version FROM bookings WHERE id = $1',
      [id],
    );
    expect(rows[0]).toMatchObject({ cancel_cause: 'dispute-lost' });
  });

  it('does not cancel a booking of which admins had granted everything before the loss', async () => {
    const { id, payment } = await lend();
    await service.pool.query(
      'UPDATE allocations SET refunded_cents = amount_cents WHERE booking_id = $1',
      [id],
    );

    await send(payment, 3, { bookingId: id, lostCents: 500 });
    await isAt(payment, 3);

    expect((await service.seen(admin, id)).booking_status).toBe('Booked');
  });

  it('copies other contents of a version that payments published before it was restored', async () => {
    const { id, payment } = await lend();
    await send(payment, 3, { bookingId: id, outsideCents: 1_000 });
    await isAt(payment, 3);

    await send(payment, 3, { bookingId: id, outsideCents: 500 });

    await waitFor('the contents', async () => (await settlementOf(id))?.refundedAtStripe === 5);
  });

  it('waits for a payment that is not known yet', async () => {
    const renter = await service.person();
    const hold = await service.held(renter);
    const payment = service.paymentOf(renter, hold.amountCents, hold.id);
    const bookingId = hold.lines[0]?.id as string;
    await send(payment, 3, { bookingId, outsideCents: 500 });

    await service.succeed(payment);

    await isAt(payment, 3);
    expect(await settlementOf(bookingId)).toMatchObject({ refundedAtStripe: 5 });
  });

  it('dead-letters an unreadable message', async () => {
    await service.broker.sendRaw(queue, JSON.stringify({ type: 'PaymentSharesChanged', data: 1 }));

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('retries after a transient failure', async () => {
    const { id, payment } = await lend();
    await failFirstWrites(service.pool, 'allocations', 2);

    await send(payment, 3, { bookingId: id, outsideCents: 700 });

    await isAt(payment, 3);
    expect(await settlementOf(id)).toMatchObject({ refundedAtStripe: 7 });
  });
});
