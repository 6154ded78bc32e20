import path from 'node:path';
import { findChromium } from '@lendtools/local/chromium';
import { hangsAfterMs, waitFor } from '@lendtools/testing';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import sharp from 'sharp';
import { marketplace } from './marketplace.ts';

const screenshots = path.resolve('.local/screenshots');

export const launch = async (): Promise<Browser> => {
  const found = await findChromium((line) => process.stdout.write(`${line}\n`));
  if (!found) throw new Error('There is no Chromium. Install one, or set CHROME_PATH.');
  return chromium.launch({
    executablePath: found.path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Don't round the widths of letters: the headless shell does so by default, but users' browsers don't.
      '--font-render-hinting=none',
      // Don't optimize scripts: the pages are closed before optimized code would pay off.
      '--js-flags=--no-opt,--no-maglev',
    ],
  });
};

/** The test users live in Austin, Texas. */
const austin = { latitude: 30.2672, longitude: -97.7431 };

/** A browser tab, with cookies and storage of its own. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Uncaught exceptions and console errors, without failed requests. */
  complaints: string[];
  goTo(path: string): Promise<void>;
  /** Waits until all requests have ended and a frame was drawn without starting another request. */
  settle(): Promise<void>;
  shoot(name: string): Promise<void>;
}

interface BrowserOptions {
  dark?: boolean;
  /** The width in pixels of a touch device; without it, a desktop with a mouse. */
  touch?: number;
}

export const openBrowser = async (
  browser: Browser,
  { dark = false, touch }: BrowserOptions = {},
): Promise<Visitor> => {
  const context = await browser.newContext({
    viewport: touch
      ? { width: touch, height: touch < 600 ? 844 : 1180 }
      : { width: 1440, height: 900 },
    isMobile: touch !== undefined,
    hasTouch: touch !== undefined,
    colorScheme: dark ? 'dark' : 'light',
    geolocation: austin,
    permissions: ['geolocation'],
    reducedMotion: 'reduce',
  });
  return openTab(context);
};

export const openTab = async (context: BrowserContext): Promise<Visitor> => {
  const page = await context.newPage();
  page.setDefaultTimeout(hangsAfterMs);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Ignore error replies: the journeys check how the page handles them.
    const isRejection = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRejection) complaints.push(message.text());
  });
  const open = new Set<Request>();
  let begun = 0;
  page.on('request', (request) => {
    // Forget the previous page's requests, because a navigation aborts them.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
    open.add(request);
    begun += 1;
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return {
    context,
    page,
    complaints,
    async goTo(url) {
      await page.goto(new URL(url, marketplace().site).toString());
    },
    async settle() {
      await waitFor('the page to settle', async () => {
        const [wasQuiet, before] = [open.size === 0, begun];
        await page.evaluate(
          () =>
            new Promise((done) => {
              requestAnimationFrame(() => requestIdleCallback(done));
              // Continue after a second, because a background tab may get no animation frame.
              setTimeout(done, 1_000);
            }),
        );
        return wasQuiet && begun === before;
      });
    },
    async shoot(name) {
      await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
  };
};

export const picture = async (name: string, color: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 800, height: 600, channels: 3, background: color } })
    .png()
    .toBuffer(),
});

/** Takes screenshots of a failed journey, then closes all pages, so that they use no more CPU. */
export const closePages = async (browser: Browser): Promise<void> => {
  const contexts = browser.contexts();
  // `packages/testing/src/jest/globals.ts` sets this.
  const run = globalThis as { journeyFailed?: boolean };
  if (run.journeyFailed) {
    run.journeyFailed = false;
    const pages = contexts.flatMap((context) => context.pages());
    await Promise.all(
      pages.map((page, i) =>
        page.screenshot({ path: path.join(screenshots, `last-${i + 1}.png`) }),
      ),
    );
  }
  await Promise.all(contexts.map((context) => context.close()));
};

/** Chooses an option of a combobox; types the option's name first if the combobox is searchable. */
const choose = async (page: Page, label: string, option: string): Promise<void> => {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  if (await field.isEditable()) await field.fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
};

export interface Member {
  email: string;
  password: string;
}

export const signUpOnScreen = async (
  { page, goTo }: Visitor,
  person: { firstName: string; lastName: string },
): Promise<Member> => {
  const member = {
    email: `${person.firstName.toLowerCase()}.${Date.now()}@lendtools.test`,
    password: `pine-cone-${Date.now()}`,
  };
  await goTo('/create-account');
  await page.getByLabel('Profile image').setInputFiles(await picture('me.png', '#d2691e'));
  await page.getByLabel('User name').fill(person.firstName);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Phone').fill('+1 512 555 0199');
  await choose(page, 'State', 'Texas');
  await choose(page, 'City', 'Austin');
  await page.getByLabel('Address').fill('12 Congress Avenue');
  await page.getByRole('textbox', { name: /^Password/ }).fill(member.password);
  await page.getByRole('button', { name: 'Create An Account' }).click();
  await page.waitForURL('**/user-login**');
  await logInOnScreen({ page }, member);
  return member;
};

export const logInOnScreen = async (
  { page }: Pick<Visitor, 'page'>,
  member: Member,
): Promise<void> => {
  const login = page.getByRole('button', { name: 'Login' });
  // Wait for the form: the URL changes earlier, and the previous page may have an email field too.
  await login.waitFor();
  await page.getByLabel('Email').fill(member.email);
  await page.getByRole('textbox', { name: /^Password/ }).fill(member.password);
  await login.click();
  await page.waitForURL('**/user/**');
};

/** The prefix comes from `persistPrefix` in `web/src/lib/kept.ts`. */
const sessionKey = 'lendtools-session-user:state';

/**
 * Logs in without the login screen: the API sets the cookie, and the session is put into local storage as the app does.
 */
export const enterAs = async (
  { context, page, goTo }: Pick<Visitor, 'context' | 'page' | 'goTo'>,
  { email, password }: Member,
): Promise<void> => {
  const reply = await context.request.post(new URL('/api/login', marketplace().site).toString(), {
    headers: { 'x-requested-with': 'lendtools' },
    data: { email, password },
  });
  if (!reply.ok()) throw new Error(`login answered ${reply.status()}`);
  const { id, role, first_name, last_name, image } = (await reply.json()).user;
  const user = { id, role, first_name, last_name, email, image };
  const stored = JSON.stringify({ session: JSON.stringify({ loggedIn: true, user }) });
  // Local storage is per origin, so any page of the site will do.
  await goTo('/livez');
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    sessionKey,
    stored,
  ] as const);
};

export const listToolOnScreen = async ({ page, goTo }: Visitor, name: string): Promise<void> => {
  await goTo('/user/add-rental');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByLabel('Description').fill('Two batteries, a case and a set of bits.');
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('Price').fill('12.50');
  await page.getByLabel('Cover image').setInputFiles(await picture('drill.png', '#cc5500'));
  await page.getByLabel('Image 1').setInputFiles(await picture('case.png', '#33691e'));
  await page
    .getByRole('button', { name: /list|add/i })
    .last()
    .click();
  await page.waitForURL('**/user/my-rentals');
};

/** Picks the dates of a rental, given as numbers of days from today. */
export const pickDates = async (page: Page, from: number, to: number): Promise<void> => {
  const start = page.getByRole('button', { name: 'Start date' });
  if ((await start.getAttribute('aria-expanded')) !== 'true') await start.click();
  const next = page.getByRole('button', { name: 'Next month' });
  await next.waitFor();
  for (const days of [from, to]) {
    const date = new Date(Date.now() + days * 86_400_000);
    const name = date.toLocaleDateString('en-US', { dateStyle: 'full' });
    const day = page.getByRole('button', { name: new RegExp(`^${name}`) });
    if ((await day.count()) === 0) await next.click();
    await day.click();
  }
  for (const label of ['Start time', 'Returning time'])
    await page.getByLabel(label).selectOption('9.00 AM');
};

export const fillCard = async (page: Page, number: string): Promise<void> => {
  await page.locator('input[name="cardnumber"]').fill(number);
  await page.locator('input[name="exp-date"]').fill('12 / 34');
  await page.locator('input[name="cvc"]').fill('123');
  await page.locator('input[name="postal"]').fill('78701');
};

export const expectBell = (page: Page): Promise<unknown> =>
  waitFor('the bell', () => page.getByRole('button', { name: /^Notifications, / }).isVisible());
