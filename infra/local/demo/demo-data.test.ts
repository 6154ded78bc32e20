import { describe, expect, it } from '@jest/globals';
import { drawTool } from './draw-pictures.ts';
import { planPast } from './move-into-past.ts';
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

describe('the past of the demo', () => {
  const made = {
    people: neighbours.map(({ key }) => ({ id: key, after: [] })),
    tools: mixed(tools).map(({ name, owner }) => ({ id: name, after: [owner] })),
    bookings: stories.map(({ renter, tool }) => ({
      id: `${renter}: ${tool}`,
      after: [renter, tool],
    })),
  };
  const daysAgo = planPast(made);

  it('is one of four weeks, in which sign-ups, listings and rentals go on side by side', () => {
    const spans = Object.values(made).map((all) => {
      const days = all.map(({ id }) => daysAgo.get(id) ?? -1);
      return [Math.floor(Math.max(...days)), Math.floor(Math.min(...days))];
    });

    expect(spans).toEqual([
      [27, 7],
      [20, 2],
      [12, 1],
    ]);
  });

  it('lists nothing before its owner has come, and rents nothing before it is listed', () => {
    const tooEarly = Object.values(made)
      .flat()
      .filter(({ id, after }) =>
        after.some((other) => Number(daysAgo.get(id)) >= Number(daysAgo.get(other))),
      );

    expect(tooEarly).toEqual([]);
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
