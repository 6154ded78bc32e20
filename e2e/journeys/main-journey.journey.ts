import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser } from 'playwright-core';
import {
  closePages,
  expectBell,
  fillCard,
  launch,
  listToolOnScreen,
  openBrowser,
  pickDates,
  signUpOnScreen,
  type Visitor,
} from '../src/browser.ts';
import { mailsTo } from '../src/marketplace.ts';
import { anyCategory, api, listTool, newPerson, verifyEmail } from '../src/people.ts';
import { letItBegin, letItComplete } from '../src/purchases.ts';

const toolName = `Oscillating multitool ${Date.now() % 10_000}`;
const misspelt = toolName.replace('Oscillating', 'Osillatting');

let browser: Browser;

beforeAll(async () => {
  await anyCategory();
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const find = async (renter: Visitor, words: string, name: string): Promise<void> => {
  const { page } = renter;
  await renter.goTo('/user/user-dashboard');
  // A phone's search bar is one button, which opens the same sheet as "Where".
  const opener = (page.viewportSize()?.width ?? 0) < 500 ? /^What do you need/ : /^Where/;
  await page.getByRole('button', { name: opener }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Search tools by name').fill(words);
  await sheet.getByLabel('Near me').selectOption({ label: '5 miles' });
  await sheet.getByRole('button', { name: 'Show tools' }).click();
  await page.waitForURL(/[?&]q=/);
  await page.getByText(/within 5 miles/).waitFor();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name }).waitFor();
};

const addToCart = async (renter: Visitor, from: number): Promise<void> => {
  const { page } = renter;
  // On a phone, a bar at the bottom opens the form.
  const opener = page.getByRole('complementary').getByRole('button', { name: /dates|book/i });
  if ((page.viewportSize()?.width ?? 0) < 500) await opener.first().click();
  await pickDates(page, from, from + 2);
  await page.getByRole('button', { name: 'Proceed To Booking' }).click();
  await page.getByRole('button', { name: 'ADD TO CART' }).click();
  await page.waitForURL('**/user/cart');
};

describe('the site in two separate browsers', () => {
  it('lets an owner and a renter list, find, book, pay for, discuss, return and review a tool', async () => {
    const owner = await openBrowser(browser);
    const renter = await openBrowser(browser, { touch: 390 });
    const ownerMember = await signUpOnScreen(owner, { firstName: 'Olive', lastName: 'Owner' });
    await verifyEmail(ownerMember);
    await listToolOnScreen(owner, toolName);
    await owner.page.getByText(toolName).first().waitFor();
    await owner.shoot('my-tools');
    await owner.goTo('/user/my-bookings');
    const renterMember = await signUpOnScreen(renter, { firstName: 'Remy', lastName: 'Renter' });
    await verifyEmail(renterMember);

    await find(renter, misspelt, toolName);
    await renter.shoot('tool-phone');
    await addToCart(renter, 1);
    await fillCard(renter.page, '4242424242424242');
    await renter.shoot('cart-phone');
    await renter.page.getByRole('button', { name: /^PAY/ }).click();
    await renter.page.waitForURL('**/user/rental-booking-success');
    const code = await renter.page.getByText(/^LT[1-9]\d{5}$/).innerText();
    await renter.shoot('success-phone');

    // After this step the owner's page updates without a reload.
    await expectBell(owner.page);
    await owner.page.getByText(code).first().waitFor();
    await owner.shoot('my-bookings');
    await waitFor("the owner's mail", async () =>
      (await mailsTo(ownerMember.email)).some((mail) => mail.text.includes(toolName)),
    );
    await waitFor("the renter's mail", async () =>
      (await mailsTo(renterMember.email)).some((mail) => mail.text.includes(code)),
    );

    await letItBegin(code);
    await owner.page
      .getByRole('link', { name: /Details/ })
      .first()
      .click();
    await renter.page.getByRole('link', { name: 'My Rental History' }).last().click();
    await renter.page
      .getByRole('link', { name: /Details/ })
      .first()
      .click();
    await renter.page
      .getByPlaceholder('Send a new message to the tool owner')
      .fill('Shall I come at nine?');
    await renter.page.getByRole('button', { name: 'Send', exact: true }).click();
    await owner.page.getByText('Shall I come at nine?').first().waitFor();
    await owner.page.getByPlaceholder(/Reply to Remy/).fill('Nine is fine.');
    await owner.page.getByRole('button', { name: 'Send', exact: true }).click();
    await renter.page.getByText('Nine is fine.').first().waitFor();
    await renter.shoot('thread-phone');
    await owner.shoot('thread');

    // A new tool stays listed while it is booked, so no dialog offers to list it again.
    await owner.page.getByRole('button', { name: 'Confirm Returned' }).click();
    await owner.page.waitForURL('**/user/my-bookings');

    await renter.page.getByRole('radio', { name: '4 stars', exact: true }).check();
    await renter.page
      .getByRole('textbox', { name: 'Your review' })
      .fill('Strong drill, friendly owner.');
    await renter.page.getByRole('radio', { name: /Olive.*: 5 stars/ }).check();
    await renter.page.getByRole('button', { name: 'Send a review' }).click();
    await renter.page.getByText(/^It appears when you both have written/).waitFor();
    await renter.shoot('review-waits-phone');

    await letItComplete(code);
    await owner.page.reload();
    await owner.page.getByRole('link', { name: /^Review Remy/ }).click();
    await owner.page.getByText(/Remy has written one/).waitFor();
    for (const part of ['Care of the tool', 'Punctuality', 'Communication'])
      await owner.page.getByRole('radio', { name: `${part}: 5 stars` }).check();
    await owner.page.getByRole('textbox', { name: 'Your review' }).fill('Careful and punctual.');
    await owner.shoot('review-renter');
    await owner.page.getByRole('button', { name: 'Send a review' }).click();
    await owner.page.getByText('Strong drill, friendly owner.').waitFor();
    await owner.page.getByRole('textbox', { name: 'Your public reply' }).fill('Come again!');
    await owner.page.getByRole('button', { name: 'Reply in public' }).click();
    await owner.page.getByText('Come again!').first().waitFor();
    await renter.page.getByText('Careful and punctual.', { exact: true }).waitFor();
    await waitFor('the rating', async () => {
      const { rentals } = (await api().get(`/api/all-rentals?q=${encodeURIComponent(toolName)}`))
        .body;
      return rentals[0]?.rating === 4;
    });
    await renter.shoot('review-phone');

    expect(owner.complaints).toEqual([]);
    expect(renter.complaints).toEqual([]);
  });

  it("shows the payment provider's message for a declined card, and books nothing", async () => {
    const name = `Tile saw ${Date.now() % 10_000}`;
    await listTool(await newPerson(), { name });
    const renter = await openBrowser(browser);
    await signUpOnScreen(renter, { firstName: 'Dana', lastName: 'Declined' });
    await find(renter, name, name);
    await addToCart(renter, 20);

    await fillCard(renter.page, '4000000000000002');
    await renter.page.getByRole('button', { name: /^PAY/ }).click();

    await renter.page.getByText('Your card was declined.').first().waitFor();
    await renter.shoot('declined');
    await renter.goTo('/user/my-rental-history');
    await renter.page
      .getByText(/have not|nothing|no rentals|not rented/i)
      .first()
      .waitFor();
  });
});
