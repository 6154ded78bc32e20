import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { closePages, launch, openBrowser } from '../src/browser.ts';
import { keyboardOf } from '../src/keyboard.ts';
import { listTool, newPerson } from '../src/people.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const dayName = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', { dateStyle: 'full' });

/** Returns the focused element's tag, or undefined if the focus was lost, for example because a button was removed. */
const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === document.body ? undefined : activeElement?.tagName;
  });

const card = { cardnumber: '4242424242424242', 'exp-date': '1234', cvc: '123', postal: '78701' };

describe('the site without a mouse', () => {
  it('lets a renter find, book, pay for and cancel a rental by keyboard alone', async () => {
    const name = `Rotary hammer ${Date.now()}`;
    await listTool(await newPerson(), { name });
    const renter = await newPerson();
    const { page, goTo, complaints, shoot } = await openBrowser(browser);
    const { reach, press, type, pressDay } = keyboardOf(page);
    const button = (label: string | RegExp) => page.getByRole('button', { name: label });

    await goTo('/');
    await type(page.getByLabel('Search tools by name'), name);
    await press(page.getByRole('link', { name }));
    await press(button('Start date'));
    for (const days of [2, 4]) {
      const day = page.getByRole('button', { name: dayName(days) });
      await button('Next month').waitFor();
      if ((await day.count()) === 0) await press(button('Next month'));
      await pressDay(dayName(days));
    }
    await press(button('Proceed To Booking'));
    await press(button('ADD TO CART'));
    const account = page.getByRole('dialog', { name: 'Sign up or log in' });
    await account.getByLabel('First name').and(page.locator(':focus')).waitFor();
    // The choice between sign-up and login is above the first field.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await type(account.getByLabel('Email'), renter.email);
    await type(account.getByRole('textbox', { name: /^Password/ }), renter.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/user/cart');
    await press(button(/^Edit/));
    const startTime = page.getByLabel('Start time');
    await reach(startTime);
    const usual = await startTime.inputValue();
    await page.keyboard.press('ArrowDown');
    expect(await startTime.inputValue()).not.toBe(usual);
    await press(button('Save'));
    await startTime.waitFor({ state: 'hidden' });
    for (const [field, text] of Object.entries(card)) {
      await type(page.locator(`input[name="${field}"]`), text);
    }
    await shoot('keyboard-card');
    await press(button(/^PAY/));
    await page.waitForURL('**/user/rental-booking-success');
    await page.getByRole('heading', { name: 'Congratulations!' }).waitFor();

    await press(page.getByRole('main').getByRole('link', { name: 'My Rental History' }));
    await press(page.getByRole('link', { name: `Details of ${name}` }));
    const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel booking' });
    await press(cancel);
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await waitFor('the focus on a button', () => focused(page).then((tag) => tag === 'BUTTON'));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await waitFor('the focus on its button', () =>
      cancel.evaluate((element) => element === document.activeElement),
    );
    await page.keyboard.press('Enter');
    await press(dialog.getByRole('button', { name: 'Cancel booking' }));
    await page.getByText(/^Cancelled by you/).waitFor();
    await cancel.waitFor({ state: 'hidden' });
    await shoot('keyboard-cancelled');

    await waitFor('the focus to be on an element', () => focused(page).then(Boolean));
    expect(complaints).toEqual([]);
  });
});
