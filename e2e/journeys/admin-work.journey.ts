import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
beforeAll(async () => {
  browser = await launch();
  world = await createWorld(`Oak${Date.now()}`);
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const look = async ({ page, shoot, settle }: Visitor, name: string) => {
  await settle();
  await shoot(name);
  expect({ name, faults: await findFaultsByDayAndNight(page) }).toEqual({ name, faults: [] });
};

const sizes = [
  ['desk', {}],
  ['phone', { touch: 390 }],
] as const;

describe.each(sizes)('an admin (%s)', (size, options) => {
  const enter = async () => {
    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, world.people.admin);
    const { page } = visitor;
    const find = async (words: string) => {
      await page.getByRole('searchbox', { name: 'Search everything' }).fill(words);
      await page.keyboard.press('Enter');
    };
    return { visitor, page, find };
  };

  it('sees what waits on the dashboard, and goes from there to a reported problem', async () => {
    const { visitor, page } = await enter();

    await visitor.goTo('/admin/admin-dashboard');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByText(/reported problem/).waitFor();
    await page.getByRole('region', { name: 'Charged' }).waitFor();
    await look(visitor, `admin-work-${size}`);
    await waiting.getByRole('link', { name: 'Settle: reported problems' }).click();
    await page.getByRole('heading', { name: 'Problems', level: 1 }).waitFor();

    expect(visitor.complaints).toEqual([]);
  });

  it('finds a booking by its code, a user by email, a tool by its id, and a payment by Stripe’s id', async () => {
    const { visitor, page, find } = await enter();
    const { people, toolId, bookingId, bookingCode, paymentIntentId } = world;
    await visitor.goTo('/admin/admin-dashboard');

    await find(bookingCode);
    await page.waitForURL(`**/admin/booking-details?id=${bookingId}`);
    await find(people.renter.email);
    await page.waitForURL(`**/admin/user-details?id=${people.renter.id}`);
    await find(toolId);
    await page.waitForURL(`**/rental-details?id=${toolId}`);
    await visitor.goTo('/admin/admin-dashboard');
    await find(paymentIntentId);
    const bookings = page.getByRole('region', { name: 'Booking of this payment' });
    await bookings.getByRole('link', { name: new RegExp(bookingCode) }).waitFor();
    await look(visitor, `admin-search-${size}`);

    expect(visitor.complaints).toEqual([]);
  });

  it('lists tools, reviews, and who writes to whom without the texts', async () => {
    const { visitor, page } = await enter();

    await visitor.goTo(`/admin/all-tools?q=${encodeURIComponent(world.toolName)}`);
    await page.getByRole('link', { name: `See ${world.toolName}` }).waitFor();
    await look(visitor, `admin-tools-${size}`);
    await visitor.goTo('/admin/all-reviews');
    await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor();
    await look(visitor, `admin-reviews-${size}`);
    await visitor.goTo(`/admin/all-messages?userId=${world.people.renter.id}`);
    await page.getByRole('link', { name: `Booking of ${world.toolName}` }).waitFor();
    await look(visitor, `admin-messages-${size}`);

    expect(visitor.complaints).toEqual([]);
  });
});
