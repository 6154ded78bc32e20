import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Terms } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { closePages, enterAs, launch, openBrowser } from '../src/browser.ts';
import { api, listTool, newPerson, type Person } from '../src/people.ts';
import { buyAndCloseTheTab, daysAhead, hold, line } from '../src/purchases.ts';

let browser: Browser;
let owner: Person;
beforeAll(async () => {
  browser = await launch();
  owner = await newPerson({ first_name: 'Olive' });
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Goes to the day's month if it is not shown: to the previous month if that is possible, otherwise to the next. */
const dayIn = async (page: Page, days: number) => {
  const date = new Date(daysAhead(days));
  const name = date.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
  const day = page.getByRole('button', { name: new RegExp(`^${name}`) });
  const [previous, next] = [
    page.getByRole('button', { name: 'Previous month' }),
    page.getByRole('button', { name: 'Next month' }),
  ];
  await next.waitFor();
  if ((await day.count()) === 0) await ((await previous.isEnabled()) ? previous : next).click();
  return day;
};

/** Returns the first of two consecutive days in one month, because a phone shows only one month. */
const startOfPair = (days: number): number => {
  const [first, second] = [daysAhead(days), daysAhead(days + 1)].map((day) => day.slice(0, 7));
  return first === second ? days : days + 1;
};

const toolWith = (terms: Terms, more: object = {}) =>
  listTool(owner, { terms: JSON.stringify(terms), ...more });

const sizes = [
  ['a desk', {}],
  ['a phone', { touch: 390 }],
] as const;

describe.each(sizes)('the site (%s)', (size, options) => {
  it('offers only free days, and disables a day on an open page once another renter books it', async () => {
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
    // A rental may end on the morning of the day on which the next one starts.
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
    await waitFor('the day to be disabled', () => free.isDisabled());
    expect(await free.getAttribute('aria-label')).toMatch(/taken$/);
    await shoot(`availability-gone-${size.slice(2)}`);
    expect(complaints).toEqual([]);
  });

  it('disables days on a renter’s open page when the owner blocks them', async () => {
    const toolId = await toolWith({}, { name: 'Trestle' });
    const renter = await openBrowser(browser, options);
    await renter.goTo(`/rental-details?id=${toolId}`);
    await renter.page
      .getByRole('button', { name: size === 'a phone' ? 'Choose dates' : /^Start date/ })
      .click();
    const from = startOfPair(5);
    const [seen, last] = [await dayIn(renter.page, from), await dayIn(renter.page, from + 1)];
    await waitFor('the calendar', async () =>
      (await seen.getAttribute('aria-label'))?.endsWith('free'),
    );

    const visitor = await openBrowser(browser, options);
    await enterAs(visitor, owner);
    const { page, goTo, shoot, complaints } = visitor;
    await goTo(`/user/my-tool-details?id=${toolId}`);
    await page.getByRole('button', { name: 'Availability and terms' }).click();
    await page.getByRole('button', { name: 'Block days' }).click();
    await (await dayIn(page, from)).click();
    await (await dayIn(page, from + 1)).click();
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
      'the days to be disabled',
      async () => (await seen.isDisabled()) && (await last.isDisabled()),
    );
    expect(await seen.getAttribute('aria-label')).toMatch(/not lent on this day$/);
    expect([...complaints, ...renter.complaints]).toEqual([]);
  });

  it('shows bookings in My Calendar, where the owner can block days so that nobody can book them', async () => {
    const host = await newPerson({ first_name: 'Hana' });
    const named = (name: string) =>
      listTool(host, { name, terms: JSON.stringify({ staysListed: true }) });
    const [saw, jack] = [await named('Table saw'), await named('Floor jack')];
    const renter = await newPerson({ first_name: 'Remy' });
    const from = startOfPair(2);
    await buyAndCloseTheTab(renter, [line(saw, from, from + 2)]);
    const visitor = await openBrowser(browser, options);
    const { page, goTo, shoot, complaints } = visitor;
    await enterAs(visitor, host);
    await goTo('/user/my-rentals');
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    // A phone shows all tools too, and both sizes show the next days at once.
    const dayOf = (name: string, days: number) =>
      page.getByRole('group', { name }).locator(`[data-day="${daysAhead(days)}"]`);
    const taken = dayOf('Table saw', from);
    await waitFor('the booking, live', async () =>
      /booked by Remy/.test(`${await taken.getAttribute('aria-label')}`),
    );
    const stay = page.getByRole('group', { name: 'Table saw' }).getByText('Remy');
    expect(await stay.count()).toBe(1);
    expect(await page.getByRole('link', { name: /^Remy .* Table saw/ }).isVisible()).toBe(true);

    const first = dayOf('Floor jack', from);
    const last = dayOf('Floor jack', from + 1);
    if (size === 'a phone') {
      const before = await first.boundingBox();
      await first.tap();
      expect(await first.boundingBox()).toEqual(before);
      await last.tap();
    } else {
      await first.dragTo(last);
    }

    await waitFor('the blocked days', async () =>
      /blocked$/.test(`${await last.getAttribute('aria-label')}`),
    );
    await shoot(`my-calendar-${size.slice(2)}`);
    const requested = `/api/rentals/${jack}/availability?from=${daysAhead(from)}&to=${daysAhead(from + 2)}`;
    const reasons = async () =>
      (await api().get(requested)).body.availability.days.map(({ why }: { why: string }) => why);
    await waitFor(
      'the days to be disabled',
      async () => (await reasons()).join() === 'blocked,blocked,',
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitFor('the days to be free', async () => (await reasons()).join() === ',,');
    expect(await findFaultsByDayAndNight(page)).toEqual([]);
    await shoot(`my-calendar-dark-${size.slice(2)}`);
    expect(complaints).toEqual([]);
  });

  it('finds tools that are free on the chosen days, and suggests the nearest free days if there are none', async () => {
    const word = `Zoetrope${randomInt(1e9)}`;
    const [taken, free] = [
      await toolWith({ staysListed: true }, { name: `${word} one` }),
      await toolWith({ staysListed: true }, { name: `${word} two` }),
    ];
    const other = await newPerson();
    await hold(other, [line(taken, 4, 6)]);
    const { page, goTo, shoot, complaints } = await openBrowser(browser, options);
    await goTo(`/home?q=${word}`);
    const cards = page.getByRole('article');
    await waitFor('both tools', async () => (await cards.count()) === 2);

    const opener = size === 'a phone' ? new RegExp(`^${word}`) : /^When/;
    await page.getByRole('button', { name: opener }).click();
    await page.getByRole('button', { name: 'Pick days' }).click();
    await (await dayIn(page, 4)).click();
    await shoot(`free-dates-calendar-${size.slice(2)}`);
    await (await dayIn(page, 6)).click();
    await page.getByRole('button', { name: 'Show tools' }).click();

    await waitFor('only the free tool', async () => (await cards.count()) === 1);
    await shoot(`free-dates-${size.slice(2)}`);
    await page.getByRole('link', { name: `${word} two` }).click();
    await page.waitForURL(
      `**/rental-details?id=${free}&start_date=${daysAhead(4)}&end_date=${daysAhead(6)}`,
    );
    await page.goBack();
    await hold(await newPerson(), [line(free, 4, 6)]);
    const requested = `q=${word}&from=${daysAhead(4)}&to=${daysAhead(5)}`;
    await waitFor('no tool to be free', async () => {
      const { body } = await api().get(`/api/all-rentals?${requested}`);
      return body.rentals.length === 0;
    });
    await page.reload();
    await page.getByText(/^Nothing for .* is free on /).waitFor();
    await page.getByRole('button', { name: 'Any day' }).last().waitFor();
    await shoot(`free-dates-none-${size.slice(2)}`);
    await page.getByRole('main').getByRole('button', { name: / – / }).last().click();
    await waitFor('both tools on other days', async () => (await cards.count()) === 2);
    expect(complaints).toEqual([]);
  });
});
