import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  launch,
  logInOnScreen,
  openBrowser,
  picture,
  shootAll,
  type Visitor,
} from '../src/browser.ts';
import { listTool } from '../src/people.ts';
import { findScreenFaults } from '../src/screen-faults.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
/** On offer, as the tool of the world, which is rented, is not. */
let freeToolId: string;
beforeAll(async () => {
  browser = await launch();
  world = await createWorld();
  const { buffer, mimeType } = await picture('cover.png', '#cc5500');
  const cover_image = new Blob([new Uint8Array(buffer)], { type: mimeType });
  freeToolId = await listTool(world.people.owner, { cover_image });
});
afterEach(() => shootAll(browser));
afterAll(() => browser.close());

type Who = 'owner' | 'renter' | 'admin';

const enter = async (who: Who | undefined, touch?: number): Promise<Visitor> => {
  const visitor = await openBrowser(browser, { touch });
  if (!who) return visitor;
  await visitor.goTo('/user-login');
  await logInOnScreen(visitor, world.people[who]);
  return visitor;
};

interface Overlay {
  what: string;
  who?: Who;
  path: () => string;
  opener: string | RegExp;
  role?: 'menu' | 'dialog' | 'listbox';
  /** What opens it, where that is not Enter. */
  key?: string;
}

const tool = () => `/rental-details?id=${freeToolId}`;
const adminBooking = () => `/admin/booking-details?id=${world.bookingId}`;

const onPhone: Overlay[] = [
  { what: 'the menu of a visitor', path: () => '/benefits', opener: 'Menu' },
  { what: 'the menu of a member', who: 'renter', path: () => '/user/my-bookings', opener: 'Me' },
  { what: 'the booking form', path: tool, opener: 'Choose dates' },
  { what: 'the gallery', path: tool, opener: 'Show the cover in full size' },
  { what: 'a question', who: 'owner', path: () => '/user/my-rentals', opener: /^Delete / },
  { what: 'a form', who: 'admin', path: adminBooking, opener: 'Refund' },
];

const atDesk: Overlay[] = [
  {
    what: 'the account menu of a visitor',
    path: () => '/benefits',
    opener: 'My Account',
    role: 'menu',
  },
  {
    what: 'the account menu of an admin',
    who: 'admin',
    path: () => '/admin/all-users',
    opener: 'Admin',
    role: 'menu',
  },
  { what: 'the bell of a visitor', path: () => '/benefits', opener: /^Notifications/ },
  {
    what: 'the bell of a member',
    who: 'owner',
    path: () => '/user/my-profile',
    opener: /^Notifications/,
  },
  {
    what: 'a list',
    who: 'owner',
    path: () => '/user/add-rental',
    opener: 'Category',
    role: 'listbox',
    key: 'ArrowDown',
  },
  { what: 'the gallery', path: tool, opener: 'Show the cover in full size' },
  { what: 'a question', who: 'owner', path: () => '/user/my-rentals', opener: /^Delete / },
  { what: 'a form', who: 'admin', path: adminBooking, opener: 'Refund' },
];

/** Opens it by its button, with the focus on the button as a keyboard would have it. */
const openOverlay = async (page: Page, { opener, role = 'dialog', key = 'Enter' }: Overlay) => {
  const button = page
    .getByRole('button', { name: opener })
    .or(page.getByRole('combobox', { name: opener }))
    .first();
  await button.focus();
  await page.keyboard.press(key);
  const overlay = page.getByRole(role).last();
  await overlay.waitFor();
  return { button, overlay };
};

const expectNoFaults = async (page: Page, what: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const faults = await findScreenFaults(page);
    expect({ what, colorScheme, faults }).toEqual({ what, colorScheme, faults: [] });
  }
};

const visit = async (all: Overlay[], touch: number | undefined) => {
  const visitors = new Map<Who | undefined, Visitor>();
  for (const one of all) {
    const visitor = visitors.get(one.who) ?? (await enter(one.who, touch));
    visitors.set(one.who, visitor);
    const { page, goTo, complaints } = visitor;
    await goTo(one.path());
    await page.waitForLoadState('networkidle');
    const address = page.url();

    const { button, overlay } = await openOverlay(page, one);
    await expectNoFaults(page, one.what);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'hidden' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    if (touch) {
      const again = await openOverlay(page, one);
      await page.goBack();
      await again.overlay.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(address);
    }
    expect(complaints).toEqual([]);
  }
};

describe('what opens over a screen has a name, gives the focus back, and axe has nothing against it', () => {
  it('on a phone, where Back closes it', async () => {
    await visit(onPhone, 390);
  });

  it('at a desk', async () => {
    await visit(atDesk, undefined);
  });
});

describe('the main screens are one press away', () => {
  it.each([320, 360, 390, 412])('on a phone of %i px', async (width) => {
    const { page, goTo } = await enter('renter', width);
    for (const [tab, address] of [
      ['Bookings', '/user/my-bookings'],
      ['List a tool', '/user/add-rental'],
      ['Notices', '/user/notifications'],
      ['Browse', '/user/user-dashboard'],
    ] as const) {
      await page
        .getByRole('navigation', { name: 'Main screens' })
        .getByRole('link', { name: tab })
        .tap();
      await page.waitForURL(`**${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await goTo('/user/my-bookings');
    await page.getByRole('link', { name: 'My Rental History' }).tap();
    await page.waitForURL('**/user/my-rental-history');
    await expectNoFaults(page, `${width}`);
  });

  it.each([640, 768, 820, 991, 1100])('at %i px', async (width) => {
    const { page, goTo } = await enter('renter', width);
    for (const path of ['/user/my-bookings', `/user/rental-details?id=${freeToolId}`, '/']) {
      // Wide pages outside the user area have the account menu alone, as documented.
      if (path === '/' && width >= 992) continue;
      await goTo(path);
      const links = page.getByRole('link', { name: 'My Rental History' });
      const menu = page.getByRole('button', { name: /^(Me|Open the menu)$/ });
      await links.or(menu).first().waitFor();
      if (!(await links.first().isVisible())) {
        await menu.tap();
        await page.getByRole('dialog').waitFor();
      }
      await links.first().tap();
      await page.waitForURL('**/user/my-rental-history');
    }
  });

  it('for an admin on a phone, in one line', async () => {
    const { page, goTo } = await enter('admin', 390);
    await goTo('/admin/all-rental-categories');

    const links = page.getByRole('navigation', { name: 'Admin screens' }).getByRole('link');
    const tops = await links.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );

    expect(tops.length).toBe(5);
    expect(new Set(tops).size).toBe(1);
    await links.filter({ hasText: 'All Users' }).tap();
    await page.waitForURL('**/admin/all-users');
    await expectNoFaults(page, 'admin');
  });
});
