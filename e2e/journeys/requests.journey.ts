import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, fillCard, launch, openBrowser } from '../src/browser.ts';
import { violations } from '../src/invariants.ts';
import { look } from '../src/look.ts';
import { mailsTo, moveInTime, query } from '../src/marketplace.ts';
import { api, listTool, newPerson, newVerifiedPerson, type Person } from '../src/people.ts';
import { bookingsOf, daysAhead, line, request, stripe } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const requestedTool = (owner: Person, more: object = {}) =>
  listTool(owner, { terms: JSON.stringify({ booking: 'request', staysListed: true }), ...more });

const captured = async (bookingId: string) => {
  const [row] = await query<{ id: string }>(
    'bookings',
    'SELECT h.authorized_by AS id FROM holds h JOIN bookings b ON b.hold_id = h.id WHERE b.id = $1',
    [bookingId],
  );
  const [payment] = await query<{ intent_id: string }>(
    'payments',
    'SELECT intent_id FROM payments WHERE id = $1',
    [row?.id],
  );
  const { data } = await stripe().charges.list({ payment_intent: payment?.intent_id ?? '' });
  return data.map((charge) => charge.amount_captured);
};

const sizes = [
  ['desk', {}],
  ['phone', { touch: 390 }],
  ['dark', { touch: 390, dark: true }],
] as const;

describe.each(sizes)('a tool that its owner lends on request (%s)', (size, options) => {
  it('is paid for once if the owner declines the first request and accepts the second', async () => {
    const [owner, renter] = await Promise.all([
      newVerifiedPerson({ first_name: 'Olive' }),
      newVerifiedPerson({ first_name: 'Rene' }),
    ]);
    const toolId = await requestedTool(owner, { name: 'Tile saw' });
    const lends = await openBrowser(browser, options);
    const rents = await openBrowser(browser, options);
    await enterAs(lends, owner);
    await enterAs(rents, renter);

    const first = await request(renter, [line(toolId, 4, 6)]);
    await lends.goTo(`/user/my-bookings-details?id=${first}`);
    await rents.goTo(`/user/my-rental-history-details?id=${first}`);
    await rents.page.getByText(/Waiting for Olive, until/).waitFor();
    await look(rents, `request-waiting-${size}`);
    await lends.page.getByText(/Rene is waiting for your answer/).waitFor();
    await look(lends, `request-to-answer-${size}`);
    await lends.page.getByRole('button', { name: 'Decline' }).click();
    await lends.page.getByRole('textbox', { name: 'A note' }).fill('It is being repaired.');
    await look(lends, `request-decline-${size}`);
    await lends.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await rents.page.getByText('“It is being repaired.”', { exact: false }).first().waitFor();
    await look(rents, `request-declined-${size}`);
    expect(await captured(first)).toEqual([0]);

    const search = new URLSearchParams({
      id: toolId,
      quantity: '1',
      start_date: daysAhead(4),
      end_date: daysAhead(6),
      start_time: '9.00 AM',
      end_time: '9.00 AM',
    });
    await rents.goTo(`/user/rental-details?${search}`);
    await rents.page
      .getByText(size === 'desk' ? 'You are charged only if Olive accepts' : /accepts or declines/)
      .first()
      .waitFor();
    await rents.shoot(`request-tool-${size}`);
    await rents.goTo(`/user/rental-booking-summary?${search}`);
    await rents.page.getByRole('button', { name: 'ADD TO CART' }).click();
    await fillCard(rents.page, '4242424242424242');
    await look(rents, `request-cart-${size}`);
    await rents.page.getByRole('button', { name: /^PAY/ }).click();
    await rents.page.getByRole('heading', { name: 'Request sent' }).waitFor();
    await look(rents, `request-sent-${size}`);
    await rents.page.getByRole('link', { name: 'See your request' }).click();
    await rents.page.getByText(/Waiting for Olive, until/).waitFor();

    await lends.goTo('/user/my-bookings');
    await lends.page.getByRole('button', { name: 'Accept' }).first().waitFor();
    await look(lends, `request-list-${size}`);
    await lends.page.getByRole('button', { name: 'Accept' }).first().click();
    await rents.page.getByText('Amount paid').waitFor();
    await rents.page.getByText('Pick-up address').waitFor();
    await rents.shoot(`request-accepted-${size}`);

    const [booking] = await bookingsOf(renter);
    expect(booking).toMatchObject({ booking_status: 'Booked', authorization: 'Authorized' });
    expect(await captured(booking.id)).toEqual([Math.round(booking.payment * 100)]);
    await waitFor('the emails', async () => {
      const subjects = async (one: Person) => (await mailsTo(one.email)).map((m) => m.subject);
      const [his, hers] = [await subjects(renter), await subjects(owner)];
      return (
        hers.some((subject) => subject === 'Rene asks to rent your Tile saw') &&
        his.some((subject) => subject.startsWith('Declined: Tile saw')) &&
        his.some((subject) => subject.startsWith('You booked Tile saw'))
      );
    });
    expect([...lends.complaints, ...rents.complaints]).toEqual([]);
    await waitFor('the invariants to hold', async () => (await violations()).length === 0);
  });
});

describe('a request without an answer', () => {
  it('ends at its deadline, and its card authorization is released', async () => {
    const [owner, renter] = await Promise.all([newPerson(), newPerson()]);
    const toolId = await requestedTool(owner);
    const id = await request(renter, [line(toolId)]);

    await moveInTime('bookings', 'UPDATE approvals SET answer_by = now() WHERE booking_id = $1', [
      id,
    ]);

    await waitFor('the request to lapse', async () => {
      const [booking] = await bookingsOf(renter);
      return booking.booking_status === 'Lapsed';
    });
    await waitFor('the card to be released', async () => (await violations()).length === 0);
    expect(await captured(id)).toEqual([0]);
    const reply = await api().get(
      `/api/rentals/${toolId}/availability?from=${daysAhead(2)}&to=${daysAhead(2)}`,
    );
    expect(reply.body.availability.days[0].free).toBe(1);
  });
});
