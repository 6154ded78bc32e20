import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bookedDaysAgo, planPast } from './move-into-past.ts';
import { neighbors } from './neighbors.ts';
import { pictureOfPerson, picturesFolder, picturesOf } from './pictures.ts';
import { datesOf } from './play-story.ts';
import { mixed } from './seed-demo.ts';
import { stories } from './stories.ts';
import { categories, tools } from './tools.ts';

describe('the demo neighborhood', () => {
  it('names only people, tools and categories that it has, and nobody rents from themselves', () => {
    const people = new Set(neighbors.map(({ key }) => key));
    const names = new Set(categories.map(({ name }) => name));
    const ownerOf = new Map(tools.map(({ name, owner }) => [name, owner]));

    expect(tools.filter(({ owner }) => !people.has(owner))).toEqual([]);
    expect(tools.filter(({ category }) => !names.has(category))).toEqual([]);
    expect(stories.filter(({ renter }) => !people.has(renter))).toEqual([]);
    expect(stories.filter(({ tool }) => !ownerOf.has(tool))).toEqual([]);
    expect(stories.filter(({ tool, renter }) => ownerOf.get(tool) === renter)).toEqual([]);
  });

  it('has a face for everybody, a picture for every category, and one or more for every tool', async () => {
    for (const { key } of neighbors) expect((await pictureOfPerson(key)).length).toBeGreaterThan(0);
    const pictured = await Promise.all(
      [...tools, ...categories].map(({ picture }) => picturesOf(picture)),
    );

    expect(pictured.filter((views) => views.length === 0)).toEqual([]);
  });

  it('has pictures of at most 60 kB each, and 3 MB together', async () => {
    const files = await readdir(picturesFolder, { recursive: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.endsWith('.webp'))
        .map((file) => stat(join(picturesFolder, file))),
    );

    expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThanOrEqual(60_000);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(3_000_000);
  });

  it('has what the site speaks of: by name, or by a word of the description', () => {
    // The examples of the home page, the welcome email, and what neighbors ask for.
    const asked = [
      'cordless',
      'drill',
      'pressure washer',
      'extension ladder',
      'tile saw',
      'lawn mower',
    ];
    const said = tools.map(({ name, description }) => `${name} ${description}`.toLowerCase());

    expect(asked.filter((words) => !said.some((text) => text.includes(words)))).toEqual([]);
  });
});

describe('the stories', () => {
  const inOrder = stories.map((story) => ({
    ...story,
    // Minutes from the first moment of today, as the tool's place counts them.
    start: story.startsIn * 1_440 + minutesOf(story.from),
    end: (story.startsIn + story.days) * 1_440 + minutesOf(story.until),
    units: tools.find(({ name }) => name === story.tool)?.quantity ?? 0,
    isHourly: tools.find(({ name }) => name === story.tool)?.circle === 'hourly',
  }));

  it('rent no tool twice at a time, and no pair of neighbors the same tool again', () => {
    const doubled = inOrder.filter(
      (one) =>
        inOrder.filter(
          (other) => other.tool === one.tool && other.start < one.end && one.start < other.end,
        ).length > one.units,
    );

    expect(doubled.map(({ tool, renter }) => `${renter}: ${tool}`)).toEqual([]);
    expect(new Set(stories.map(({ renter, tool }) => `${renter}: ${tool}`)).size).toBe(
      stories.length,
    );
  });

  it('begin and end at times that can be picked', () => {
    // As the site offers them: half-hour steps from 7.00 AM to 7.00 PM, and 7.15 PM.
    const halfHours = Array.from({ length: 25 }, (_, step) => 7 * 60 + step * 30);
    const offered = new Set([...halfHours, 19 * 60 + 15]);

    expect(stories.filter(({ from }) => !offered.has(minutesOf(from)))).toEqual([]);
    expect(stories.filter(({ until }) => !offered.has(minutesOf(until)))).toEqual([]);
    expect(inOrder.filter(({ start, end }) => end <= start)).toEqual([]);
    // Who rents by the hour brings it back on the same day.
    expect(inOrder.filter(({ isHourly, days }) => isHourly !== (days === 0))).toEqual([]);
  });

  it('have come back only where they were over yesterday, and are reviewed only where they have begun', () => {
    expect(inOrder.filter(({ isReturned, end }) => isReturned && end > 0)).toEqual([]);
    expect(inOrder.filter(({ isReturned, start }) => !isReturned && start < -1_440)).toEqual([]);
    expect(inOrder.filter(({ review, start }) => review && start > 0)).toEqual([]);
  });

  it('show rentals to come, one that is out now, and many that are over', () => {
    const upcoming = inOrder.filter(({ start }) => start > 0);
    const outNow = inOrder.filter(({ start, isReturned }) => start < 0 && !isReturned);

    expect([upcoming.length > 1, outNow.length > 0]).toEqual([true, true]);
    expect(inOrder.filter(({ isReturned }) => isReturned).length).toBeGreaterThan(10);
  });

  it('give the admins a dispute, and a problem that keeps a returned booking from being completed', () => {
    const reported = inOrder.filter(({ problem }) => problem);

    expect(inOrder.filter(({ isDisputed }) => isDisputed)).toHaveLength(1);
    expect(reported).toEqual([expect.objectContaining({ isReturned: true })]);
    // Over for less than two days at any hour: it cannot be completed before the problem is reported.
    expect(reported.filter(({ end }) => end < -1_440)).toEqual([]);
  });

  it('show bookings that are completed: over for more than two days', () => {
    const completed = inOrder.filter(({ isReturned, end }) => isReturned && end < -2 * 1_440);

    expect(completed.length).toBeGreaterThan(10);
  });

  it('ask the demo’s owner, whose tool is on request, and nobody else', () => {
    const onRequest = tools.filter(({ terms }) => terms?.booking === 'request');

    expect(onRequest.map(({ owner }) => owner)).toEqual(['sam']);
    expect(stories.filter(({ isRequest }) => isRequest).map(({ tool }) => tool)).toEqual(
      onRequest.map(({ name }) => name),
    );
  });

  it('are told in the order in which they happened', () => {
    const days = stories.map(({ startsIn }) => startsIn);

    expect(days).toEqual(days.toSorted((a, b) => a - b));
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
    people: neighbors.map(({ key }) => ({ id: key, after: [] })),
    tools: mixed(tools).map(({ name, owner }) => ({ id: name, after: [owner] })),
    bookings: stories.map((story) => ({
      id: `${story.renter}: ${story.tool}`,
      after: [story.renter, story.tool],
      daysAgo: bookedDaysAgo(story),
    })),
  };
  const daysAgo = planPast(made);

  it('is one of four weeks, in which sign-ups, listings and rentals go on side by side', () => {
    const spans = Object.values(made).map((all) => {
      const days = all.map(({ id }) => daysAgo.get(id) ?? -1);
      return [Math.floor(Math.max(...days)), Math.floor(Math.min(...days))];
    });

    for (const [first, last] of spans) {
      expect(first).toBeLessThan(28);
      expect(first).toBeGreaterThan(13);
      expect(last).toBeGreaterThanOrEqual(0);
    }
  });

  it('lists nothing before its owner has come, and rents nothing before it is listed', () => {
    const tooEarly = Object.values(made)
      .flat()
      .filter(({ id, after }) =>
        after.some((other) => Number(daysAgo.get(id)) >= Number(daysAgo.get(other))),
      );

    expect(tooEarly).toEqual([]);
  });

  it('books before the rental begins', () => {
    expect(stories.filter((story) => bookedDaysAgo(story) <= -story.startsIn)).toEqual([]);
  });
});

describe('the dates of a story', () => {
  // Half past ten in the evening in Portland is already tomorrow in Atlanta.
  const now = Date.parse('2026-07-02T05:30:00Z');
  const times = { from: '9.00 AM', until: '6.30 PM' };

  it.each([
    ['America/Los_Angeles', '2026-07-04', '2026-07-06'],
    ['America/New_York', '2026-07-05', '2026-07-07'],
  ])('count from the day that it is in %s', (timeZone, start, end) => {
    const dates = datesOf({ startsIn: 3, days: 2, ...times }, timeZone, now);

    expect(dates).toEqual({
      ...{ start_date: start, start_time: '9.00 AM' },
      ...{ end_date: end, end_time: '6.30 PM' },
    });
  });

  it('are booked eight weeks ahead where they are over, on the same day of the week', () => {
    const story = { startsIn: -3, days: 0, ...times };

    expect(datesOf(story, 'America/Los_Angeles', now)).toMatchObject({
      ...{ start_date: '2026-08-23', end_date: '2026-08-23' },
    });
  });
});

/** Minutes after midnight of `7.30 AM`. */
function minutesOf(time: string): number {
  const [, hour = '', minute = '', half = ''] = /^(\d+)\.(\d\d) ([AP]M)$/.exec(time) ?? [];
  return ((Number(hour) % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute);
}
