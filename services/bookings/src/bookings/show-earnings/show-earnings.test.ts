import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const ask = (owner: Person, by = owner) =>
  service.http.get(`/api/user/${owner.userId}/earnings`, by);

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(3) };

const lend = async (priceCents = 1_235) => {
  const [owner, renter] = [await service.person(), await service.person()];
  const tool = await service.tool({ ownerId: owner.userId, priceCents, units: 4 });
  return { owner, renter, tool };
};

describe('GET /api/user/:userId/earnings', () => {
  it('sums to the cent what was paid for each tool, separately for begun and for upcoming rentals', async () => {
    const { owner, renter, tool } = await lend();
    const saw = await service.tool({ ownerId: owner.userId, priceCents: 999 });
    await service.tool({ ownerId: owner.userId });
    await service.booked(renter, tool.toolId, begun);
    await service.booked(renter, tool.toolId, { quantity: 2 });
    await service.booked(renter, saw.toolId);

    const { status, body } = await ask(owner);

    expect(status).toBe(200);
    const byTool = new Map(
      body.tools.map((one: { rental_id: string }) => [one.rental_id, one] as const),
    );
    expect(byTool.size).toBe(2);
    expect(byTool.get(tool.toolId)).toEqual({
      rental_id: tool.toolId,
      earnedCents: 3_705,
      earnedFeeCents: 0,
      toComeCents: 4_940,
      toComeFeeCents: 0,
      rentals: 2,
    });
    expect(byTool.get(saw.toolId)).toMatchObject({
      earnedCents: 0,
      toComeCents: 1_998,
      rentals: 1,
    });
    expect(body.total).toMatchObject({ earnedCents: 3_705, toComeCents: 6_938 });
    expect(body.commission).toBeNull();
  });

  it('subtracts cancellations, admins’ refunds, refunds at Stripe and lost disputes from the earnings', async () => {
    const { owner, renter, tool } = await lend();
    const admin = await service.person('Admin');
    const book = () => service.booked(renter, tool.toolId, begun);
    const [cancelled, granted, outside, lost] = [
      await book(),
      await book(),
      await book(),
      await book(),
    ];
    await service.http.post(
      `/api/user/${owner.userId}/rentalBookings/cancel-booking/${cancelled.id}`,
      { ...owner, body: {} },
    );
    await service.http.post(`/api/rentalBookings/refund-booking/${granted.id}`, {
      ...admin,
      body: { amountCents: 101, reason: 'It was dull.' },
      headers: { 'idempotency-key': granted.id },
    });
    await service.refundAtStripe(outside.payment, { cents: 5 });
    await service.dispute(lost.payment, 'lost', { cents: 3_705, version: 3 });

    await waitFor('the money to be counted', async () => {
      const [counted] = (await ask(owner)).body.tools;
      return counted.earnedCents === 2 * 3_705 - 101 - 5;
    });
    const [counted] = (await ask(owner)).body.tools;
    expect(counted).toMatchObject({ toComeCents: 0, rentals: 2 });
  });

  it('includes a removed tool in the owner’s total earnings', async () => {
    const { owner, renter, tool } = await lend();
    await service.booked(renter, tool.toolId, begun);
    const data = { toolId: tool.toolId, ownerId: owner.userId };
    await service.broker.sendNew('ToolRemoved', data, { id: tool.toolId, version: 2 });
    await waitFor('the tool to be removed', async () => (await ask(owner)).body.tools.length === 0);

    expect((await ask(owner)).body).toMatchObject({
      tools: [],
      total: { earnedCents: 3_705, toComeCents: 0 },
    });
  });

  it('shows earnings to the owner only, not even to admins', async () => {
    const [owner, admin] = [await service.person(), await service.person('Admin')];

    expect((await ask(owner)).body).toMatchObject({
      tools: [],
      total: { earnedCents: 0, toComeCents: 0 },
    });
    expect((await ask(owner, admin)).status).toBe(403);
    expect((await service.http.get(`/api/user/${owner.userId}/earnings`)).status).toBe(401);
  });
});
