import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { closePages, enterAs, fillCard, launch, openBrowser, picture } from '../src/browser.ts';
import { listTool } from '../src/people.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
beforeAll(async () => {
  browser = await launch();
  world = await createWorld();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const takePhone = async (who: 'owner' | 'renter' | 'admin' | 'visitor', start: string) => {
  const visitor = await openBrowser(browser, { touch: 390 });
  if (who !== 'visitor') await enterAs(visitor, world.people[who]);
  await visitor.goTo(start);
  const { page } = visitor;
  let taps = 0;
  const tap = (target: Locator): Promise<void> => {
    taps++;
    return target.tap();
  };
  return {
    page,
    tap,
    press: (name: string | RegExp) => tap(page.getByRole('button', { name }).last()),
    follow: (name: string | RegExp) => tap(page.getByRole('link', { name }).last()),
    /** Types into a field. Counts as one tap, the one on the field. */
    async type(label: string | RegExp, text: string) {
      const field = page.getByLabel(label).last();
      await tap(field);
      await field.fill(text);
    },
    /** Chooses a radio button, which is hidden behind its picture. Counts as one tap. */
    choose(name: string) {
      taps++;
      return page.getByRole('radio', { name, exact: true }).check();
    },
    count: () => taps,
  };
};

describe('the site on a phone', () => {
  it('takes 8 taps to find a drill and book it for tomorrow', async () => {
    const name = `Impact wrench ${Date.now()}`;
    await listTool(world.people.owner, { name });
    const { page, count, press, follow } = await takePhone('renter', '/user/user-dashboard');

    await press(/^What do you need/);
    // The sheet focuses the field for the words.
    await page.locator('[type="search"]:focus').fill(name);
    await press('Tomorrow');
    await press('Show tools');
    await follow(name);
    await press('Continue');
    await press('ADD TO CART');
    await page.waitForURL('**/user/cart');
    await fillCard(page, '4242424242424242');
    await press(/^PAY/);
    await page.waitForURL('**/user/rental-booking-success');

    // The card fields take only one tap more, because the focus advances by itself.
    expect(count() + 1).toBe(8);
  });

  it('takes a new visitor 13 taps to find a washer, sign up and book it for tomorrow', async () => {
    const name = `Pressure washer ${Date.now()}`;
    await listTool(world.people.owner, { name });
    const { page, count, type, press, follow } = await takePhone('visitor', '/');

    await press(/^What do you need/);
    await page.locator('[type="search"]:focus').fill(name);
    await press('Tomorrow');
    await press('Show tools');
    await follow(name);
    await press('Continue');
    await press('ADD TO CART');
    // The dialog focuses its first field.
    await page.getByLabel('First name').and(page.locator(':focus')).fill('Nora');
    await type('Last name', 'Newman');
    await type('Email', `nora.${Date.now()}@lendtools.test`);
    await type('Phone', '+1 512 555 0188');
    await type(/^Password/, `pine-cone-${Date.now()}`);
    await press('Create An Account');
    await page.waitForURL('**/user/cart');
    await fillCard(page, '4242424242424242');
    await press(/^PAY/);
    await page.waitForURL('**/user/rental-booking-success');

    // The card fields take one tap more.
    expect(count() + 1).toBe(13);
  });

  it('takes 9 taps to list a tool', async () => {
    const { page, count, tap, type, press, follow } = await takePhone(
      'owner',
      '/user/user-dashboard',
    );

    await follow('List a tool');
    // Wait for the new screen: the URL changes earlier, and the previous screen also has a field labeled with "name".
    await page.getByRole('heading', { name: 'Add New Item for rent' }).waitFor();
    await type('Name', 'Brad nailer');
    await type('Description', 'With a box of nails.');
    await tap(page.getByRole('combobox', { name: 'Category' }));
    await tap(page.getByRole('option').first());
    await type('Price', '9');
    await page.getByLabel('Cover image').setInputFiles(await picture('nailer.png', '#336699'));
    await page.getByRole('button', { name: 'Remove cover image' }).waitFor();
    await press('List this tool');
    await page.waitForURL('**/user/my-rentals');

    // The picture takes two taps more: the field, and the picture in the phone's file chooser.
    expect(count() + 2).toBe(9);
  });

  it('takes 4 taps to answer a message', async () => {
    const { page, count, tap, press, follow } = await takePhone('owner', '/user/user-dashboard');

    await follow(/^Notices/);
    await tap(page.getByRole('link', { name: /Hill/ }).first());
    const field = page.getByPlaceholder(/Reply to/);
    await tap(field);
    await field.fill('Nine is fine.');
    await press('Send');
    await page.getByText('Nine is fine.').first().waitFor();

    expect(count()).toBe(4);
  });

  it('takes 3 taps to confirm a return, and 6 to review the tool', async () => {
    const owner = await takePhone('owner', '/user/user-dashboard');
    const renter = await takePhone('renter', '/user/user-dashboard');

    await owner.follow('Bookings');
    await owner.press('Confirm Returned');
    await owner.press('Yes, it’s back');
    await owner.page.getByText(/is back\. Thank you for lending it/).waitFor();
    await renter.follow('Bookings');
    await renter.follow('Renting');
    await renter.follow(/Details/);
    await renter.choose('4 stars');
    await renter.type('Your review', 'Strong drill.');
    await renter.press('Send a review');

    expect([owner.count(), renter.count()]).toEqual([3, 6]);
  });

  it("takes an admin 3 taps to find a user's booking", async () => {
    const { page, count, tap, follow } = await takePhone('admin', '/admin/admin-dashboard');

    await follow('All Users');
    const search = page.getByPlaceholder('Name or email');
    await tap(search);
    await search.fill(world.people.renter.email);
    await page
      .getByText('1 found')
      .or(page.getByText(/^1 in total/))
      .waitFor();
    await follow(/Details/);
    await page.getByText(world.bookingCode).first().waitFor();

    expect(count()).toBe(3);
  });

  it('takes an admin 6 taps to refund a booking by its code', async () => {
    const { page, count, tap, type, press } = await takePhone('admin', '/admin/admin-dashboard');

    await type('Search everything', world.bookingCode);
    await page.keyboard.press('Enter');
    await press('Refund');
    await type('Reason', 'The drill did not start.');
    await tap(page.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }));
    await press(/^Yes, refund/);
    await page.getByText(/goes back to Rene’s card\.$/).waitFor();

    // The keyboard's search key takes one tap more.
    expect(count() + 1).toBe(6);
  });
});
