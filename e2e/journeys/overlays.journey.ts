import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { type Ids, type Overlay, openOverlay, overlaysAt, type Who } from '../screens/screens.ts';
import { closePages, enterAs, launch, openBrowser, picture, type Visitor } from '../src/browser.ts';
import { listTool } from '../src/people.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
let ids: Ids;
beforeAll(async () => {
  browser = await launch();
  world = await createWorld();
  const { buffer, mimeType } = await picture('cover.png', '#cc5500');
  const cover_image = new Blob([new Uint8Array(buffer)], { type: mimeType });
  ids = {
    bookingId: world.bookingId,
    categoryId: world.categoryId,
    word: world.toolName,
    requestId: world.requestId,
    // Only the owner can still report a problem, because the renter has already reported one.
    reportable: { who: 'owner', bookingId: world.bookingId },
    changingId: world.change.bookingId,
    ownerId: world.people.owner.id,
    // Lists another tool, because the world's tool is rented and so not available.
    toolId: await listTool(world.people.owner, { cover_image }),
  };
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const overlayIds = () => ({ ...ids, adminName: world.people.admin.firstName });

const enter = async (who: Who, touch?: number): Promise<Visitor> => {
  const visitor = await openBrowser(browser, { touch });
  if (who !== 'visitor') await enterAs(visitor, world.people[who]);
  return visitor;
};

const expectNoFaults = async (page: Page, what: string) => {
  expect({ what, faults: await findFaultsByDayAndNight(page) }).toEqual({ what, faults: [] });
};

const visit = async (all: Overlay[], touch: number | undefined) => {
  const visitors = new Map<Who, Visitor>();
  for (const one of all) {
    const visitor = visitors.get(one.who) ?? (await enter(one.who, touch));
    visitors.set(one.who, visitor);
    const { page, goTo, settle, complaints } = visitor;
    await goTo(one.path);
    await settle();
    const address = page.url();

    const { button, overlay } = await openOverlay(page, one);
    await expectNoFaults(page, one.name);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'hidden' });
    // Wait, because the focus returns shortly after the overlay has closed.
    await button.and(page.locator(':focus')).waitFor();

    if (touch) {
      const again = await openOverlay(page, one);
      await page.goBack();
      await again.overlay.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(address);
    }
    expect(complaints).toEqual([]);
  }
};

describe('each overlay', () => {
  it('is accessible on a phone, closes with Escape and Back, and returns the focus', async () => {
    await visit(overlaysAt('phone', overlayIds()), 390);
  });

  it('is accessible on a desktop, closes with Escape, and returns the focus', async () => {
    await visit(overlaysAt('desk', overlayIds()), undefined);
  });
});

describe('the navigation', () => {
  it.each([320, 360, 390, 412])(
    'reaches the main screens with one tap on a phone of %i px',
    async (width) => {
      const { page, goTo } = await enter('renter', width);
      await goTo('/user/my-profile');
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
      await page.getByRole('link', { name: 'Renting' }).tap();
      await page.waitForURL('**/user/my-rental-history');
      await expectNoFaults(page, `${width}`);
    },
  );

  it.each([640, 768, 820, 991, 1100])(
    'links to My Rental History on the page or in a menu at %i px',
    async (width) => {
      const { page, goTo } = await enter('renter', width);
      for (const path of ['/user/my-bookings', `/user/rental-details?id=${ids.toolId}`, '/']) {
        // Wide pages outside the user area have no other menu than the account menu, as documented.
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
    },
  );

  it('shows links to all admin screens in one row on a phone', async () => {
    const { page, goTo } = await enter('admin', 390);
    await goTo('/admin/all-rental-categories');

    const links = page.getByRole('navigation', { name: 'Admin screens' }).getByRole('link');
    await links.first().waitFor();
    const tops = await links.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );

    expect(tops.length).toBeGreaterThan(5);
    expect(new Set(tops).size).toBe(1);
    await links.filter({ hasText: 'All Users' }).tap();
    await page.waitForURL('**/admin/all-users');
    await expectNoFaults(page, 'admin');
  });
});
