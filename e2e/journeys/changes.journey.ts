import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import {
  closePages,
  enterAs,
  fillCard,
  launch,
  openBrowser,
  type Visitor,
} from '../src/browser.ts';
import { violations } from '../src/invariants.ts';
import { look } from '../src/look.ts';
import { mailsTo, query } from '../src/marketplace.ts';
import { api, listTool, newPerson, newVerifiedPerson, type Person } from '../src/people.ts';
import {
  approvalOf,
  bookingsOf,
  buyAndCloseTheTab,
  intentIdOf,
  line,
  stripe,
} from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Books three days for $75.00. */
const book = async (from = 30, terms: object = { cancellation: 'moderate' }) => {
  const owner = await newVerifiedPerson({ first_name: 'Olive' });
  const toolId = await listTool(owner, {
    price: 25,
    name: 'Scaffold',
    terms: JSON.stringify({ staysListed: true, ...terms }),
  });
  const renter = await newVerifiedPerson({ first_name: 'Rhea' });
  const { clientSecret } = await buyAndCloseTheTab(renter, [line(toolId, from, from + 3)]);
  await waitFor('the booking', async () => (await bookingsOf(renter)).length > 0);
  const [{ id }] = await bookingsOf(renter);
  return { toolId, owner, renter, id: String(id), intent: intentIdOf(clientSecret) };
};

const bookOnRequest = async () => {
  const booked = await book(30, { booking: 'request' });
  const { owner, renter, id } = booked;
  const approvalId = await approvalOf(owner, id);
  await api().post(`/api/user/${owner.id}/approvals/${approvalId}/accept`, {
    token: owner.token,
    body: {},
  });
  await waitFor('the charge', async () => {
    const [{ booking_status }] = await bookingsOf(renter);
    return booking_status === 'Booked';
  });
  return booked;
};

/** Returns `captured - refunded` in cents for each charge at Stripe. */
const atStripe = async (bookingId: string): Promise<string[]> => {
  const rows = await query<{ payment_id: string }>(
    'bookings',
    'SELECT payment_id FROM allocations WHERE booking_id = $1 ORDER BY payment_id',
    [bookingId],
  );
  const intents = await query<{ intent_id: string }>(
    'payments',
    'SELECT intent_id FROM payments WHERE id = ANY($1) ORDER BY id',
    [rows.map((row) => row.payment_id)],
  );
  const sums = intents.map(async ({ intent_id }) => {
    const { data } = await stripe().charges.list({ payment_intent: intent_id });
    const paid = data.filter(({ status }) => status === 'succeeded');
    return paid.map((charge) => `${charge.amount_captured} - ${charge.amount_refunded}`);
  });
  return (await Promise.all(sums)).flat();
};

const dayName = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', { dateStyle: 'full' });

/** Picks the new end. The form for a rental that has begun shows the calendar at once, without a field to open it. */
const pickEnd = async (page: Page, days: number) => {
  const field = page.getByRole('button', { name: 'Returning date' });
  if (await field.isVisible()) await field.click();
  const day = page.getByRole('button', { name: new RegExp(`^${dayName(days)}`) });
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  if ((await day.count()) === 0) await page.getByRole('button', { name: 'Next month' }).click();
  await day.click();
};

const openChange = async ({ page, goTo }: Visitor, id: string, button: string) => {
  await goTo(`/user/my-rental-history-details?id=${id}`);
  await page.getByRole('link', { name: button }).click();
  await page.getByText(/^Booked: /).waitFor();
};

const payWith = async ({ page }: Visitor, card: string, dollars: string) => {
  await fillCard(page, card);
  await page.getByRole('button', { name: `PAY ${dollars}` }).click();
};

const mailAbout = (person: Person, subject: string) =>
  waitFor(`the email ${subject}`, async () =>
    (await mailsTo(person.email)).find((mail) => mail.subject.includes(subject)),
  ).then(({ text }) => text.replace(/\s+/g, ' '));

const sizes = [
  ['desk', {}],
  ['phone', { touch: 390 }],
  ['dark', { touch: 390, dark: true }],
] as const;

describe.each(sizes)('a change of dates (%s)', (size, options) => {
  const enter = async (renter: Person) => {
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, renter);
    return visitor;
  };

  it('charges exactly the amount shown for a longer rental, and changes nothing when the card is declined', async () => {
    const { renter, owner, id } = await book();
    const rents = await enter(renter);
    const { page, complaints } = rents;
    await openChange(rents, id, 'Change dates');
    await pickEnd(page, 35);
    await page.getByText('You pay $50.00 more.').waitFor();
    await look(rents, `change-longer-${size}`);
    await page.getByRole('button', { name: 'Pay $50.00' }).click();

    await page.getByText('To pay now').waitFor();
    await page.locator('input[name="cardnumber"]').waitFor();
    await look(rents, `change-pay-${size}`);
    await payWith(rents, '4000 0000 0000 0002', '$50.00');
    await page
      .getByText(/card was declined/i)
      .first()
      .waitFor();
    expect((await bookingsOf(renter))[0]).toMatchObject({ payment: 75, period: 3 });
    await payWith(rents, '4242 4242 4242 4242', '$50.00');

    await page.getByText(/^Before: 1 × .* for \$75\.00, then \$50\.00 more$/).waitFor();
    await look(rents, `change-done-${size}`);
    expect((await bookingsOf(renter))[0]).toMatchObject({ payment: 125, period: 5 });
    expect(await atStripe(id)).toEqual(['7500 - 0', '5000 - 0']);
    expect(await mailAbout(owner, 'Changed: Scaffold')).toContain('Rhea paid $50.00 more.');
    expect(await mailAbout(renter, 'Changed: Scaffold')).toContain('You paid $50.00 more.');
    expect(complaints).toEqual([]);
  });

  it('refunds exactly the amount shown for a shorter rental', async () => {
    const { renter, id } = await book(4);
    await query(
      'bookings',
      `UPDATE bookings SET booked_at = now() - interval '2 hours' WHERE id = $1`,
      [id],
    );
    const rents = await enter(renter);
    const { page, complaints } = rents;
    await openChange(rents, id, 'Change dates');
    await pickEnd(page, 5);
    const words =
      '$25.00 goes back to your card. By the cancellation policy, $25.00 stays with Olive.';
    await page.getByText(words).waitFor();
    await page.getByText('If you change your mind, these days are paid again.').waitFor();
    await look(rents, `change-shorter-${size}`);
    await page.getByRole('button', { name: 'Change booking' }).click();

    await page
      .getByText(
        /^Before: 1 × .* for \$75\.00, of which \$25\.00 went back and \$25\.00 stayed with Olive$/,
      )
      .waitFor();
    await page.getByText('Price now').waitFor();
    await waitFor('the refund', async () => (await atStripe(id))[0] === '7500 - 2500');
    expect(await mailAbout(renter, 'Changed: Scaffold')).toContain(words);
    expect(complaints).toEqual([]);
  });

  it('is rejected if another renter has booked the additional days meanwhile', async () => {
    const { renter, toolId, id } = await book();
    await query(
      'bookings',
      `UPDATE bookings SET starts_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    const rents = await enter(renter);
    const { page } = rents;
    await openChange(rents, id, 'Keep it longer');
    await pickEnd(page, 36);
    await page.getByText('You pay $75.00 more.').waitFor();
    await buyAndCloseTheTab(await newPerson(), [line(toolId, 35, 38)]);
    await page.getByRole('button', { name: 'Pay $75.00' }).click();

    await page
      .getByText('“Scaffold”: Somebody else has it on some of these dates. Please choose others.')
      .first()
      .waitFor();
    await look(rents, `change-refused-${size}`);
    await page.getByRole('button', { name: new RegExp(`^${dayName(36)}.*taken`) }).waitFor();
    expect((await bookingsOf(renter))[0]).toMatchObject({ payment: 75, period: 3 });
  });
});

describe.each(sizes.slice(0, 2))('a change that needs approval (%s)', (size, options) => {
  it('is charged only once if the owner declines the first request and accepts the second', async () => {
    const { owner, renter, id } = await bookOnRequest();
    const [lends, rents] = [
      await openBrowser(browser, options),
      await openBrowser(browser, options),
    ];
    await enterAs(lends, owner);
    await enterAs(rents, renter);
    await lends.goTo(`/user/my-bookings-details?id=${id}`);
    const ask = async () => {
      await rents.page.getByRole('link', { name: 'Change dates' }).click();
      await rents.page.getByText(/^Booked: /).waitFor();
      await pickEnd(rents.page, 35);
      await rents.page.getByText('You pay $50.00 more if Olive accepts.').waitFor();
    };
    const authorize = async () => {
      await rents.page.getByRole('button', { name: 'Ask Olive' }).click();
      await rents.page.getByText('You are charged only if the owner accepts.').waitFor();
      await fillCard(rents.page, '4242 4242 4242 4242');
      await rents.page.getByRole('button', { name: 'PAY $50.00' }).click();
      await rents.page.getByText(/^Waiting for Olive, until/).waitFor();
    };

    await rents.goTo(`/user/my-rental-history-details?id=${id}`);
    await ask();
    await look(rents, `change-ask-${size}`);
    await authorize();
    await look(rents, `change-waiting-${size}`);
    await lends.page.getByText(/^Rhea is waiting for your answer/).waitFor();
    await look(lends, `change-to-answer-${size}`);
    await lends.page.getByRole('button', { name: 'Decline' }).click();
    const dialog = lends.page.getByRole('dialog', { name: 'Decline this change?' });
    await dialog.waitFor();
    await look(lends, `change-decline-${size}`);
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await rents.page.getByText(/^This change was declined\./).waitFor();
    await look(rents, `change-declined-${size}`);
    expect(await atStripe(id)).toEqual(['7500 - 0']);

    await ask();
    await authorize();
    await lends.page.getByRole('button', { name: 'Accept' }).click();
    await rents.page
      .getByText(/^Before: 1 × .* for \$75\.00, then \$50\.00 more\. Accepted by Olive$/)
      .waitFor();

    expect((await bookingsOf(renter))[0]).toMatchObject({ payment: 125, period: 5 });
    expect(await atStripe(id)).toEqual(['7500 - 0', '5000 - 0']);
    expect(await mailAbout(renter, 'Changed: Scaffold')).toContain('You paid $50.00 more.');
    expect([...lends.complaints, ...rents.complaints]).toEqual([]);
    await waitFor('the invariants to hold', async () => (await violations()).length === 0);
  });
});

it('lets a renter abandon an unpaid change, pay for another, and cancel with a refund of both payments', async () => {
  const { renter, id } = await book();
  const rents = await openBrowser(browser, { touch: 390 });
  await enterAs(rents, renter);
  const { page } = rents;
  const requested = { ...line('', 30, 35), booking_code: undefined };
  const path = `/api/user/${renter.id}/rentalBookings/change-booking/${id}`;
  await api().post(path, { token: renter.token, body: requested });
  await rents.goTo(`/user/my-rental-history-details?id=${id}`);
  await page.getByText('A change is not paid yet').waitFor();
  await look(rents, 'change-open-phone');
  await page.getByRole('link', { name: 'Pay $50.00' }).click();
  await page.getByRole('button', { name: 'Keep the booking as it is' }).click();
  await page.getByText(/^Booked: /).waitFor();
  await pickEnd(page, 35);
  await page.getByRole('button', { name: 'Pay $50.00' }).click();
  await page.locator('input[name="cardnumber"]').waitFor();
  await payWith(rents, '4242 4242 4242 4242', '$50.00');
  await page.getByText(/^Before: /).waitFor();
  const cancel = `/api/user/${renter.id}/rentalBookings/cancel-booking/${id}`;
  const { body } = await api().post(cancel, { token: renter.token, body: { refundCents: 12_500 } });

  expect(body.refundCents).toBe(12_500);
  await waitFor('the refunds', async () => {
    const sums = await atStripe(id);
    return sums.join() === '7500 - 7500,5000 - 5000';
  });
  await waitFor('the invariants to hold', async () => (await violations()).length === 0);
});
