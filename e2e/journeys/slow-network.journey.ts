import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import type { Browser, Page } from 'playwright-core';
import { findScreenFaults } from '../screens/screen-faults.ts';
import { closePages, launch, openBrowser } from '../src/browser.ts';
import { marketplace } from '../src/marketplace.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

/** Chromium's developer tools use these values for slow 3G. */
const slow3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

const firstPaintMs = (page: Page): Promise<number | undefined> =>
  page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? undefined,
  );

const scriptsArrivedMs = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return Math.max(...scripts.map(({ responseEnd }) => responseEnd));
  });

const firstToolId = async (page: Page): Promise<string> => {
  const reply = await page.request.get(`${marketplace().site}/api/all-rentals?limit=1`);
  const { rentals } = (await reply.json()) as { rentals: { id: string }[] };
  return rentals[0]?.id ?? '';
};

const rawWords = /Unexpected Application Error|Unable to preload|dynamically imported/;

describe('a phone on slow 3G', () => {
  it.each(['/', '/user-login'])('paints %s before the last script has arrived', async (path) => {
    const { context, page, goTo, complaints } = await openBrowser(browser, { touch: 390 });
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', slow3G);

    await goTo(path);
    const paintedMs = await waitFor('the first paint', () => firstPaintMs(page));

    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(paintedMs).toBeLessThan(await scriptsArrivedMs(page));
    expect(complaints).toEqual([]);
  });
});

describe('a visitor’s first screen', () => {
  it.each(['/', '/home?q=drill', '/rental-details'])(
    'requests the tools only once (%s)',
    async (start) => {
      const { page, goTo } = await openBrowser(browser, { touch: 390 });
      const address =
        start === '/rental-details' ? `${start}?id=${await firstToolId(page)}` : start;
      const requested: string[] = [];
      page.on('request', (request) => {
        if (/\/api\/(all-rentals|get-tool)/.test(request.url())) requested.push(request.url());
      });

      await goTo(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('loading data').waitFor({ state: 'hidden' });

      expect(requested).toEqual([...new Set(requested)]);
      expect(await page.evaluate(() => 'firstCall' in window)).toBe(false);
    },
  );
});

describe('a screen whose code fails to load', () => {
  const open = async () => {
    const visitor = await openBrowser(browser, { touch: 390 });
    await visitor.goTo('/');
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    return { ...visitor, toLogin: () => visitor.page.getByRole('link', { name: 'Login' }).click() };
  };

  it('reloads the page once, and then offers a reload button', async () => {
    const { page, toLogin } = await open();
    let loads = 0;
    page.on('domcontentloaded', () => {
      loads += 1;
    });
    await page.route('**/assets/login-*.js', (route) => route.abort());

    await toLogin();
    await page.getByText('This page didn’t load').waitFor();

    expect(loads).toBe(1);
    expect(await page.locator('body').innerText()).not.toMatch(rawWords);
    await page.unroute('**/assets/login-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByLabel('Email').waitFor();
  });

  it('shows an offline message, and the screen once the network is back', async () => {
    const { context, page, toLogin } = await open();
    await context.setOffline(true);

    await toLogin();
    await page.getByText('You’re offline').waitFor();

    expect(await page.locator('body').innerText()).not.toMatch(rawWords);
    await context.setOffline(false);
    await page.getByLabel('Email').waitFor();
  });
});

describe('the service worker', () => {
  it('caches only an offline page, shows it to returning visitors, and reloads it when online', async () => {
    const { context, page, goTo, complaints } = await openBrowser(browser, { touch: 390 });
    await goTo('/benefits');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.mouse.move(1, 1);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    expect(complaints).toEqual([]);

    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();

    expect(await findScreenFaults(page)).toEqual([]);
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(['/offline.html']);
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Benefits' }).waitFor();
  });
});
