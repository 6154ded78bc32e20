import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { expectEarnings, setUpPayouts, transfersOf } from '../src/payouts.ts';
import { admin, listTool, newVerifiedPerson } from '../src/people.ts';
import { book, letItEnd, line, stripe } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const look = async ({ page, shoot, settle }: Visitor, name: string) => {
  await settle();
  await shoot(name);
  expect({ name, faults: await findFaultsByDayAndNight(page) }).toEqual({ name, faults: [] });
};

/** An owner who can be paid lends a tool for $34.00. */
const lend = async (name: string) => {
  const owner = await newVerifiedPerson({ first_name: 'Olive', last_name: `Hill ${Date.now()}` });
  await setUpPayouts(owner);
  const toolId = await listTool(owner, { price: 17, name });
  const renter = await newVerifiedPerson({ first_name: 'Rene' });
  const { id, booking_code } = await book(renter, [line(toolId)]);
  await expectEarnings(owner, { onTheWayCents: 3_060 });
  return { owner, bookingId: id, booking_code };
};

const sizes = [
  ['desk', {}],
  ['phone', { touch: 390 }],
] as const;

describe.each(sizes)('an admin (%s)', (size, options) => {
  const enter = async () => {
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, await admin());
    return { visitor, page: visitor.page };
  };

  it('sends a transfer again that was reversed in Stripe’s dashboard', async () => {
    const name = `Log splitter ${Date.now()}`;
    const { owner, bookingId, booking_code } = await lend(name);
    await letItEnd(booking_code, 50);
    await expectEarnings(owner, { transferredCents: 3_060 });
    const [first] = await transfersOf(bookingId);
    await stripe().transfers.createReversal(String(first?.id));
    await expectEarnings(owner, { transferredCents: 0, availableCents: 3_060 });
    const { visitor, page } = await enter();

    await visitor.goTo('/admin/payouts');
    const row = page.getByRole('row').filter({ hasText: booking_code });
    await row.getByText(/reversed in Stripe’s dashboard/).waitFor();
    await look(visitor, `payouts-stuck-${size}`);
    await row.getByRole('button', { name: `Try again: ${name}, ${booking_code}` }).click();
    await row.waitFor({ state: 'detached' });

    await expectEarnings(owner, { transferredCents: 3_060, availableCents: 0 });
    const transfers = await transfersOf(bookingId);
    expect(transfers.map(({ amount, reversed }) => [amount, reversed])).toEqual([
      [3_060, false],
      [3_060, true],
    ]);
    expect(visitor.complaints).toEqual([]);
  });

  it('holds an owner’s payouts, and resumes them', async () => {
    const name = `Tile saw ${Date.now()}`;
    const { owner, bookingId, booking_code } = await lend(name);
    const { visitor, page } = await enter();
    const earnings = await openBrowser(browser, options);
    await enterAs(earnings, owner);

    await visitor.goTo(`/admin/user-details?id=${owner.id}`);
    await page.getByRole('button', { name: /^Hold payouts of Olive/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Hold the payouts of Olive/ });
    await look(visitor, `payouts-hold-${size}`);
    await dialog.getByRole('button', { name: 'Hold payouts' }).click();
    await page.getByText('Ready, on hold').waitFor();
    await letItEnd(booking_code, 50);
    await expectEarnings(owner, { availableCents: 3_060 });
    await earnings.goTo('/user/earnings');
    await earnings.page.getByText(/^Your payouts are on hold: /).waitFor();
    await look(earnings, `earnings-on-hold-${size}`);

    await visitor.goTo('/admin/payouts');
    const row = page.getByRole('row').filter({ hasText: booking_code });
    await row.getByRole('button', { name: /^Resume payouts of Olive/ }).press('Enter');
    await row.waitFor({ state: 'detached' });

    await earnings.page
      .getByRole('region', { name: 'Paid', exact: true })
      .getByText('$30.60')
      .waitFor();
    await waitFor('one transfer', async () => (await transfersOf(bookingId)).length === 1);
    expect([...visitor.complaints, ...earnings.complaints]).toEqual([]);
  });
});
