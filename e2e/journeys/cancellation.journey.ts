import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CancellationPolicy } from '@lendtools/contracts/cancellation';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { mailsTo, query } from '../src/marketplace.ts';
import { api, listTool, newVerifiedPerson, type Person } from '../src/people.ts';
import { bookingsOf, buyAndCloseTheTab, intentIdOf, line, stripe } from '../src/purchases.ts';

let browser: Browser;
let owner: Person;
beforeAll(async () => {
  browser = await launch();
  owner = await newVerifiedPerson({ first_name: 'Olive' });
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Books three days for $75.00, starting in thirty days. */
const book = async (policy: CancellationPolicy | undefined) => {
  const terms = { staysListed: true, cancellation: policy };
  const toolId = await listTool(owner, {
    price: 25,
    terms: JSON.stringify(terms),
    name: 'Scaffold',
  });
  const renter = await newVerifiedPerson({ first_name: 'Rhea' });
  const { clientSecret, codes } = await buyAndCloseTheTab(renter, [line(toolId, 30, 33)]);
  await waitFor('the booking', async () => (await bookingsOf(renter)).length > 0);
  const [{ id }] = await bookingsOf(renter);
  return {
    toolId,
    renter,
    id: String(id),
    code: codes[0] as string,
    intent: intentIdOf(clientSecret),
  };
};

/**
 * Moves a booking's start to some hours from now. Backdates its payment by thirty days, because a recently paid booking
 * can be cancelled with a full refund.
 */
const letComeNear = (id: string, hours: number) =>
  query(
    'bookings',
    `UPDATE bookings SET starts_at = now() + $2 * interval '1 hour',
       ends_at = now() + ($2 + 72) * interval '1 hour', booked_at = now() - interval '30 days' WHERE id = $1`,
    [id, hours],
  );

const refundedAtStripe = async (intent: string): Promise<number> => {
  const { data } = await stripe().refunds.list({ payment_intent: intent });
  return data.reduce((sum, { amount }) => sum + amount, 0);
};

const daysBefore = (days: number) => days * 24;

/** Cancellations before and after each policy's deadlines, far enough from them to work at any time of day. */
const cases = [
  [undefined, daysBefore(0) + 2, 7_500],
  ['flexible', daysBefore(3), 7_500],
  ['flexible', daysBefore(0) + 2, 3_750],
  ['moderate', daysBefore(7), 7_500],
  ['moderate', daysBefore(3), 3_750],
  ['moderate', daysBefore(0) + 2, 0],
  ['strict', daysBefore(9), 3_750],
  ['strict', daysBefore(6), 0],
] as const;

describe('a cancellation by the renter', () => {
  it.each(cases)(
    'refunds, under the policy %s and %d hours before the start, %d cents at Stripe',
    async (policy, hours, cents) => {
      const { renter, id, intent } = await book(policy);
      await letComeNear(id, hours);
      const requested = `/api/rentalBookings/${id}/cancel-preview`;
      const { preview } = (await api().get(requested, renter)).body;

      const { status } = await api().post(
        `/api/user/${renter.id}/rentalBookings/cancel-booking/${id}`,
        { token: renter.token, body: { refundCents: preview.refundCents } },
      );

      expect(status).toBe(200);
      expect(preview).toMatchObject({ refundCents: cents, keptCents: 7_500 - cents });
      if (cents > 0)
        await waitFor('the refund', async () => (await refundedAtStripe(intent)) === cents);
      expect(await refundedAtStripe(intent)).toBe(cents);
      const [booking] = await bookingsOf(renter);
      expect(booking.cancellation.refund).toBe(cents / 100);
    },
  );
});

const sizes = [
  ['a desk', {}],
  ['a phone', { touch: 390 }],
  ['a phone at night', { touch: 390, dark: true }],
] as const;

describe.each(sizes)('a cancellation policy (%s)', (size, options) => {
  const shot = size.replaceAll(' ', '-').slice(2);

  it('is shown before the payment, and leads to exactly the refund that the dialog shows', async () => {
    const { renter, id, toolId, intent } = await book('moderate');
    await letComeNear(id, daysBefore(3));
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, renter);
    const { page, goTo, shoot, complaints } = visitor;
    await goTo(`/user/rental-details?id=${toolId}`);
    const words = 'Full refund until 5 days before the start, 50% until 1 day before the start';
    await page.getByText('Cancellation: moderate').scrollIntoViewIfNeeded();
    await page.getByText(words).first().waitFor();
    await shoot(`cancellation-tool-${shot}`);

    await goTo(`/user/my-rental-history-details?id=${id}`);
    await page.getByText(/^50% refund until the end of .*, then nothing\.$/).waitFor();
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await dialog.getByText('You get $37.50 back to your card.').waitFor();
    await shoot(`cancellation-question-${shot}`);
    // Move the start while the dialog is open, so that the last deadline of the policy passes.
    await letComeNear(id, 2);
    await dialog.getByRole('button', { name: 'Cancel booking' }).click();
    await dialog
      .getByText('This has changed in the meantime. Nothing goes back to your card.')
      .waitFor();
    await shoot(`cancellation-changed-${shot}`);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    expect((await bookingsOf(renter))[0].booking_status).toBe('Booked');

    await letComeNear(id, daysBefore(3));
    await page.getByRole('button', { name: 'Cancel booking' }).click();
    await dialog.getByText('You get $37.50 back to your card.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel booking' }).click();
    await page.getByText(/By the cancellation policy, \$37\.50 stays with Olive/).waitFor();
    await waitFor('the refund', async () => (await refundedAtStripe(intent)) === 3_750);
    await shoot(`cancellation-done-${shot}`);
    expect(complaints).toEqual([]);
  });

  it('is shown to a new renter in the booking summary', async () => {
    const toolId = await listTool(owner, { terms: JSON.stringify({ staysListed: true }) });
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, owner);
    const { page, goTo, shoot, complaints } = visitor;
    await goTo(`/user/my-tool-details?id=${toolId}`);
    await page.getByRole('button', { name: 'Availability and terms' }).click();
    const choice = page.getByLabel('Cancellation by the renter');
    await choice.selectOption('Strict');
    await page.getByText(/^50% refund until 7 days before the start, then nothing/).waitFor();
    await choice.scrollIntoViewIfNeeded();
    await shoot(`cancellation-terms-${shot}`);
    await page.getByRole('button', { name: 'Update tool' }).click();
    await page.waitForURL('**/user/my-rentals');

    const renter = await openBrowser(browser, options);
    const { start_date, end_date } = line(toolId, 30, 33);
    await renter.goTo(
      `/rental-booking-summary?id=${toolId}&start_date=${start_date}&end_date=${end_date}&quantity=1`,
    );
    await renter.page.getByText(/^50% refund until the end of .*, then nothing\. Within/).waitFor();
    await renter.shoot(`cancellation-summary-${shot}`);
    expect([...complaints, ...renter.complaints]).toEqual([]);
  });
});

it('emails the policy when a tool is booked, and the refund when the booking is cancelled', async () => {
  const { renter, id, code } = await book('flexible');
  await letComeNear(id, 2);

  await api().post(`/api/user/${renter.id}/rentalBookings/cancel-booking/${id}`, {
    token: renter.token,
    body: {},
  });

  const textOf = (subject: string) =>
    waitFor(`the email ${subject}`, async () =>
      (await mailsTo(renter.email)).find((mail) => mail.subject.includes(subject)),
    ).then(({ text }) => text.replace(/\s+/g, ' '));
  expect(await textOf('You booked Scaffold')).toMatch(
    /If you cancel: Full refund until the end of \w{3}, \w{3} \d+ \(C[SD]T\), then 50%\./,
  );
  expect(await textOf(`Cancelled: Scaffold, ${code}`)).toContain(
    '$37.50 will go back to your card. By its cancellation policy, the rest stays with the owner.',
  );
});
