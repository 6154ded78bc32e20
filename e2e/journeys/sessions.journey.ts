import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { admin, api, newPerson, type Person } from '../src/people.ts';

let browser: Browser;
let member: Person;
let boss: Person;
beforeAll(async () => {
  browser = await launch();
  [member, boss] = await Promise.all([newPerson({ first_name: 'Nina' }), admin()]);
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const enter = async (person: Person): Promise<Visitor> => {
  const visitor = await openBrowser(browser);
  await enterAs(visitor, person);
  return visitor;
};

const pathOf = (page: Page) => page.url().replace(new URL(page.url()).origin, '');

const logOutByMenu = async (page: Page) => {
  await page.locator('header').getByRole('button', { name: 'Nina' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
};

const follow = (page: Page): string[] => {
  const went: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && went.push(pathOf(page)));
  return went;
};

const expectToLandOn = async (page: Page, went: string[], target: string) => {
  await waitFor(`the redirect to ${target}`, () => went.at(-1) === target);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitFor('the stored session to be removed', () =>
    page.evaluate(() => !Object.values(localStorage).join().includes('@')),
  );
  expect(new Set(went)).toEqual(new Set([target]));
};

describe('logging out', () => {
  it.each(['/user/user-dashboard', '/user/cart', '/user/my-profile', '/how-it-works'])(
    'redirects from %s to /',
    async (path) => {
      const { page, goTo, complaints } = await enter(member);
      await goTo(path);
      await page.getByRole('heading', { level: 1 }).waitFor();

      const went = follow(page);
      await logOutByMenu(page);

      await expectToLandOn(page, went, '/');
      expect(complaints).toEqual([]);
    },
  );

  it.each(['/admin/all-rental-bookings'])('redirects from %s to /user/login', async (path) => {
    const { page, goTo } = await enter(boss);
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).waitFor();

    const went = follow(page);
    await page.getByRole('button', { name: 'Log Out' }).click();

    await expectToLandOn(page, went, '/user/login');
  });

  it('logs out all tabs of a browser, and redirects them to /', async () => {
    const { page, goTo, context } = await enter(member);
    await goTo('/user/user-dashboard');
    const other = await context.newPage();
    await other.goto(new URL('/user/my-bookings', page.url()).toString());
    await other.getByRole('heading', { level: 1 }).waitFor();

    const [went, otherWent] = [follow(page), follow(other)];
    await logOutByMenu(page);

    await expectToLandOn(page, went, '/');
    await expectToLandOn(other, otherWent, '/');
  });
});

describe('a page whose session was ended outside the app', () => {
  it('redirects to the login page, with the path to return to', async () => {
    const { page, goTo } = await enter(member);
    await goTo('/user/my-rentals');
    await page.getByRole('heading', { level: 1 }).waitFor();

    // This call bypasses the app, so the page does not notice the logout.
    await page.request.post(new URL('/api/logout', page.url()).toString(), {
      headers: { 'x-requested-with': 'lendtools' },
      data: {},
    });

    await page.waitForURL('**/user-login?next=%2Fuser%2Fmy-rentals');
  });
});

describe('changing the password', () => {
  it('keeps two tabs logged in and on their pages when the password changes ten times', async () => {
    const person = await newPerson({ first_name: 'Nina' });
    const { page, goTo, settle, context } = await enter(person);
    const other = await context.newPage();
    await other.goto(new URL('/user/my-bookings', page.url()).toString());
    await other.getByRole('heading', { level: 1 }).waitFor();

    let current = person.password;
    for (let i = 1; i <= 10; i++) {
      await goTo('/user/user-reset-password');
      await page.getByLabel('Current password').fill(current);
      current = `a pine cone, number ${i}`;
      await page.getByLabel('New password').fill(current);
      await page.getByRole('main').getByRole('button', { name: 'Reset Password' }).click();
      await page.waitForURL('**/user/my-profile');
      await settle();
      expect([pathOf(page), pathOf(other)]).toEqual(['/user/my-profile', '/user/my-bookings']);
    }
    expect(await page.getByLabel('First name').inputValue()).toBe('Nina');
  });
});

describe('a category', () => {
  it('appears in all open selects and tables once added, and disappears once deleted', async () => {
    const name = `Hoists ${Date.now()}`;
    const visitor = await openBrowser(browser);
    await visitor.goTo('/');
    const table = await enter(boss);
    await table.goTo('/admin/all-rental-categories');
    const form = await enter(member);
    await form.goTo('/user/add-rental');
    const select = form.page.getByRole('combobox', { name: 'Category' });
    await select.click();
    await visitor.page.getByRole('button', { name: 'Filters' }).click();
    await visitor.page.getByRole('combobox', { name: 'Category' }).waitFor();
    await visitor.settle();

    const { body } = await api().post('/api/add-rentals-main-category', {
      token: boss.token,
      body: { name },
    });
    const since = Date.now();
    await Promise.all([
      visitor.page.getByRole('option', { name }).waitFor({ state: 'attached' }),
      form.page.getByRole('option', { name }).waitFor({ state: 'attached' }),
      table.page.getByText(name).first().waitFor(),
    ]);
    process.stdout.write(
      `all three pages showed the new category after ${Date.now() - since} ms\n`,
    );

    await api().delete(`/api/category/delete-category/${body.category.id}`, { token: boss.token });
    await visitor.page.getByRole('option', { name }).waitFor({ state: 'detached' });
    await table.page.getByText(name).first().waitFor({ state: 'detached' });
  });
});
