import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { earnedBooking } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { type Lent, transfersOf } from '../../../test/transfers.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
beforeAll(async () => {
  payments = await startTestPayments({ payoutDelayMs: 50 });
  payments.connectWebhooks();
  transfers = transfersOf(payments);
});
afterAll(() => payments.stop());

const ask = (ownerId: string, token: string, query = '') =>
  payments.api.get(`/api/user/${ownerId}/payouts${query}`, { token });

const payoutsOf = async (ownerId: string, query = '') => {
  const token = await payments.accounts.sign({ userId: ownerId });
  const { status, body } = await ask(ownerId, token, query);
  expect(status).toBe(200);
  return body;
};

const facts = (
  { bookingId }: { bookingId: string },
  overrides: Parameters<typeof earnedBooking>[1] = {},
) => payments.earnedBookings.set(bookingId, earnedBooking(bookingId, overrides));

const nothing = {
  paidCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  writtenOffCents: 0,
  earnedCents: 0,
  onTheWayCents: 0,
  availableCents: 0,
  transferredCents: 0,
  nettedCents: 0,
  outsideStripeCents: 0,
  debtCents: 0,
};
const paid = { ...nothing, paidCents: 4_200, commissionCents: 420, earnedCents: 3_780 };

const releaseAt = '2999-06-07T12:00:00.000Z';

/** A paid booking of $42 that is transferred: $37.80 after the commission. */
const transferred = async (ownerId: string): Promise<Lent> => {
  const lent = await transfers.released(ownerId);
  facts(lent);
  await transfers.isSent(lent);
  return lent;
};

describe('GET /api/user/:userId/payouts', () => {
  it('is empty for an owner without bookings', async () => {
    const { userId } = await payments.signIn();

    expect(await payoutsOf(userId)).toEqual({
      bookings: [],
      nextCursor: null,
      summary: { ...nothing, waiting: [], next: null, months: [] },
    });
  });

  it('shows what is on the way less the commission, and when it comes', async () => {
    const { owner } = await transfers.accounts.ready();
    const lent = await transfers.lend(owner.userId);
    facts(lent, { waitsFor: 'rental', releaseAt });

    const { bookings, summary } = await payoutsOf(owner.userId);

    const money = { ...paid, onTheWayCents: 3_780 };
    expect(bookings).toEqual([
      {
        bookingId: lent.bookingId,
        bookingCode: 'LT123456',
        toolName: 'Hammer drill',
        renterName: 'Rita Renter',
        startDate: '2026-06-01',
        endDate: '2026-06-05',
        ...money,
        waitsFor: 'rental',
        expectedAt: releaseAt,
        transferredAt: null,
      },
    ]);
    expect(summary).toEqual({
      ...money,
      waiting: [{ waitsFor: 'rental', cents: 3_780, bookings: 1 }],
      next: { at: releaseAt, cents: 3_780 },
      months: [],
    });
  });

  it('expects no payout while a problem is open', async () => {
    const { owner } = await transfers.accounts.ready();
    facts(await transfers.lend(owner.userId), { waitsFor: 'problem', releaseAt: null });

    const { summary } = await payoutsOf(owner.userId);

    expect(summary).toMatchObject({ waiting: [{ waitsFor: 'problem' }], next: null });
  });

  it('shows that available money waits for the account, then for an admin', async () => {
    const { userId } = await payments.signIn();
    const lent = await transfers.released(userId);
    facts(lent);

    const before = await payoutsOf(userId);
    await transfers.hold(userId, true);
    const held = await payoutsOf(userId);

    expect(before.bookings).toMatchObject([
      { ...paid, availableCents: 3_780, waitsFor: 'account', expectedAt: null },
    ]);
    expect(before.summary).toMatchObject({ availableCents: 3_780, next: null });
    expect(held.bookings).toMatchObject([{ waitsFor: 'hold' }]);
  });

  it('shows what was transferred, and the month of it', async () => {
    const { owner } = await transfers.accounts.ready();
    await transferred(owner.userId);

    const { bookings, summary } = await payoutsOf(owner.userId);

    expect(bookings).toMatchObject([
      {
        ...paid,
        transferredCents: 3_780,
        waitsFor: null,
        expectedAt: null,
        transferredAt: expect.any(String),
      },
    ]);
    expect(summary).toMatchObject({
      ...paid,
      transferredCents: 3_780,
      waiting: [],
      months: [
        {
          month: new Date().toISOString().slice(0, 7),
          priceCents: 4_200,
          refundedCents: 0,
          commissionCents: 420,
          earnedCents: 3_780,
          writtenOffCents: 0,
          transferredCents: 3_780,
        },
      ],
    });
  });

  it('returns a part of the commission on a partial refund, and makes a debt of what was transferred', async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    const lent = await transferred(owner.userId);
    await transfers.paidOut(accountId);
    await transfers.cancel(lent, 1_000);
    await waitFor('the debt', async () => {
      const { bookings } = await payoutsOf(owner.userId);
      return bookings[0].debtCents === 900;
    });

    const { bookings, summary } = await payoutsOf(owner.userId);

    const money = {
      ...paid,
      refundedCents: 1_000,
      commissionCents: 320,
      earnedCents: 2_880,
      transferredCents: 3_780,
      debtCents: 900,
    };
    expect(bookings).toMatchObject([{ ...money, waitsFor: null }]);
    expect(summary).toMatchObject(money);
    expect(summary.months).toMatchObject([
      { priceCents: 4_200, refundedCents: 1_000, commissionCents: 320, earnedCents: 2_880 },
    ]);
  });

  it('nets the debt of one booking from another one', async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    const indebted = await transferred(owner.userId);
    await transfers.paidOut(accountId);
    await transfers.cancel(indebted, 1_000);
    await waitFor(
      'the debt',
      async () => (await payoutsOf(owner.userId)).bookings[0].debtCents === 900,
    );
    const lent = await transfers.released(owner.userId);
    facts(lent);
    await transfers.isSent(lent, 2_880);

    const { bookings, summary } = await payoutsOf(owner.userId);

    const byId = new Map(bookings.map((one: { bookingId: string }) => [one.bookingId, one]));
    expect(byId.get(lent.bookingId)).toMatchObject({
      ...paid,
      transferredCents: 2_880,
      nettedCents: 900,
    });
    expect(byId.get(indebted.bookingId)).toMatchObject({
      refundedCents: 1_000,
      earnedCents: 2_880,
      transferredCents: 3_780,
      nettedCents: -900,
      debtCents: 0,
    });
    expect(summary).toMatchObject({
      paidCents: 8_400,
      refundedCents: 1_000,
      commissionCents: 740,
      earnedCents: 6_660,
      transferredCents: 6_660,
      nettedCents: 0,
      debtCents: 0,
    });
  });

  it('counts a refund made in Stripe’s dashboard before the release', async () => {
    const { userId } = await payments.signIn();
    const lent = await transfers.lend(userId);
    facts(lent, { waitsFor: 'rental', releaseAt });
    await payments.stripe.refunds.create({ payment_intent: lent.intentId, amount: 1_005 });
    await waitFor(
      'the refund',
      async () => (await payoutsOf(userId)).bookings[0].refundedCents === 1_005,
    );

    // 10 % of $31.95 are 319.5 cents, and half a cent is the owner's.
    expect((await payoutsOf(userId)).bookings).toMatchObject([
      { commissionCents: 319, earnedCents: 2_876, onTheWayCents: 2_876 },
    ]);
  });

  it('waits while a bank decides on a dispute', async () => {
    const { owner } = await transfers.accounts.ready();
    const lent = await transfers.lend(owner.userId);
    facts(lent);
    await transfers.dispute(lent);

    expect((await payoutsOf(owner.userId)).bookings).toMatchObject([
      { waitsFor: 'dispute', expectedAt: null },
    ]);
  });

  it('leaves bookings without terms to the operator', async () => {
    const { userId } = await payments.signIn();
    const lent = await transfers.lend(userId, null);
    facts(lent, { terms: null, waitsFor: 'rental', releaseAt });

    const { bookings, summary } = await payoutsOf(userId);

    expect(bookings).toMatchObject([
      {
        paidCents: 4_200,
        earnedCents: 4_200,
        outsideStripeCents: 4_200,
        onTheWayCents: 0,
        waitsFor: null,
      },
    ]);
    expect(summary).toMatchObject({ outsideStripeCents: 4_200, waiting: [], next: null });
  });

  it('pages bookings, newest first, of those that wait or are over', async () => {
    const { owner } = await transfers.accounts.ready();
    const over = await transferred(owner.userId);
    const waiting = [await transfers.lend(owner.userId), await transfers.lend(owner.userId)];
    for (const lent of waiting) facts(lent, { waitsFor: 'rental', releaseAt });
    const newestFirst = [over, ...waiting]
      .map(({ bookingId }) => bookingId)
      .sort()
      .reverse();
    const idsOf = ({ bookings }: { bookings: { bookingId: string }[] }) =>
      bookings.map(({ bookingId }) => bookingId);

    const first = await payoutsOf(owner.userId, '?limit=2');
    const second = await payoutsOf(owner.userId, `?limit=2&cursor=${first.nextCursor}`);
    const onlyOver = await payoutsOf(owner.userId, '?when=over');
    const onlyWaiting = await payoutsOf(owner.userId, '?when=waiting');

    expect([...idsOf(first), ...idsOf(second)]).toEqual(newestFirst);
    expect(second).toMatchObject({ nextCursor: null });
    expect(second.summary).toBeUndefined();
    expect(idsOf(onlyOver)).toEqual([over.bookingId]);
    expect(idsOf(onlyWaiting).sort()).toEqual(waiting.map(({ bookingId }) => bookingId).sort());
    expect(onlyOver.summary).toEqual(first.summary);
  });

  it.each(['limit=0', 'limit=201', 'cursor=nonsense', 'when=never'])(
    'rejects ?%s with 400',
    async (query) => {
      const { userId, token } = await payments.signIn();

      expect((await ask(userId, token, `?${query}`)).status).toBe(400);
    },
  );

  it('is for the owner and admins', async () => {
    const { userId } = await payments.signIn();
    const other = await payments.signIn();
    const admin = await payments.accounts.sign({ role: 'Admin' });

    expect((await ask(userId, other.token)).status).toBe(403);
    expect((await ask(userId, admin)).status).toBe(200);
    expect((await payments.api.get(`/api/user/${userId}/payouts`)).status).toBe(401);
  });

  it('replies 503 while bookings is unavailable', async () => {
    const { userId, token } = await payments.signIn();
    await transfers.lend(userId);
    payments.bookingsOutage.requests = 1;

    expect((await ask(userId, token)).status).toBe(503);
    payments.bookingsOutage.requests = 0;
  });
});
