import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Reply, waitFor } from '@lendtools/testing';
import { mailsTo, moveInTime, query, whileFrozen } from '../src/marketplace.ts';
import { api, listTool, newPerson, newVerifiedPerson, type Person } from '../src/people.ts';
import {
  bookingsOf,
  buyAndCloseTheTab,
  createIntent,
  hold,
  intentIdOf,
  line,
  payByCard,
  stripe,
} from '../src/purchases.ts';

const noticesOf = async (person: Person) =>
  (await api().get(`/api/user/${person.id}/notifications`, { token: person.token })).body
    .notifications;

describe('a purchase', () => {
  it('creates a booking even if the tab is closed right after the card is confirmed', async () => {
    const [owner, renter] = await Promise.all([
      newVerifiedPerson(),
      newVerifiedPerson({ first_name: 'Sam' }),
    ]);
    const toolId = await listTool(owner, { name: 'Hedge trimmer' });

    const { codes } = await buyAndCloseTheTab(renter, [line(toolId)]);

    const bookings = await waitFor('the booking', async () => {
      const all = await bookingsOf(renter);
      return all.length > 0 && all;
    });
    expect(bookings).toMatchObject([{ booking_code: codes[0], authorization: 'Authorized' }]);
    await waitFor("the owner's notice", async () =>
      (await noticesOf(owner)).some((notice: { message: string }) =>
        notice.message.startsWith('Your tool has just been booked'),
      ),
    );
    await waitFor("the owner's mail", async () =>
      (await mailsTo(owner.email)).some((mail) => mail.text.includes('Hedge trimmer')),
    );
    await waitFor("the renter's mail", async () =>
      (await mailsTo(renter.email)).some((mail) => mail.text.includes(codes[0])),
    );
    await waitFor('the tool to be unavailable', async () => {
      const { tool } = (await api().get(`/api/get-tool/${toolId}`)).body;
      return tool[0].item_status === 'Unavailable';
    });
  });

  it('books nothing when the card is declined', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
    const toolId = await listTool(owner);
    const { id: holdId, amountCents: amount } = (await hold(renter, [line(toolId)])).body.hold;
    const intent = (await createIntent(renter, { amount, holdId })).body;

    await expect(payByCard(intent.clientSecret, 'pm_card_chargeDeclined')).rejects.toMatchObject({
      code: 'card_declined',
      message: 'Your card was declined.',
    });
    const confirmed = await api().put(`/api/payment/confirm-payment/${intent.paymentId}`, {
      token: renter.token,
      body: { paymentIntentId: intentIdOf(intent.clientSecret), amount, userId: renter.id },
    });

    expect(confirmed).toMatchObject({ status: 402, body: { code: 'PAYMENT_NOT_SUCCEEDED' } });
    expect(await bookingsOf(renter)).toEqual([]);
  });

  it('is refunded in full, once, if the hold expired and another renter has booked the dates', async () => {
    const [owner, late, quick] = await Promise.all([
      newPerson(),
      newPerson({ first_name: 'Lou' }),
      newPerson(),
    ]);
    const toolId = await listTool(owner);
    const held = (await hold(late, [line(toolId)])).body.hold;
    const intent = (await createIntent(late, { amount: held.amountCents, holdId: held.id })).body;

    // Freeze the payments service, so that it cannot cancel the intent when the hold expires and another renter books.
    await whileFrozen('payments', async () => {
      await moveInTime(
        'bookings',
        `UPDATE holds SET expires_at = now() - interval '31 minutes' WHERE id = $1`,
        [held.id],
      );
      await waitFor(
        'the dates to be free',
        async () => (await hold(quick, [line(toolId)])).status === 201,
      );
      await payByCard(intent.clientSecret);
    });

    const payment_intent = intentIdOf(intent.clientSecret);
    const refunds = await waitFor('the refund', async () => {
      const { data } = await stripe().refunds.list({ payment_intent });
      return data.length > 0 && data.map((refund) => refund.amount);
    });
    expect(refunds).toEqual([held.amountCents]);
    await waitFor("the renter's notice", async () =>
      (await noticesOf(late)).some(
        (notice: { kind: string }) => notice.kind === 'booking-refunded',
      ),
    );
    expect(await bookingsOf(late)).toEqual([]);
  });

  it('charges and books once even if it is submitted five times', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
    const toolId = await listTool(owner);
    const lines = [line(toolId)];
    const key = randomUUID();

    const holds = await Promise.all(Array.from({ length: 5 }, () => hold(renter, lines, key)));
    expect(new Set(holds.map((reply) => reply.body.hold?.id)).size).toBe(1);
    const { id: holdId, amountCents: amount } = (holds[0] as Reply).body.hold;
    const intents = await Promise.all(
      Array.from({ length: 5 }, () => createIntent(renter, { amount, holdId })),
    );
    expect(new Set(intents.map((reply) => reply.body.clientSecret)).size).toBe(1);
    const { clientSecret } = (intents[0] as Reply).body;
    await payByCard(clientSecret);

    await waitFor('the booking', async () => (await bookingsOf(renter)).length === 1);
    const charges = await stripe().paymentIntents.list({ limit: 100 });
    const own = charges.data.filter((intent) => intent.id === intentIdOf(clientSecret));
    expect(own).toMatchObject([{ status: 'succeeded', amount }]);
  });
});

describe('the API, when two renters want the same tool at once', () => {
  it('holds the dates for exactly one of two renters, in each of 200 rounds', async () => {
    const owner = await newPerson();
    const renters = await Promise.all(Array.from({ length: 4 }, () => newPerson()));
    const toolIds = await Promise.all(Array.from({ length: 20 }, () => listTool(owner)));
    const results: string[] = [];

    for (let round = 0; round < 200; round++) {
      const toolId = toolIds[round % 20] as string;
      const from = 2 + Math.floor(round / 20) * 4;
      const pair = [renters[(round * 2) % 4], renters[(round * 2 + 1) % 4]] as [Person, Person];
      const replies = await Promise.all([
        hold(pair[0], [line(toolId, from, from + 3)]),
        hold(pair[1], [line(toolId, from + 1, from + 4)]),
      ]);
      const won = replies.findIndex((reply) => reply.status === 201);
      const lost = replies[1 - won];
      results.push(
        replies
          .map((reply) => reply.status)
          .sort()
          .join(),
      );
      expect(lost?.body).toMatchObject({
        code: 'TOOL_ALREADY_BOOKED',
        errors: [{ path: 'lines[0]' }],
      });
      const winner = pair[won] as Person;
      await api().delete(`/api/user/${winner.id}/holds/${replies[won]?.body.hold.id}`, {
        token: winner.token,
      });
    }

    expect(results.filter((result) => result === '201,409')).toHaveLength(200);
    const overlaps = await query(
      'bookings',
      `SELECT 1 FROM booking_units a JOIN booking_units b ON a.unit_id = b.unit_id AND a.during && b.during
       AND a.ctid <> b.ctid WHERE a.status IN ('held', 'confirmed') AND b.status IN ('held', 'confirmed')`,
    );
    expect(overlaps).toEqual([]);
  });
});
