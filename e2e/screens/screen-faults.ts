import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const wcag22AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** axe rules that WCAG 2.2 AA does not require, but that help users of screen readers and touch screens. */
const goodPractice = [
  'target-size',
  'aria-dialog-name',
  'landmark-no-duplicate-banner',
  'landmark-unique',
];

const runAxe = async (page: Page, options: RunOptions): Promise<string[]> => {
  // `evaluate` bypasses the content security policy, which would block a script element.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (requested) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(requested);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
    );
  }, options);
};

/**
 * Lists violations of WCAG 2.2 AA, content wider than the screen, cut-off labels, and a missing or second main heading.
 */
export const findScreenFaults = async (page: Page): Promise<string[]> => {
  const rules = Object.fromEntries(goodPractice.map((rule) => [rule, { enabled: true }]));
  const found = await runAxe(page, { runOnly: wcag22AA, rules });
  const measured = await page.evaluate(() => {
    const faults: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the screen');
    const labels = document.querySelectorAll<HTMLElement>('button *, a *');
    for (const label of labels) {
      const isCut = label.scrollWidth > label.clientWidth + 1 && label.clientWidth > 1;
      const { overflowX, textOverflow } = getComputedStyle(label);
      // A cut-off label with an ellipsis is no fault, because users see that text is missing.
      const isSilent = overflowX === 'hidden' && textOverflow !== 'ellipsis';
      if (isCut && isSilent && label.checkVisibility())
        faults.push(`cut off: ${label.textContent}`);
    }
    const titles = [...document.querySelectorAll('h1')].filter((title) => title.checkVisibility());
    if (titles.length !== 1) faults.push(`${titles.length} main headings`);
    return faults;
  });
  return [...found, ...measured];
};

/** In dark mode only color contrast is checked, because only colors differ. */
export const findFaultsByDayAndNight = async (page: Page): Promise<string[]> => {
  const show = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  };
  await show('light');
  const byDay = await findScreenFaults(page);
  await show('dark');
  const byNight = await runAxe(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
  return [...byDay, ...byNight.map((fault) => `dark: ${fault}`)];
};
