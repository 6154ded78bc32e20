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

describe('demo neighborhood', () => {
  it('references only its own people, tools and categories, and rents no tool to its owner', () => {
    const people = new Set(neighbors.map(({ key }) => key));
    const names = new Set(categories.map(({ name }) => name));
    const ownerOf = new Map(tools.map(({ name, owner }) => [name, owner]));

    expect(tools.filter(({ owner }) => !people.has(owner))).toEqual([]);
    expect(tools.filter(({ category }) => !names.has(category))).toEqual([]);
    expect(stories.filter(({ renter }) => !people.has(renter))).toEqual([]);
    expect(stories.filter(({ tool }) => !ownerOf.has(tool))).toEqual([]);
    expect(stories.filter(({ tool, renter }) => ownerOf.get(tool) === renter)).toEqual([]);
  });

  it('keeps every tool listed while it is booked', () => {
    expect(tools.filter(({ terms }) => !terms.staysListed)).toEqual([]);
  });

  it('has a picture for every person and category, and at least one for every tool', async () => {
    for (const { key } of neighbors) expect((await pictureOfPerson(key)).length).toBeGreaterThan(0);
    const pictured = await Promise.all(
      [...tools, ...categories].map(({ picture }) => picturesOf(picture)),
    );

    expect(pictured.filter((views) => views.length === 0)).toEqual([]);
  });

  it('has demo pictures of at most 60 kB each and 3 MB in total', async () => {
    const files = await readdir(picturesFolder, { recursive: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.endsWith('.webp'))
        .map((file) => stat(join(picturesFolder, file))),
    );

    expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThanOrEqual(60_000);
    expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(3_000_000);
  });

  it('has the tools that the site’s texts mention', () => {
    const requested = [
      'cordless',
      'drill',
      'pressure washer',
      'extension ladder',
      'tile saw',
      'lawn mower',
    ];
    const said = tools.map(({ name, description }) => `${name} ${description}`.toLowerCase());

    expect(requested.filter((words) => !said.some((text) => text.includes(words)))).toEqual([]);
  });
});

describe('demo stories', () => {
  const inOrder = stories.map((story) => ({
    ...story,
    // These are minutes since the start of today in the tool's time zone.
    start: story.startsIn * 1_440 + minutesOf(story.from),
    end: (story.startsIn + story.days) * 1_440 + minutesOf(story.until),
    units: tools.find(({ name }) => name === story.tool)?.quantity ?? 0,
    isHourly: tools.find(({ name }) => name === story.tool)?.circle === 'hourly',
  }));

  it('contain no overlapping rentals of a tool, and rent no tool to one renter twice', () => {
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

  it('begin and end at times that the site offers', () => {
    // The site offers half-hour steps from 7.00 AM to 7.00 PM, and 7.15 PM.
    const halfHours = Array.from({ length: 25 }, (_, step) => 7 * 60 + step * 30);
    const offered = new Set([...halfHours, 19 * 60 + 15]);

    expect(stories.filter(({ from }) => !offered.has(minutesOf(from)))).toEqual([]);
    expect(stories.filter(({ until }) => !offered.has(minutesOf(until)))).toEqual([]);
    expect(inOrder.filter(({ start, end }) => end <= start)).toEqual([]);
    expect(inOrder.filter(({ isHourly, days }) => isHourly !== (days === 0))).toEqual([]);
  });

  it('mark only rentals that ended by yesterday as returned, and review only rentals that have begun', () => {
    expect(inOrder.filter(({ isReturned, end }) => isReturned && end > 0)).toEqual([]);
    expect(inOrder.filter(({ isReturned, start }) => !isReturned && start < -1_440)).toEqual([]);
    expect(inOrder.filter(({ review, start }) => review && start > 0)).toEqual([]);
  });

  it('include upcoming rentals, a current one, and many past ones', () => {
    const upcoming = inOrder.filter(({ start }) => start > 0);
    const outNow = inOrder.filter(({ start, isReturned }) => start < 0 && !isReturned);

    expect([upcoming.length > 1, outNow.length > 0]).toEqual([true, true]);
    expect(inOrder.filter(({ isReturned }) => isReturned).length).toBeGreaterThan(10);
  });

  it('include a dispute, and a problem that blocks completion of a returned booking', () => {
    const reported = inOrder.filter(({ problem }) => problem);

    expect(inOrder.filter(({ isDisputed }) => isDisputed)).toHaveLength(1);
    expect(reported).toEqual([expect.objectContaining({ isReturned: true })]);
    // A problem can block completion only within two days of the rental's end, after which the booking completes.
    expect(reported.filter(({ end }) => end < -1_440)).toEqual([]);
  });

  it('include completed bookings, which ended more than two days ago', () => {
    const completed = inOrder.filter(({ isReturned, end }) => isReturned && end < -2 * 1_440);

    expect(completed.length).toBeGreaterThan(10);
  });

  it('include requests only for a tool of the demo owner', () => {
    const onRequest = tools.filter(({ terms }) => terms?.booking === 'request');

    expect(onRequest.map(({ owner }) => owner)).toEqual(['sam']);
    expect(stories.filter(({ isRequest }) => isRequest).map(({ tool }) => tool)).toEqual(
      onRequest.map(({ name }) => name),
    );
  });

  it('are in chronological order', () => {
    const days = stories.map(({ startsIn }) => startsIn);

    expect(days).toEqual(days.toSorted((a, b) => a - b));
  });
});

describe('listing order of the demo tools', () => {
  it('keeps all demo tools, and lists one of each category last', () => {
    const order = mixed(tools);

    const newest = order.slice(-categories.length).map(({ category }) => category);
    expect(new Set(newest).size).toBe(categories.length);
    expect(new Set(order)).toEqual(new Set(tools));
  });
});

describe('planPast', () => {
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

  it('spreads sign-ups, listings and rentals over four overlapping weeks', () => {
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

  it('puts sign-ups before listings, and listings before rentals', () => {
    const tooEarly = Object.values(made)
      .flat()
      .filter(({ id, after }) =>
        after.some((other) => Number(daysAgo.get(id)) >= Number(daysAgo.get(other))),
      );

    expect(tooEarly).toEqual([]);
  });

  it('books each demo rental before it starts', () => {
    expect(stories.filter((story) => bookedDaysAgo(story) <= -story.startsIn)).toEqual([]);
  });
});

describe('dates of a story', () => {
  // 10:30 PM in Portland is already tomorrow in Atlanta.
  const now = Date.parse('2026-07-02T05:30:00Z');
  const times = { from: '9.00 AM', until: '6.30 PM' };

  it.each([
    ['America/Los_Angeles', '2026-07-04', '2026-07-06'],
    ['America/New_York', '2026-07-05', '2026-07-07'],
  ])('are counted from the local day in %s', (timeZone, start, end) => {
    const dates = datesOf({ startsIn: 3, days: 2, ...times }, timeZone, now);

    expect(dates).toEqual({
      start_date: start,
      start_time: '9.00 AM',
      end_date: end,
      end_time: '6.30 PM',
    });
  });

  it('are moved eight weeks ahead for a past rental, to the same weekday', () => {
    const story = { startsIn: -3, days: 0, ...times };

    expect(datesOf(story, 'America/Los_Angeles', now)).toMatchObject({
      start_date: '2026-08-23',
      end_date: '2026-08-23',
    });
  });
});

function minutesOf(time: string): number {
  const [, hour = '', minute = '', half = ''] = /^(\d+)\.(\d\d) ([AP]M)$/.exec(time) ?? [];
  return ((Number(hour) % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute);
}
