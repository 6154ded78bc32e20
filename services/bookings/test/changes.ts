import type { Terms } from '@lendtools/contracts';
import { type Reply, waitFor } from '@lendtools/testing';
import { type BookingsService, inDays, internalSecret, type Person } from './bookings-service.ts';

export type Dates = Record<string, unknown>;

/** Dates without times, as days from today. */
export const days = (from: number, to: number, quantity = 1): Dates => ({
  quantity,
  start_date: inDays(from),
  end_date: inDays(to),
});

/** Retries on 503: on a busy machine, waiting for a lock may exceed the statement timeout. */
export const retryOn503 = (ask: () => Promise<Reply>): Promise<Reply> =>
  waitFor('a reply other than 503', async () => {
    const reply = await ask();
    return reply.status !== 503 && reply;
  });

/** Helpers for tests of changes. `service` is a function, because the service starts after the helpers are created. */
export const changesAt = (service: () => BookingsService) => {
  const preview = (who: Person, id: string, requested: Dates) => {
    const query = new URLSearchParams(requested as Record<string, string>);
    return service().http.get(
      `/api/user/${who.userId}/rentalBookings/change-preview/${id}?${query}`,
      who,
    );
  };

  const change = (who: Person, id: string, body: Dates) =>
    retryOn503(() =>
      service().http.post(`/api/user/${who.userId}/rentalBookings/change-booking/${id}`, {
        ...who,
        body,
      }),
    );

  const cancel = (who: Person, id: string) =>
    retryOn503(() =>
      service().http.post(`/api/user/${who.userId}/rentalBookings/cancel-booking/${id}`, {
        ...who,
        body: {},
      }),
    );

  /** Books a tool from day 10 to day 14 from today, by default at $10 a day, and backdates the booking to yesterday. */
  const lend = async ({
    units = 1,
    terms = {},
    priceCents = 1_000,
  }: {
    units?: number;
    terms?: Terms;
    priceCents?: number;
  } = {}) => {
    const [owner, renter] = [await service().neighbor(), await service().neighbor()];
    const { toolId } = await service().tool({
      ownerId: owner.userId,
      priceCents,
      units,
      terms,
    });
    const booking = await service().booked(renter, toolId, days(10, 14));
    await service().pool.query(
      `UPDATE bookings SET booked_at = now() - interval '1 day' WHERE id = $1`,
      [booking.id],
    );
    return { owner, renter, toolId, ...booking };
  };

  /** Like `lend`, but once the booking is made, the owner requires approval, so that a change needs acceptance. */
  const lendOnRequest = async (given: Parameters<typeof lend>[0] = {}) => {
    const lent = await lend(given);
    await service().pool.query(
      `UPDATE tools SET terms = coalesce(terms, '{}') || '{"booking": "request"}' WHERE id = $1`,
      [lent.toolId],
    );
    return lent;
  };

  /** Requests a change. If the change costs more, authorizes the card. */
  const requestChange = async (renter: Person, id: string, body: Dates) => {
    const { status, body: reply } = await change(renter, id, body);
    if (status !== 200) throw new Error(JSON.stringify(reply));
    const { hold } = reply;
    const payment = service().paymentOf(renter, hold?.amountCents ?? 0, hold?.id ?? null);
    const authorization = { paymentId: payment.paymentId, userId: renter.userId };
    /** Reports the card's state, as the payments service does repeatedly. */
    const follow = async (status: 'authorized' | 'canceled' = 'authorized'): Promise<string> =>
      (await service().reportAuthorization(hold, { ...authorization, status })).body.approval;
    if (hold) await follow();
    const approvalId: string = (await service().seen(renter, id)).approval?.id;
    return { approvalId, hold, payment, follow };
  };

  const answer = (
    who: Person,
    approvalId: string,
    how: 'accept' | 'decline' | 'withdraw',
    body: { note?: string } = {},
  ) => retryOn503(() => service().answer(who, approvalId, how, body));

  const pay = (renter: Person, hold: { id: string; amountCents: number }) =>
    service().succeed(service().paymentOf(renter, hold.amountCents, hold.id));

  const changed = (id: string) =>
    service().broker.expectEvent('BookingChanged', (data) => data.bookingId === id);

  /** A booking's units with their days, counted from today, such as `1: 10-14`. */
  const unitsOf = async (id: string): Promise<string[]> => {
    const { rows } = await service().pool.query<{ unit: number; from: Date; to: Date }>(
      `SELECT u.number AS unit, lower(t.during) AS from, upper(t.during) AS to
     FROM booking_units t JOIN units u ON u.id = t.unit_id
     WHERE t.booking_id = $1 AND t.status IN ('held', 'requested', 'confirmed') ORDER BY 2, 1`,
      [id],
    );
    const day = (date: Date) => Math.round((date.getTime() - Date.parse(inDays(0))) / 86_400_000);
    return rows.map(({ unit, from, to }) => `${unit}: ${day(from)}-${day(to)}`);
  };

  const refundsOf = async (paymentId: string): Promise<{ refundCents: number; reason: string }[]> =>
    (
      await service().http.get(`/internal/payments/${paymentId}/refunds`, {
        headers: { authorization: `Bearer ${internalSecret}` },
      })
    ).body.refunds;

  return {
    lendOnRequest,
    requestChange,
    answer,
    preview,
    change,
    cancel,
    lend,
    pay,
    changed,
    unitsOf,
    refundsOf,
  };
};
