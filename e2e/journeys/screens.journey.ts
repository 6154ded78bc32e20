import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { closePages, enterAs, launch, openBrowser, type Visitor } from '../src/browser.ts';
import { findFaultsByDayAndNight } from '../src/screen-faults.ts';
import { screensOf, type Who } from '../src/screens.ts';
import { createWorld, type World } from '../src/world.ts';

let browser: Browser;
let world: World;
beforeAll(async () => {
  browser = await launch();
  // A very long word in every text that users write.
  world = await createWorld('Donaudampfschifffahrtsgesellschaftskapitaen');
});
afterEach(() => closePages(browser));
afterAll(() => browser.close());

const enter = async (who: Who): Promise<Visitor> => {
  const visitor = await openBrowser(browser, { touch: 320 });
  if (who !== 'visitor') await enterAs(visitor, world.people[who]);
  return visitor;
};

/** Checks screens in light and dark mode, 320 pixels wide: the width that WCAG requires content to reflow to. */
const expectNoFaults = async ({ page, goTo, settle, complaints }: Visitor, paths: string[]) => {
  for (const path of paths) {
    await goTo(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Content below the fold loads at the first interaction.
    await page.mouse.move(1, 1);
    await settle();
    expect({ path, faults: await findFaultsByDayAndNight(page) }).toEqual({ path, faults: [] });
  }
  expect(complaints).toEqual([]);
};

describe('every screen', () => {
  it.each<Who>(['visitor', 'owner', 'renter', 'admin'])(
    'fits a narrow phone and is accessible on each screen of the %s',
    async (who) => {
      const screens = screensOf({
        ...world,
        ownerId: world.people.owner.id,
        word: world.toolName,
        reportable: { who: 'owner', bookingId: world.bookingId },
        changingId: world.change.bookingId,
      });

      await expectNoFaults(
        await enter(who),
        screens.filter((screen) => screen.who === who).map(({ path }) => path),
      );
    },
  );
});
