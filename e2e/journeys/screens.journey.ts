import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import { screensOf, type Who } from '../screens/screens.ts';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
beforeAll(async () => {
  browser = await launch();
  // Every text that users write contains a very long word.
  world = await createWorld('Donaudampfschifffahrtsgesellschaftskapitaen');
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const enter = async (who: Who): Promise<Visitor> => {
  const visitor = await openBrowser(browser, { touch: 320 });
  if (who !== 'visitor') await enterAs(visitor, world.people[who]);
  return visitor;
};

/** Opens each path and checks the page. WCAG requires content to fit a width of 320 pixels. */
const expectNoFaults = async ({ page, goTo, settle, complaints }: Visitor, paths: string[]) => {
  for (const path of paths) {
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Move the mouse, because content below the fold loads at the first interaction.
    await page.mouse.move(1, 1);
    await settle();
    expect({ path, faults: await findFaultsByDayAndNight(page) }).toEqual({ path, faults: [] });
  }
  expect(complaints).toEqual([]);
};

describe('every screen', () => {
  it.each<Who>(['visitor', 'owner', 'renter', 'admin'])(
    'fits a narrow phone and is accessible for the %s',
    async (who) => {
      const screens = screensOf({
        ...world,
        ownerId: world.people.owner.id,
        word: world.toolName,
        reportable: { who: 'owner', bookingId: world.bookingId },
        changingId: world.change.bookingId,
        paymentId: world.paymentId,
      });

      await expectNoFaults(
        await enter(who),
        screens.filter((screen) => screen.who === who).map(({ path }) => path),
      );
    },
  );
});
