import { expect } from '@jest/globals';
import { findFaultsByDayAndNight } from '../screens/screen-faults.ts';
import type { Visitor } from './browser.ts';

/** The widths at which journeys look at their screens, with the options of `openBrowser`. */
export const deskAndPhone = [
  ['desk', {}],
  ['phone', { touch: 390 }],
] as const;

/** Takes a screenshot, and expects no faults in light and dark mode. */
export const look = async ({ page, shoot }: Visitor, name: string): Promise<void> => {
  await shoot(name);
  expect({ name, faults: await findFaultsByDayAndNight(page) }).toEqual({ name, faults: [] });
};
