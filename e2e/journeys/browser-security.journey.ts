import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { enterAs, launch, logInOnScreen, openBrowser, type Visitor } from '../src/browser.ts';
import { mailsTo, marketplace } from '../src/marketplace.ts';
import { api, newPerson, type Person } from '../src/people.ts';
import { createWorld, pathFor, type World } from '../src/world.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const enter = async (person: Person): Promise<Visitor> => {
  const visitor = await openBrowser(browser);
  await enterAs(visitor, person);
  return visitor;
};

describe('the marketplace', () => {
  const payload = '<img src=x onerror="xss=1">';
  let world: World;
  let categoryId: string;

  beforeAll(async () => {
    world = await createWorld(payload);
    const { owner, renter, admin } = world.people;
    const name = `${payload} ${randomUUID().slice(0, 8)}`;
    const [category] = await Promise.all([
      api().post('/api/add-rentals-main-category', { ...admin, body: { name } }),
      api().put(pathFor(world, 'updateAccount', 'owner'), { ...owner, body: { address: payload } }),
      api().post(pathFor(world, 'sendReply', 'owner'), { ...owner, body: { message: payload } }),
      api().post(pathFor(world, 'addReview', 'renter'), {
        ...renter,
        body: { rentalBooking_id: world.bookingId, rating: 4, comment: payload },
      }),
    ]);
    categoryId = category.body.category.id;
    await api().put(pathFor(world, 'updateRental', 'owner'), { ...owner, body: { categoryId } });
  });

  const shows = (page: Page, words: string): Promise<boolean> =>
    page.evaluate((text) => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
      return (
        document.body.innerText.includes(text) || fields.some(({ value }) => value.includes(text))
      );
    }, words);

  const expectOnlyText = async (visitor: Visitor, paths: string[]): Promise<void> => {
    const { page } = visitor;
    for (const each of paths) {
      await visitor.goTo(each);
      await waitFor(`the payload at ${each}`, () => shows(page, payload));
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.evaluate(() => 'xss' in window)).toBe(false);
    }
    expect(visitor.complaints).toEqual([]);
  };

  it('shows typed HTML as text to a visitor', async () => {
    const visitor = await openBrowser(browser);
    const search = encodeURIComponent('Drill <img');

    await expectOnlyText(visitor, [
      `/home?q=${search}`,
      `/home?category=${categoryId}`,
      `/rental-details?id=${world.toolId}`,
    ]);
  });

  it('shows typed HTML as text to the owner', async () => {
    await expectOnlyText(await enter(world.people.owner), [
      '/user/my-rentals',
      `/user/my-tool-details?id=${world.toolId}`,
      '/user/my-bookings',
      `/user/my-bookings-details?id=${world.bookingId}`,
      '/user/my-profile',
    ]);
  });

  it('shows typed HTML as text to the renter', async () => {
    await expectOnlyText(await enter(world.people.renter), [
      '/user/my-rental-history',
      `/user/my-rental-history-details?id=${world.bookingId}`,
    ]);
  });

  it('shows typed HTML as text to an admin', async () => {
    await expectOnlyText(await enter(world.people.admin), [
      '/admin/all-users',
      `/admin/user-details?id=${world.people.owner.id}`,
      '/admin/all-rental-categories',
      `/admin/rental-category-details?id=${categoryId}`,
      '/admin/all-rental-bookings',
      `/admin/booking-details?id=${world.bookingId}`,
    ]);
  });

  it('shows typed HTML as text in an email', async () => {
    const mails = await waitFor('the mails', async () => {
      const all = await mailsTo(world.people.owner.email);
      return all.some(({ html }) => html.includes('&lt;img src=x')) && all;
    });

    expect(mails.filter(({ html }) => html.includes('<img src=x'))).toEqual([]);
  });
});

describe('a page of a logged-in user', () => {
  it('keeps tokens in HttpOnly cookies, out of reach of scripts', async () => {
    const { context, page, goTo } = await openBrowser(browser);
    await goTo('/user-login');
    await logInOnScreen({ page }, await newPerson());

    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    const cookies = await context.cookies();

    expect(stored).not.toMatch(/eyJ[\w-]+\./);
    expect(stored).not.toContain('refresh_token');
    cookies.sort((a, b) => a.name.localeCompare(b.name));
    expect(cookies).toMatchObject([
      { name: 'device', httpOnly: true, sameSite: 'Strict', path: '/api/login' },
      { name: 'refresh_token', httpOnly: true, sameSite: 'Strict', path: '/api' },
    ]);
    for (const { value } of cookies) expect(stored).not.toContain(value);
  });

  it('does not run injected inline scripts or event handlers', async () => {
    const { page, goTo } = await enter(await newPerson());
    await goTo('/user/my-profile');

    await page.evaluate(() => {
      const inline = document.createElement('script');
      inline.textContent = 'window.slipped = 1';
      document.body.append(inline);
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.slipped = 2');
      document.body.append(button);
      button.click();
    });

    expect(await page.evaluate(() => 'slipped' in window)).toBe(false);
  });
});

describe('the protection from other sites', () => {
  let evil: Server;
  let evilUrl: string;

  /** Serves the other site at 127.0.0.1; ours is at localhost. */
  beforeAll(async () => {
    evil = createServer((request, response) => {
      const { site, logins } = marketplace();
      const [login] = logins;
      const action = new URL(request.url ?? '/', site);
      response.setHeader('content-type', 'text/html');
      response.end(
        action.pathname === '/frame'
          ? `<iframe src="${site}"></iframe>`
          : `<form method="post" action="${action}">
             <input name="email" value="${login?.email}">
             <input name="password" value="${login?.password}"></form>
             <script>document.forms[0].submit()</script>`,
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    evilUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
  });
  afterAll(() => void evil.close());

  it.each(['/api/logout', '/api/refresh-token', '/api/login'])(
    'does not let another site post to %s with a user’s session',
    async (path) => {
      const { page, goTo } = await enter(await newPerson());
      const target = new URL(path, marketplace().site).toString();

      const answered = page.waitForResponse(target);
      await page.goto(evilUrl + path);
      const response = await answered;

      expect(await response.request().headerValue('cookie')).toBeNull();
      expect(response.status()).toBe(path === '/api/refresh-token' ? 401 : 403);
      await goTo('/user/my-profile');
      await page.getByLabel('First name').waitFor();
    },
  );

  it('does not let another site show ours in a frame', async () => {
    const { page, complaints } = await openBrowser(browser);

    await page.goto(`${evilUrl}/frame`);

    await waitFor('the error of the blocked frame', () =>
      complaints.some((said) => said.includes('frame')),
    );
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.locator('#root').count()).toBe(0);
  });
});
