/**
 * `npm run screenshots` takes screenshots of every screen on a phone, a tablet and a desktop, in light and dark mode.
 * `-- tool cart-full` selects screens; `-- --docs` updates the pictures in the docs. TEST_RUN_FILE selects a running
 * marketplace, which must contain the demo data.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Terms } from '@lendtools/contracts';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import {
  enterAs,
  fillCard,
  launch,
  type Member,
  openBrowser,
  pickDates,
  type Visitor,
} from '../src/browser.ts';
import { marketplace } from '../src/marketplace.ts';
import { api } from '../src/people.ts';
import { daysAhead } from '../src/purchases.ts';
import {
  type Ids,
  type Overlay,
  openOverlay,
  overlaysAt,
  type Screen,
  screensOf,
  type Who,
} from './screens.ts';

const usage = `npm run screenshots -- [options] [screen …]
  --docs    only the six pictures of README and docs`;

const { docs, names } = readCommandLine(usage, (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { docs: { type: 'boolean', default: false } },
  });
  return { docs: values.docs, names: positionals };
});

const folder = path.resolve(docs ? 'docs/screenshots' : '.local/screenshots');
/** The docs show only the visible part of the page, in light mode. */
const forDocs = [
  'home-desk',
  'tool-phone',
  'cart-full-phone',
  'my-rental-history-phone',
  'my-tools-desk',
  'admin-dashboard-desk',
];
const devices = { phone: 390, tablet: 820, desk: undefined };
type Device = keyof typeof devices;
type Scheme = 'light' | 'dark';

const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
};

const memberOf = (who: Who): Member => {
  const login = marketplace().logins.find(({ role }) => role === who);
  if (!login) throw new Error(`The marketplace has no ${who}: it was started without the demo`);
  return login;
};

/** The tools to buy. Each purchase books a different one, because all book the same days. */
const toBuy: string[] = [];

const findIds = async (): Promise<Ids> => {
  const enter = async (who: Who) =>
    (await api().post('/api/login', { body: memberOf(who) })).body as {
      user: { id: string };
      token: string;
    };
  const [owner, renter] = [await enter('owner'), await enter('renter')];
  const mine = await api().get(`/api/user/${owner.user.id}/rentals/my-rentals`, owner);
  const tool = mine.body.rentals.find(
    (one: { item_status: string }) => one.item_status === 'Available',
  );
  const { body } = await api().get(`/api/rentalBookings/${renter.user.id}/my-bookings`, renter);
  const isRequested = (one: { booking_status: string }) => one.booking_status === 'Requested';
  const lent = body.bookings.filter(
    (one: { toolOwnerId: string }) => one.toolOwnerId === owner.user.id,
  );
  const booking = lent.find((one: { booking_status: string }) => !isRequested(one));
  const requested = lent.find(isRequested);
  const reportable = body.bookings.find(({ allowedActions }: { allowedActions: string[] }) =>
    allowedActions.includes('reportProblem'),
  );
  const dates = `from=${daysAhead(1)}&to=${daysAhead(5)}`;
  const free = (await api().get(`/api/all-rentals?limit=50&${dates}`)).body.rentals;
  const daily = (one: { userId: string; rental_circle: string; terms: Terms }) =>
    one.rental_circle === 'daily' &&
    one.terms.booking !== 'request' &&
    !one.terms.hours &&
    ![owner.user.id, renter.user.id].includes(one.userId);
  toBuy.push(...free.filter(daily).map(({ id }: { id: string }) => id));
  return {
    toolId: tool.id,
    bookingId: booking.id,
    requestId: requested.id,
    reportable: { who: 'renter', bookingId: reportable.id },
    categoryId: tool.categoryId,
    ownerId: owner.user.id,
    word: 'drill',
  };
};

const purchase = ['booking-form-filled', 'summary', 'cart-full', 'success'];

const buy = async (
  { page, goTo }: Visitor,
  toolId: string,
  shoot: (name: string, fullPage: boolean) => Promise<void>,
) => {
  await goTo(`/user/rental-details?id=${toolId}`);
  await settled(page);
  const opener = page.getByRole('button', { name: 'Choose dates' });
  if (await opener.isVisible()) await opener.click();
  await pickDates(page, 2, 4);
  await shoot('booking-form-filled', false);
  await page.getByRole('button', { name: 'Proceed To Booking' }).click();
  // Wait for the new screen, because the URL changes earlier.
  const add = page.getByRole('button', { name: 'ADD TO CART' });
  await add.waitFor();
  await shoot('summary', true);
  await add.click();
  await page.waitForURL('**/user/cart');
  await fillCard(page, '4242424242424242');
  await shoot('cart-full', true);
  await page.getByRole('button', { name: /^PAY/ }).click();
  await page.waitForURL('**/user/rental-booking-success');
  await shoot('success', true);
};

const wanted = (name: string, device: Device, scheme: Scheme): boolean =>
  docs
    ? forDocs.includes(`${name}-${device}`) && scheme === 'light'
    : names.length === 0 || names.includes(name);

const shootDevice = async (browser: Browser, ids: Ids, device: Device, scheme: Scheme) => {
  const visitors = new Map<Who, Visitor>();
  const visitorFor = async (who: Who): Promise<Visitor> => {
    const known = visitors.get(who);
    if (known) return known;
    const visitor = await openBrowser(browser, { touch: devices[device], dark: scheme === 'dark' });
    if (who !== 'visitor') await enterAs(visitor, memberOf(who));
    visitors.set(who, visitor);
    return visitor;
  };
  const save = async (page: Page, name: string, fullPage: boolean) => {
    if (!wanted(name, device, scheme)) return;
    await settled(page);
    if (docs) {
      const picture = await page.screenshot();
      await sharp(picture)
        .webp({ quality: 80 })
        .toFile(path.join(folder, `${name}-${device}.webp`));
      return;
    }
    await page.screenshot({ path: path.join(folder, `${name}-${device}-${scheme}.png`), fullPage });
  };
  const show = async (screen: Screen | Overlay) => {
    const { page, goTo } = await visitorFor(screen.who);
    await goTo(screen.path);
    await settled(page);
    if ('opener' in screen) await openOverlay(page, screen);
    await save(page, screen.name, !('opener' in screen));
  };

  const overlays = overlaysAt(device === 'desk' ? 'desk' : 'phone', {
    ...ids,
    adminName: 'Admin',
    // Omit this overlay: it needs a day that is both requested and blocked, which the demo lacks.
  }).filter(({ name }) => name !== 'calendar-day');
  for (const screen of [...screensOf(ids), ...overlays]) {
    if (!wanted(screen.name, device, scheme)) continue;
    await show(screen).catch((error) => missed(`${screen.name} ${device} ${scheme}`, error));
  }
  if (purchase.some((name) => wanted(name, device, scheme))) {
    const { page, ...renter } = await visitorFor('renter');
    const toolId = toBuy.pop();
    if (!toolId) throw new Error('No tool is left to buy');
    await buy({ page, ...renter }, toolId, (name, fullPage) => save(page, name, fullPage)).catch(
      (error) => missed(`a purchase ${device} ${scheme}`, error),
    );
  }
  await Promise.all([...visitors.values()].map(({ context }) => context.close()));
};

let missing = 0;
const missed = (what: string, error: Error): void => {
  missing += 1;
  console.error(`Failed: ${what}: ${error.message.split('\n')[0]}`);
};

const site = process.env.TEST_RUN_FILE
  ? undefined
  : startTestSite((line) => console.log(`  ${line}`), 'screenshots-site', { withDemo: true });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site?.stop());

if (site) process.env.TEST_RUN_FILE = await site.ready;
mkdirSync(folder, { recursive: true });
const browser = await launch();
const ids = await findIds();
for (const device of Object.keys(devices) as Device[]) {
  for (const scheme of ['light', 'dark'] as const) await shootDevice(browser, ids, device, scheme);
}
await browser.close();
await site?.stop();
if (site) rmSync(site.home, { recursive: true, force: true });
console.log(`Screenshots are in ${folder}${missing ? `; ${missing} failed` : ''}`);
process.exit(missing ? 1 : 0);
