import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { listTool, newPerson, type Person } from '../src/people.ts';

let browser: Browser;
let toolId: string;
let renter: Person;
beforeAll(async () => {
  browser = await launch();
  const owner = await newPerson({ first_name: 'Olive' });
  toolId = await listTool(owner, { name: 'Tile saw', quantity: 2 });
  renter = await newPerson({ first_name: 'Remy' });
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const folder = path.resolve('.local/screenshots');
const kept = (name: string): string =>
  readFileSync(new URL(`accessibility-trees/${name}.txt`, import.meta.url), 'utf8');

/**
 * Writes the accessibility tree to the folder of screenshots, without what screen readers skip, such as links' URLs.
 */
const hear = async (name: string, target: Locator): Promise<string> => {
  const lines = (await target.ariaSnapshot())
    .split('\n')
    .filter((line) => !/ - \/url:/.test(line))
    .map((line) => line.replace(/- (row|cell) ".*":$/, '- $1:'));
  const received = `${lines.join('\n')}\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.txt`), received);
  return received;
};

describe('the accessibility tree', () => {
  it('exposes the days of the calendar and the chosen range to screen readers', async () => {
    const { page, goTo } = await openBrowser(browser);
    // A fixed Monday in a month without a clock change keeps the page the same on every run.
    await page.clock.setFixedTime(new Date('2031-06-02T15:00:00Z'));
    await goTo(`/rental-details?id=${toolId}`);
    const form = page.getByRole('complementary', { name: 'Book this tool' });
    await form.getByRole('button', { name: 'Start date' }).click();
    await form.getByRole('button', { name: 'Thursday, June 12, 2031, free' }).waitFor();

    const month = await hear('calendar', form);
    await form.getByRole('button', { name: 'Thursday, June 12, 2031' }).click();
    await form.getByRole('button', { name: 'Saturday, June 14, 2031' }).click();
    await form.getByRole('button', { name: 'Start date' }).click();
    const range = await hear('calendar-range', form);

    expect(month).toBe(kept('calendar'));
    expect(range).toBe(kept('calendar-range'));
  });

  it('exposes the summary and the checkout to screen readers', async () => {
    const visitor = await openBrowser(browser);
    const { page, goTo } = visitor;
    await enterAs(visitor, renter);
    await page.clock.setFixedTime(new Date('2031-06-02T15:00:00Z'));
    const when = 'start_date=2031-06-12&end_date=2031-06-14&start_time=9.00 AM&end_time=9.00 AM';
    await goTo(`/user/rental-booking-summary?id=${toolId}&${when}&quantity=1`);
    await page.getByRole('button', { name: 'ADD TO CART' }).waitFor();
    const summary = await hear('summary', page.getByRole('main'));
    await page.getByRole('button', { name: 'ADD TO CART' }).click();
    await page.waitForURL('**/user/cart');
    await page.locator('input[name="cardnumber"]').waitFor();

    const checkout = await hear('checkout', page.getByRole('main'));
    expect(summary).toBe(kept('summary'));
    expect(checkout).toBe(kept('checkout'));
  });
});
