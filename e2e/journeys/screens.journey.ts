import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { enterAs, launch, openBrowser, shootAll, type Visitor } from '../src/browser.ts';
import { findScreenFaults } from '../src/screen-faults.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
beforeAll(async () => {
  browser = await launch();
  // A word that ends nowhere, in every text that people write.
  world = await createWorld('Donaudampfschifffahrtsgesellschaftskapitaen');
});
afterEach(() => shootAll(browser));
afterAll(() => browser.close());

const enter = async (who?: 'owner' | 'renter' | 'admin'): Promise<Visitor> => {
  const visitor = await openBrowser(browser, { phone: true });
  await visitor.page.setViewportSize({ width: 320, height: 640 });
  if (!who) return visitor;
  await enterAs(visitor, world.people[who]);
  return visitor;
};

/** At the width to which WCAG zooms a desktop, by day and by night. */
const expectNoFaults = async ({ page, goTo, complaints }: Visitor, paths: string[]) => {
  for (const path of paths) {
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect({ path, colorScheme, faults: await findScreenFaults(page) }).toEqual({
        path,
        colorScheme,
        faults: [],
      });
    }
  }
  expect(complaints).toEqual([]);
};

describe('every screen fits a narrow phone, can be read, and names its controls', () => {
  it('for a visitor', async () => {
    const dates = 'start_date=2099-06-01&end_date=2099-06-04&quantity=1';
    await expectNoFaults(await enter(), [
      '/',
      `/home?q=${encodeURIComponent(world.toolName)}`,
      '/home?q=zeppelin',
      '/how-it-works',
      '/benefits',
      '/create-account',
      '/user-login',
      '/password-request',
      '/reset-password?token=x',
      `/rental-details?id=${world.toolId}`,
      `/rental-booking-summary?id=${world.toolId}&${dates}`,
      '/rental-booking-summary',
      '/cart',
      '/services',
    ]);
  });

  it('for the owner', async () => {
    await expectNoFaults(await enter('owner'), [
      '/user/user-dashboard',
      '/user/my-rentals',
      '/user/add-rental',
      `/user/my-tool-details?id=${world.toolId}`,
      '/user/my-bookings',
      `/user/my-bookings-details?id=${world.bookingId}`,
    ]);
  });

  it('for the renter', async () => {
    await expectNoFaults(await enter('renter'), [
      `/user/rental-details?id=${world.toolId}`,
      '/user/cart',
      '/user/my-rental-history',
      `/user/my-rental-history-details?id=${world.bookingId}`,
      '/user/my-profile',
      '/user/user-reset-password',
    ]);
  });

  it('for an admin', async () => {
    await expectNoFaults(await enter('admin'), [
      '/admin/admin-dashboard',
      '/admin/all-rental-categories',
      '/admin/add-rental-category',
      `/admin/rental-category-details?id=${world.categoryId}`,
      '/admin/all-users',
      `/admin/user-details?id=${world.people.owner.id}`,
      '/admin/all-rental-bookings',
      `/admin/booking-details?id=${world.bookingId}`,
    ]);
  });
});
