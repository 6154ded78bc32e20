import { waitFor } from '@lendtools/testing';
import type { Locator, Page } from 'playwright-core';

const mostSteps = 150;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    // The card fields are in a shadow tree, which has an active element of its own.
    const { activeElement } = element.getRootNode() as Document | ShadowRoot;
    return element === activeElement;
  });

/** The element's center must be on the screen and not covered. */
const isSeen = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const root = element.getRootNode() as Document | ShadowRoot;
    const atIt = root.elementFromPoint(left + width / 2, top + height / 2);
    return atIt !== null && (element.contains(atIt) || atIt.contains(element));
  });

export const keyboardOf = (page: Page) => {
  const { keyboard } = page;

  const reach = async (target: Locator): Promise<void> => {
    const one = target.first();
    await one.waitFor();
    for (let step = 0; !(await hasFocus(one)); step++) {
      if (step === mostSteps) throw new Error(`Tab does not reach ${target}`);
      await keyboard.press('Tab');
    }
    await waitFor(`${target} to be seen`, () => isSeen(one));
  };

  return {
    reach,
    async press(target: Locator): Promise<void> {
      await reach(target);
      await keyboard.press('Enter');
    },
    async type(field: Locator, text: string): Promise<void> {
      await reach(field);
      await keyboard.type(text);
    },
    async pressDay(name: string): Promise<void> {
      await reach(page.locator('button[aria-pressed][tabindex="0"]'));
      const day = page.getByRole('button', { name });
      for (let step = 0; !(await hasFocus(day)); step++) {
        if (step === 31) throw new Error(`The arrow keys do not reach ${name}`);
        await keyboard.press('ArrowRight');
      }
      await keyboard.press('Enter');
    },
  };
};
