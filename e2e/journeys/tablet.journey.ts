import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findOverlaps } from '../screens/overlaps.ts';
import { findScreenFaults } from '../screens/screen-faults.ts';
import {
  closePages,
  enterAs,
  fillCard,
  launch,
  openBrowser,
  pickDates,
  type Visitor,
} from '../src/browser.ts';
import { listTool, newPerson, type Person } from '../src/people.ts';
import { letItBegin } from '../src/purchases.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const takeTablet = async (person: Person): Promise<Visitor & { look(): Promise<void> }> => {
  const visitor = await openBrowser(browser, { touch: 820 });
  await enterAs(visitor, person);
  const { page } = visitor;
  return {
    ...visitor,
    async look() {
      await visitor.settle();
      const what = new URL(page.url()).pathname;
      const [faults, overlaps] = [await findScreenFaults(page), await findOverlaps(page)];
      expect({ what, faults, overlaps }).toEqual({ what, faults: [], overlaps: [] });
    },
  };
};

const links = [
  'List a tool',
  'My Tools',
  'My Bookings',
  'Earnings',
  'My Rental History',
  'Settings',
];

describe('the site on a tablet of 820 px', () => {
  it('lets a renter find and book a tool, and its owner confirm the return', async () => {
    const name = `Wet saw ${Date.now()}`;
    const [olive, remy] = [
      await newPerson({ first_name: 'Olive' }),
      await newPerson({ first_name: 'Remy' }),
    ];
    await listTool(olive, { name });
    const renter = await takeTablet(remy);
    const owner = await takeTablet(olive);

    await renter.goTo('/user/user-dashboard');
    for (const link of links) {
      await renter.page.getByRole('link', { name: link }).first().waitFor();
    }
    await renter.look();
    await renter.page.getByLabel('Search tools by name').tap();
    await renter.page.keyboard.type(name);
    await renter.page.getByRole('link', { name }).tap();
    await renter.page.getByRole('heading', { name }).waitFor();
    await renter.look();
    await renter.page.getByRole('button', { name: 'Choose dates' }).tap();
    await renter.page.getByRole('button', { name: 'Next month' }).waitFor();
    await renter.look();
    await pickDates(renter.page, 1, 3);
    await renter.look();
    await renter.page.getByRole('button', { name: 'Proceed To Booking' }).tap();
    await renter.page.getByRole('button', { name: 'ADD TO CART' }).waitFor();
    await renter.look();
    await renter.page.getByRole('button', { name: 'ADD TO CART' }).tap();
    await renter.page.waitForURL('**/user/cart');
    await fillCard(renter.page, '4242424242424242');
    await renter.look();
    await renter.page.getByRole('button', { name: /^PAY/ }).tap();
    await renter.page.waitForURL('**/user/rental-booking-success');
    const code = await renter.page.getByText(/^LT[1-9]\d{5}$/).innerText();
    await renter.look();
    await renter.page.getByRole('link', { name: 'My Rental History' }).last().tap();
    await renter.page.getByText(code).first().waitFor();
    await renter.look();

    await letItBegin(code);
    await owner.goTo('/user/user-dashboard');
    await owner.page.getByRole('link', { name: 'My Bookings' }).first().tap();
    await owner.page.getByRole('button', { name: 'Confirm Returned' }).waitFor();
    await owner.look();
    await owner.page.getByRole('button', { name: 'Confirm Returned' }).tap();
    await owner.page.getByRole('checkbox', { name: /re-list/i }).waitFor();
    await owner.look();
    await owner.page.getByRole('button', { name: 'Yes, it’s back' }).tap();
    await owner.page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await owner.shoot('tablet-returned');
    await owner.look();

    expect([...owner.complaints, ...renter.complaints]).toEqual([]);
  });
});
