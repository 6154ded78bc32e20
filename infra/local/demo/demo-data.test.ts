import { describe, expect, it } from '@jest/globals';
import { drawTool } from './draw-pictures.ts';
import { daysAgo, periods } from './move-into-past.ts';
import { neighbours } from './neighbours.ts';
import { datesOf } from './play-story.ts';
import { mixed } from './seed-demo.ts';
import { stories } from './stories.ts';
import { categories, tools } from './tools.ts';

describe('the demo neighbourhood', () => {
  it('names only people, tools and categories that it has, and nobody rents from themselves', () => {
    const people = new Set(neighbours.map(({ key }) => key));
    const names = new Set(categories.map(({ name }) => name));
    const ownerOf = new Map(tools.map(({ name, owner }) => [name, owner]));

    expect(tools.filter(({ owner }) => !people.has(owner))).toEqual([]);
    expect(tools.filter(({ category }) => !names.has(category))).toEqual([]);
    expect(stories.filter(({ renter }) => !people.has(renter))).toEqual([]);
    expect(stories.filter(({ tool }) => !ownerOf.has(tool))).toEqual([]);
    expect(stories.filter(({ tool, renter }) => ownerOf.get(tool) === renter)).toEqual([]);
  });

  it('has a picture for every tool and category', async () => {
    for (const { icon } of [...tools, ...categories]) {
      expect((await drawTool(icon, 'sand', 0)).length).toBeGreaterThan(10_000);
    }
  });
});

describe('the order of listing', () => {
  it('keeps every tool, and ends with one of each category', () => {
    const order = mixed(tools);

    const newest = order.slice(-categories.length).map(({ category }) => category);
    expect(new Set(newest).size).toBe(categories.length);
    expect(new Set(order)).toEqual(new Set(tools));
  });
});

describe('the days of the demo', () => {
  it('are those of people, tools and bookings in this order, each in its own', () => {
    const days = periods.flatMap((period) =>
      [0, 0.1, 0.5, 0.9, 0.99].map((x) => daysAgo(x, period)),
    );

    expect(days).toEqual([27, 25, 21, 19, 19, 18, 15, 11, 9, 9, 8, 6, 2, 0, 0]);
  });
});

describe('the dates of a story', () => {
  // Half past ten in the evening in Portland is already tomorrow in Atlanta.
  const now = Date.parse('2026-07-02T05:30:00Z');

  it.each([
    ['America/Los_Angeles', '2026-07-01', '2026-07-03'],
    ['America/New_York', '2026-07-02', '2026-07-04'],
  ])('begin on the day that it is in %s', (timeZone, start, end) => {
    const dates = datesOf({ startsIn: 0, days: 2 }, { rental_circle: 'daily', timeZone }, now);

    expect(dates).toEqual({ start_date: start, start_time: '', end_date: end, end_time: '' });
  });

  it('begin with the hour that runs for an hourly tool, across midnight too', () => {
    const zone = { rental_circle: 'hourly', timeZone: 'America/Los_Angeles' } as const;

    expect(datesOf({ startsIn: 0, days: 1 }, zone, now)).toEqual({
      ...{ start_date: '2026-07-01', start_time: '22:00' },
      ...{ end_date: '2026-07-02', end_time: '00:00' },
    });
  });
});
