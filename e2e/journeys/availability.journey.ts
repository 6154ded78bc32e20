import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { enterAs, launch, openBrowser, shootAll } from '../src/browser.ts';
import { listTool, newPerson, type Person } from '../src/people.ts';
import { daysAhead, hold, line } from '../src/purchases.ts';

let browser: Browser;
let owner: Person;
beforeAll(async () => {
  browser = await launch();
  owner = await newPerson({ first_name: 'Olive' });
});
afterEach(() => shootAll(browser));
afterAll(() => browser.close());

/** A day of the calendar; the month is turned until it is there. */
const dayIn = async (page: Page, days: number) => {
  const date = new Date(daysAhead(days));
  const name = date.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
  const day = page.getByRole('button', { name: new RegExp(`^${name}`) });
  const next = page.getByRole('button', { name: 'Next month' });
  await next.waitFor();
  if ((await day.count()) === 0) await next.click();
  return day;
};

const toolWith = (terms: Terms, more: object = {}) =>
  listTool(owner, { terms: JSON.stringify(terms), ...more });

const sizes = [
  ['a desk', {}],
  ['a phone', { touch: 390 }],
] as const;

describe.each(sizes)('at %s', (size, options) => {
  it('chooses free days around taken ones, and sees others go as it looks', async () => {
    const terms: Terms = {
      discounts: [{ days: 3, percent: 10 }],
      longest: 14,
      hours: { sunday: { from: '09:00', to: '12:00' } },
    };
    const toolId = await toolWith(terms, { name: 'Scaffold' });
    const other = await newPerson();
    await hold(other, [line(toolId, 6, 8)]);
    const { page, goTo, shoot, complaints } = await openBrowser(browser, options);
    await goTo(`/rental-details?id=${toolId}`);
    await page
      .getByRole('button', { name: size === 'a phone' ? 'Choose dates' : /^Start date/ })
      .click();

    const taken = await dayIn(page, 6);
    await waitFor('the calendar', async () =>
      /taken/.test(`${await taken.getAttribute('aria-label')}`),
    );
    expect(await taken.isDisabled()).toBe(true);
    await shoot(`availability-start-${size.slice(2)}`);
    await (await dayIn(page, 3)).click();
    expect(await (await dayIn(page, 7)).isDisabled()).toBe(true);
    // It may come back on the morning of the day on which it is taken.
    expect(await (await dayIn(page, 6)).isEnabled()).toBe(true);
    await shoot(`availability-end-${size.slice(2)}`);
    await (await dayIn(page, 6)).click();
    await page.getByText('10% off for a longer rental').waitFor();
    await page.getByText('−$3.75').waitFor();
    await shoot(`availability-chosen-${size.slice(2)}`);

    await page.getByRole('button', { name: /^Start date/ }).click();
    const free = await dayIn(page, 12);
    expect(await free.isEnabled()).toBe(true);
    await hold(await newPerson(), [line(toolId, 12, 14)]);
    await waitFor('the day to go', () => free.isDisabled());
    expect(await free.getAttribute('aria-label')).toMatch(/taken$/);
    await shoot(`availability-gone-${size.slice(2)}`);
    expect(complaints).toEqual([]);
  });

  it('blocks days as the owner, and a renter who looks sees them go', async () => {
    const toolId = await toolWith({}, { name: 'Trestle' });
    const renter = await openBrowser(browser, options);
    await renter.goTo(`/rental-details?id=${toolId}`);
    await renter.page
      .getByRole('button', { name: size === 'a phone' ? 'Choose dates' : /^Start date/ })
      .click();
    const [seen, last] = [await dayIn(renter.page, 5), await dayIn(renter.page, 6)];
    await waitFor('the calendar', async () =>
      (await seen.getAttribute('aria-label'))?.endsWith('free'),
    );

    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, owner);
    const { page, goTo, shoot, complaints } = visitor;
    await goTo(`/user/my-tool-details?id=${toolId}`);
    await page.getByRole('button', { name: 'Availability and terms' }).click();
    await page.getByRole('button', { name: 'Block days' }).click();
    await (await dayIn(page, 5)).click();
    await (await dayIn(page, 6)).click();
    await page.getByPlaceholder('Note (optional)').fill('At my sister’s');
    await page.getByLabel('Sunday', { exact: true }).selectOption('Closed');
    await page.getByLabel('Saturday', { exact: true }).selectOption('From … to …');
    await page.getByLabel('From 7 days').fill('10');
    await page.getByRole('button', { name: 'Block days' }).scrollIntoViewIfNeeded();
    await shoot(`terms-${size.slice(2)}`);
    await page.getByLabel('From 7 days').scrollIntoViewIfNeeded();
    await shoot(`terms-more-${size.slice(2)}`);
    await page.getByRole('button', { name: 'Update tool' }).click();
    await page.waitForURL('**/user/my-rentals');

    await waitFor(
      'the days to go',
      async () => (await seen.isDisabled()) && (await last.isDisabled()),
    );
    expect(await seen.getAttribute('aria-label')).toMatch(/not lent on this day$/);
    expect([...complaints, ...renter.complaints]).toEqual([]);
  });
});
