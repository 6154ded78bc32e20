import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import {
  closePages,
  enterAs,
  fillCard,
  launch,
  openBrowser,
  type Visitor,
} from '../src/browser.ts';
import { violations } from '../src/invariants.ts';
import { deskAndPhone, look } from '../src/look.ts';
import { query } from '../src/marketplace.ts';
import { listTool, newVerifiedPerson, type Person } from '../src/people.ts';
import { bookingsOf, daysAhead, stripe } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const onRequest = { terms: JSON.stringify({ booking: 'request', staysListed: true }) };

const addToCart = async ({ page, goTo }: Visitor, toolId: string) => {
  const search = new URLSearchParams({
    id: toolId,
    quantity: '1',
    start_date: daysAhead(4),
    end_date: daysAhead(6),
    start_time: '9.00 AM',
    end_time: '9.00 AM',
  });
  await goTo(`/user/rental-booking-summary?${search}`);
  await page.getByRole('button', { name: 'ADD TO CART' }).click();
};

const intentsOf = async ({ id }: Person) => {
  const rows = await query<{ intent_id: string; on_request: boolean }>(
    'payments',
    'SELECT intent_id, on_request FROM payments WHERE user_id = $1 ORDER BY created_at, id',
    [id],
  );
  return Promise.all(
    rows.map(async ({ intent_id, on_request }) => {
      const { status, amount_received: received } =
        await stripe().paymentIntents.retrieve(intent_id);
      return { onRequest: on_request, status, received };
    }),
  );
};

/** A renter and two owners: Olive lends a drill at once and a saw on request, Otto a mixer on request. */
const meet = async () => {
  const [olive, otto, rene] = await Promise.all(
    ['Olive', 'Otto', 'Rene'].map((first_name) => newVerifiedPerson({ first_name })),
  );
  if (!olive || !otto || !rene) throw new Error('unreachable: three names make three people');
  const tools = await Promise.all([
    listTool(olive, { name: 'Hammer drill' }),
    listTool(olive, { name: 'Tile saw', ...onRequest }),
    listTool(otto, { name: 'Cement mixer', ...onRequest }),
  ]);
  return { olive, otto, rene, tools };
};

describe.each(deskAndPhone)(
  'a cart with two requests of two owners and one instant tool (%s)',
  (size, options) => {
    it('is paid by entering the card once; then one owner accepts and the other declines', async () => {
      const { olive, otto, rene, tools } = await meet();
      const rents = await openBrowser(browser, options);
      await enterAs(rents, rene);
      for (const toolId of tools) await addToCart(rents, toolId);

      await fillCard(rents.page, '4242424242424242');
      await rents.page.getByText('Charged if the owner accepts').waitFor();
      await look(rents, `cart-of-requests-${size}`);
      await rents.page.getByRole('button', { name: /^PAY/ }).dblclick();
      await rents.page.getByRole('heading', { name: 'Congratulations!' }).waitFor();
      await look(rents, `cart-of-requests-paid-${size}`);

      const booked: Booking[] = await bookingsOf(rene);
      expect(booked.map(({ booking_status }) => booking_status).sort()).toEqual([
        'Booked',
        'Requested',
        'Requested',
      ]);
      for (const { booking_code } of booked)
        await rents.page.getByText(booking_code).first().waitFor();
      expect(await intentsOf(rene)).toMatchObject([
        { onRequest: false, status: 'succeeded' },
        { onRequest: true, status: 'requires_capture', received: 0 },
        { onRequest: true, status: 'requires_capture', received: 0 },
      ]);

      const mixer = booked.find(({ name }) => name === 'Cement mixer');
      const ottos = await openBrowser(browser, options);
      await enterAs(ottos, otto);
      await rents.goTo(`/user/my-rental-history-details?id=${mixer?.id}`);
      await rents.page
        .getByRole('textbox', { name: 'Send a new message to the tool owner' })
        .fill('Does it run on 120 V?');
      await rents.page.getByRole('button', { name: 'Send' }).click();
      await ottos.goTo(`/user/my-bookings-details?id=${mixer?.id}`);
      await ottos.page.getByText('Does it run on 120 V?').first().waitFor();
      await look(ottos, `cart-of-requests-conversation-${size}`);
      await ottos.page.getByRole('button', { name: 'Decline' }).click();
      await ottos.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
      const olives = await openBrowser(browser, options);
      await enterAs(olives, olive);
      await olives.goTo('/user/my-bookings');
      await olives.page.getByRole('button', { name: 'Accept' }).first().click();

      await waitFor('the answers', async () => {
        const answered: Booking[] = await bookingsOf(rene);
        const statuses = answered.map((booking) => booking.booking_status);
        return statuses.sort().join() === 'Booked,Booked,Declined';
      });
      await waitFor(
        'the charge and the release',
        async () =>
          (await intentsOf(rene))
            .map(({ status }) => status)
            .sort()
            .join() === 'canceled,succeeded,succeeded',
      );
      expect([...rents.complaints, ...ottos.complaints, ...olives.complaints]).toEqual([]);
      await waitFor('the invariants to hold', async () => (await violations()).length === 0);
    });

    it('is booked in part if the bank rejects a later payment, and the saved card pays the rest', async () => {
      const { rene, tools } = await meet();
      const rents = await openBrowser(browser, options);
      await enterAs(rents, rene);
      for (const toolId of tools) await addToCart(rents, toolId);
      await fillCard(rents.page, '4000002760003184');
      await rents.page.getByRole('checkbox', { name: /^Save this card/ }).check();
      await look(rents, `cart-keeps-card-${size}`);

      await rents.page.getByRole('button', { name: /^PAY/ }).click();
      await rents.page.getByRole('button', { name: 'Complete' }).click();
      await rents.page.getByRole('button', { name: 'Fail' }).click();
      await rents.page.getByRole('heading', { name: 'Not everything went through' }).waitFor();
      await look(rents, `cart-of-requests-in-part-${size}`);
      expect(await bookingsOf(rene)).toMatchObject([{ booking_status: 'Booked' }]);

      await rents.page.reload();
      await rents.page.getByRole('link', { name: 'Pay for the rest' }).click();
      const saved = rents.page.getByRole('radio', { name: 'Visa •••• 3184' });
      await saved.and(rents.page.locator(':checked')).waitFor();
      await look(rents, `cart-saved-card-${size}`);
      await rents.page.getByRole('button', { name: /^PAY/ }).click();
      await rents.page.getByRole('button', { name: 'Complete' }).click();
      await rents.page.getByText('Asking your bank… 2 of 2').waitFor();
      await rents.page.getByRole('button', { name: 'Complete' }).click();
      await rents.page.getByRole('heading', { name: 'Requests sent' }).waitFor();

      expect((await intentsOf(rene)).map(({ status }) => status)).toEqual([
        'succeeded',
        'requires_capture',
        'requires_capture',
      ]);
      await waitFor('the invariants to hold', async () => (await violations()).length === 0);

      await rents.goTo('/user/my-profile');
      await rents.page.getByRole('button', { name: 'Remove Visa •••• 3184' }).click();
      await rents.page.getByRole('button', { name: 'Remove card' }).click();
      await rents.page.getByText(/^None yet\. When you pay/).waitFor();
      expect(rents.complaints).toEqual([]);
    });
  },
);
