import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from './bookings-service.ts';
import { changesAt, days } from './changes.ts';

const settings = { COMMISSION_PERCENT: '10', COMMISSION_FIXED_CENTS: '30' };

let service: BookingsService;
let admin: Person;
beforeAll(async () => {
  service = await startBookingsService(settings);
  admin = await service.person('Admin');
});
afterAll(() => service.stop());

const { lend, lendOnRequest, requestChange, answer, change, cancel, pay, changed } = changesAt(
  () => service,
);

const earningsSeenBy = async (who: Person, id: string) => (await service.seen(who, id)).earnings;

const refund = (id: string, amountCents: number) =>
  service.http.post(`/api/rentalBookings/refund-booking/${id}`, {
    ...admin,
    body: { amountCents, reason: 'It was dull.' },
  });

describe('the commission', () => {
  it('is shown to the owner and admins, and never to the renter', async () => {
    const { owner, renter, id } = await lend();
    const paths = [
      `/api/rentalBookings/${id}/details`,
      `/api/rentalBookings/${renter.userId}/my-bookings`,
    ];

    const toRenter = await Promise.all(paths.map((path) => service.http.get(path, renter)));
    const { body: toOwner } = await service.http.get('/api/rentalBookings/my-bookings', owner);
    const { body: toAdmin } = await service.http.get('/api/all-bookings?q=LT', admin);

    const earnings = { gross: 40, fee: 4.3, net: 35.7 };
    expect(await earningsSeenBy(owner, id)).toEqual(earnings);
    expect(await earningsSeenBy(admin, id)).toEqual(earnings);
    expect(toOwner.bookings).toMatchObject([{ id, earnings }]);
    const found = toAdmin.bookings.find((one: { id: string }) => one.id === id);
    expect(found).toMatchObject({ earnings });
    expect(toRenter.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of toRenter) {
      expect(JSON.stringify(body)).toContain('"earnings":null');
      expect(JSON.stringify(body)).not.toMatch(/"(fee|net|gross|commission)"/);
    }
  });

  it('does not appear in the reply to a hold, or to an admin’s own rental', async () => {
    const { toolId } = await service.tool();
    const { body } = await service.postHold(admin, [service.line(toolId)]);
    expect(JSON.stringify(body)).not.toMatch(/commission|fee|earnings/);

    await pay(admin, body.hold);
    await service.broker.expectEvent(
      'BookingCreated',
      (data) => data.bookingId === body.hold.lines[0].id,
    );

    expect(await earningsSeenBy(admin, body.hold.lines[0].id)).toBeNull();
  });

  it('is kept through changes and new settings, and its fixed part is charged once', async () => {
    const { owner, renter, id } = await lend();
    const replica = await service.start({ COMMISSION_PERCENT: '20', COMMISSION_FIXED_CENTS: '50' });
    const http = httpClient(replica.url);
    const atReplica = changesAt(() => ({ ...service, ...service.helpersAt(http), http }));
    const { body } = await atReplica.change(renter, id, days(10, 15));
    await pay(renter, body.hold);
    const { data } = await changed(id);
    const later = await atReplica.lend();
    await replica.stop();

    expect(data.earnings).toEqual({ grossCents: 5_000, feeCents: 530 });
    expect(await earningsSeenBy(owner, id)).toEqual({ gross: 50, fee: 5.3, net: 44.7 });
    expect(await earningsSeenBy(later.owner, later.id)).toEqual({ gross: 40, fee: 8.5, net: 31.5 });
  });

  it('is charged on the price less the discount', async () => {
    const discounts = [{ days: 3 as const, percent: 15 }];
    const { owner, id } = await lend({ terms: { discounts }, priceCents: 1_001 });

    // 4,004 cents less 601; 10 % of 3,403 is 340.3.
    expect(await earningsSeenBy(owner, id)).toEqual({ gross: 34.03, fee: 3.7, net: 30.33 });
  });

  it('is charged on what refunds leave', async () => {
    const { owner, id } = await lend();
    await refund(id, 1_505);
    expect(await earningsSeenBy(owner, id)).toEqual({ gross: 24.95, fee: 2.79, net: 22.16 });

    await refund(id, 2_495);
    expect(await earningsSeenBy(owner, id)).toBeNull();
  });

  it('is charged on what a cancellation or a cheaper change leaves to the owner by the policy', async () => {
    const terms = { cancellation: 'strict' as const };
    const [one, other] = [await lend({ terms }), await lend({ terms })];
    await cancel(one.renter, one.id);
    await change(other.renter, other.id, days(10, 12));

    const { data: cancelled } = await service.broker.expectEvent(
      'BookingCancelled',
      ({ bookingId }) => bookingId === one.id,
    );
    const { data: cheaper } = await changed(other.id);

    expect(cancelled).toMatchObject({
      keptCents: 2_000,
      earnings: { grossCents: 2_000, feeCents: 230 },
    });
    expect(await earningsSeenBy(one.owner, one.id)).toEqual({ gross: 20, fee: 2.3, net: 17.7 });
    expect(cheaper.earnings).toEqual({ grossCents: 3_000, feeCents: 330 });
    expect(await earningsSeenBy(other.owner, other.id)).toEqual({ gross: 30, fee: 3.3, net: 26.7 });
  });

  it('is shown on a request, whose card is not charged yet, and no longer once that is declined', async () => {
    const renter = await service.neighbor();
    const { id, approvalId, owner } = await service.requested(renter);
    const { data } = await service.broker.expectEvent(
      'ApprovalRequested',
      ({ bookingId }) => bookingId === id,
    );

    expect(data.earnings).toEqual({ grossCents: 2_500, feeCents: 280 });
    expect(await earningsSeenBy(owner, id)).toEqual({ gross: 25, fee: 2.8, net: 22.2 });
    expect(await earningsSeenBy(renter, id)).toBeNull();
    await service.answer(owner, approvalId, 'decline');
    expect(await earningsSeenBy(owner, id)).toBeNull();
  });

  it.each([
    ['costlier', days(10, 16), { grossCents: 6_000, feeCents: 630 }],
    ['cheaper', days(10, 13), { grossCents: 3_000, feeCents: 330 }],
  ])(
    'is shown on a requested change that is %s, as if it were made',
    async (_, wanted, earnings) => {
      const { owner, renter, id } = await lendOnRequest();
      const { approvalId, hold, payment } = await requestChange(renter, id, wanted);

      const { data } = await service.broker.expectEvent(
        'ApprovalRequested',
        ({ bookingId }) => bookingId === id,
      );
      const seen = await service.seen(owner, id);

      expect(data.earnings).toEqual(earnings);
      const gross = earnings.grossCents / 100;
      const fee = earnings.feeCents / 100;
      expect(seen.approval.change.earnings).toMatchObject({ gross, fee });
      expect(seen.earnings).toEqual({ gross: 40, fee: 4.3, net: 35.7 });
      expect((await service.seen(renter, id)).approval.change.earnings).toBeNull();

      await answer(owner, approvalId, 'accept');
      if (hold) await service.succeed(payment);
      expect((await changed(id)).data.earnings).toEqual(earnings);
    },
  );

  it('is announced with the booking, split over the payments of a client without a hold', async () => {
    const renter = await service.neighbor();
    const owner = await service.neighbor();
    const { toolId } = await service.tool({ ownerId: owner.userId });
    for (const cents of [1_005, 1_495])
      service.payments.push(service.paymentOf(renter, cents, null));

    const { status, body } = await service.http.post(
      `/api/user/${renter.userId}/add-rental-booking`,
      { ...renter, body: service.line(toolId) },
    );

    expect(status).toBe(201);
    const { data } = await service.broker.expectEvent(
      'BookingCreated',
      ({ bookingId }) => bookingId === body.rental.id,
    );
    // 10 % of 1,005 and of 1,495 are 100 and 149 cents, because half a cent stays with the owner.
    expect(data.earnings).toEqual({ grossCents: 2_500, feeCents: 279 });
    expect(await earningsSeenBy(owner, body.rental.id)).toMatchObject({ gross: 25, fee: 2.79 });
  });

  it('is summed per tool, and does not change the documented sums', async () => {
    const [owner, renter] = [await service.neighbor(), await service.neighbor()];
    const { toolId } = await service.tool({ ownerId: owner.userId, units: 3 });
    const begun = { start_date: inDays(0), end_date: inDays(2) };
    await service.booked(renter, toolId, begun);
    await service.booked(renter, toolId, begun);
    const { id } = await service.booked(renter, toolId);
    await service.pool.query('UPDATE bookings SET commission = NULL WHERE id = $1', [id]);

    const { body } = await service.http.get(`/api/user/${owner.userId}/earnings`, owner);

    const sums = { earnedCents: 5_000, earnedFeeCents: 560, toComeCents: 2_500, toComeFeeCents: 0 };
    expect(body).toEqual({
      tools: [{ rental_id: toolId, ...sums, rentals: 3 }],
      total: sums,
      commission: { percent: 10, fixedCents: 30 },
    });
  });

  it('is not charged on bookings that were held before the operator set it', async () => {
    const { owner, id, payment } = await lend();
    await service.pool.query('UPDATE bookings SET commission = NULL WHERE id = $1', [id]);

    expect(await earningsSeenBy(owner, id)).toBeNull();
    expect(payment.amountCents).toBe(4_000);
  });

  it('follows a dispute: a lost one leaves the owner nothing, and nothing is charged', async () => {
    const { owner, id, payment } = await lend();
    await service.dispute(payment, 'lost', { cents: 4_000, version: 3 });

    await waitFor('the loss', async () => (await earningsSeenBy(owner, id)) === null);
  });
});
