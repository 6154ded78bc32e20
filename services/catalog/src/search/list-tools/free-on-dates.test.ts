import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { laterDay, localDate, weekdayOf } from '@lendtools/contracts/local-time';
import { bookingOf, holdOf } from '../../../test/bookings.ts';
import {
  type CatalogService,
  type Person,
  startCatalogForTest,
} from '../../../test/catalog-service.ts';

import { viewerOf } from '../../store/tool-json.ts';
import type { ToolSearch } from '../search-statement.ts';
import { searchTools } from '../tool-search.ts';

let catalog: CatalogService;
let owner: Person;
let categoryId: string;
beforeAll(async () => {
  catalog = await startCatalogForTest();
  owner = await catalog.addOwner();
});
afterAll(() => catalog.stop());

/** A Wednesday in daylight saving time, far enough ahead for any notice and near enough to be booked. */
const day = Array.from({ length: 350 }, (_, days) =>
  laterDay(localDate('UTC', Date.now()), days + 7),
)
  .filter((date) => ['06', '09'].includes(date.slice(5, 7)))
  .find((date) => weekdayOf(date) === 'wednesday') as string;
const later = (days: number): string => laterDay(day, days);
/** Midnight in Portland, `days` after the test's day. */
const at = (days: number): string => `${later(days)}T07:00:00.000Z`;

/** Lists a tool in a new category; `isFree` searches this category by dates. */
const listTool = async (fields: Record<string, unknown> = {}) => {
  categoryId = await catalog.addCategory();
  return catalog.addTool(owner, {
    categoryId,
    quantity: 1,
    ...fields,
    terms: { staysListed: true, ...(fields.terms as object) },
  });
};
const isFree = async (from: number, to = from): Promise<boolean> => {
  const { body } = await catalog.http.get(
    `/api/rentals/${categoryId}/get-tools?from=${later(from)}&to=${later(to)}`,
  );
  return body.rentals.length === 1;
};
const isListed = async (): Promise<boolean> =>
  (await catalog.http.get(`/api/rentals/${categoryId}/get-tools`)).body.rentals.length === 1;

const book = async (
  tool: Tool,
  [from, to]: [number, number],
  { units = [1], bookingId = randomUUID() }: { units?: number[]; bookingId?: string } = {},
): Promise<string> => {
  const dates = { startsAt: at(from), endsAt: at(to), units, quantity: units.length };
  await publish('BookingCreated', tool, { bookingId, ...dates });
  return bookingId;
};

const publish = async (
  type: 'BookingCreated' | 'BookingReturned' | 'BookingCancelled' | 'BookingReturnUndone',
  tool: Tool,
  { version = 1, ...changes }: Parameters<typeof bookingOf>[1] & { version?: number },
): Promise<void> => {
  const data = bookingOf(tool, changes);
  const event = await catalog.broker.sendNew(type, data, { id: data.bookingId, version });
  const queue =
    type === 'BookingReturnUndone'
      ? 'catalog.reopen-booking-when-return-undone'
      : 'catalog.update-status-when-booking-changed';
  await catalog.handled(queue, event);
};

/** Adds `count` copies of the tool, and books it and each copy on the day. */
const addBookedCopies = async ({ id }: Tool, count: number): Promise<void> => {
  await catalog.pool.query(
    `WITH taken AS (
       INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units,
         created_at, listed_at, place, terms)
       SELECT uuidv7(), owner_id, category_id, name, description, price_cents, rental_circle, units,
         created_at, listed_at, place, terms FROM tools, generate_series(1, $2) WHERE id = $1
       RETURNING id)
     INSERT INTO tool_bookings (booking_id, tool_id, quantity, booked_at, starts_at, ends_at, units)
     SELECT uuidv7(), id, 1, now(), $3, $4, '{1}' FROM (SELECT id FROM taken UNION ALL SELECT $1) t`,
    [id, count, at(0), at(1)],
  );
};

const publishHold = async (
  type: 'BookingHeld' | 'BookingExpired',
  hold: ReturnType<typeof holdOf>,
): Promise<void> => {
  await catalog.handled('catalog.sync-holds', await catalog.broker.sendNew(type, hold));
};

const hold = (tool: Tool, [from, to]: [number, number], units = [1]) => {
  const { lines, ...rest } = holdOf(tool);
  const dates = { startsAt: at(from), endsAt: at(to), units };
  return { ...rest, lines: lines.map((line) => ({ ...line, ...dates })) };
};

describe('a booked tool', () => {
  it('is always found without dates if it stays listed, and with dates by its calendar alone', async () => {
    const tool = await listTool();

    await book(tool, [3, 5]);

    expect(await isListed()).toBe(true);
    expect([await isFree(2), await isFree(4), await isFree(6)]).toEqual([true, false, true]);
  });

  it('is not found on any dates if it was listed without terms, until its owner saves the form', async () => {
    categoryId = await catalog.addCategory();
    const tool = await catalog.addTool(owner, { categoryId, quantity: 1 });
    await book(tool, [3, 5]);
    expect([await isListed(), await isFree(6)]).toEqual([false, false]);

    const body = { item_status: 'Available', terms: { staysListed: true } };
    await catalog.http.put(`/api/update-rental/${tool.id}`, { token: owner.token, body });
    await book(tool, [8, 9]);

    expect(await isListed()).toBe(true);
    expect([await isFree(4), await isFree(6), await isFree(8)]).toEqual([false, true, false]);
  });
});

describe('a search by dates', () => {
  it("omits tools that are booked on any of the days, in the tool's time zone", async () => {
    const tool = await listTool();
    expect(await isFree(0, 9)).toBe(true);

    await book(tool, [3, 5]);

    expect(await isFree(0, 2)).toBe(true);
    expect(await isFree(0, 3)).toBe(false);
    expect(await isFree(4)).toBe(false);
    expect(await isFree(5, 9)).toBe(true);
    expect(await isFree(0, 9)).toBe(false);
  });

  it('finds a tool only if one of its units is free on all of the days', async () => {
    const tool = await listTool({ quantity: 2 });
    await book(tool, [0, 2], { units: [1] });
    await book(tool, [3, 5], { units: [1] });
    expect(await isFree(0, 5)).toBe(true);

    await book(tool, [2, 3], { units: [2] });

    expect(await isFree(2)).toBe(true);
    expect(await isFree(0, 5)).toBe(false);
  });

  it('finds a tool again once its hold expires, its booking is cancelled, or it is returned', async () => {
    const tool = await listTool();
    const held = hold(tool, [0, 2]);
    await publishHold('BookingHeld', held);
    expect(await isFree(1)).toBe(false);
    await publishHold('BookingExpired', held);
    expect(await isFree(1)).toBe(true);

    const cancelled = await book(tool, [0, 2]);
    expect(await isFree(1)).toBe(false);
    await publish('BookingCancelled', tool, { bookingId: cancelled });
    expect(await isFree(1)).toBe(true);

    const returned = await book(tool, [0, 2]);
    await publish('BookingReturned', tool, { bookingId: returned, version: 2 });
    expect(await isFree(1)).toBe(true);
    await publish('BookingReturnUndone', tool, { bookingId: returned, version: 3 });
    expect(await isFree(1)).toBe(false);
  });

  it('uses the unit of the booking, not that of its hold, in whatever order the events arrive', async () => {
    for (const isHoldFirst of [true, false]) {
      const tool = await listTool({ quantity: 2 });
      await book(tool, [0, 2], { units: [1] });
      const held = hold(tool, [3, 5], [1]);
      const [{ bookingId }] = held.lines as unknown as [{ bookingId: string }];
      if (isHoldFirst) await publishHold('BookingHeld', held);
      await book(tool, [3, 5], { units: [2], bookingId });
      if (!isHoldFirst) await publishHold('BookingHeld', held);

      expect(await isFree(0, 5)).toBe(false);
    }
  });

  it('finds no tool on dates excluded by its blocked days, closed weekdays, buffer or rental length', async () => {
    await listTool({ terms: { blocked: [{ from: later(2), to: later(3) }] } });
    expect([await isFree(0, 1), await isFree(1, 2), await isFree(3), await isFree(4)]).toEqual([
      ...[true, false, false, true],
    ]);

    const closed = { [weekdayOf(later(2))]: null, [weekdayOf(later(3))]: null };
    await listTool({ terms: { hours: closed } });
    expect([
      await isFree(0, 1),
      await isFree(0, 2),
      await isFree(0, 3),
      await isFree(2, 4),
    ]).toEqual([...[true, false, true, false]]);

    const spaced = await listTool({ terms: { buffer: 2 } });
    await book(spaced, [5, 6]);
    expect([await isFree(2), await isFree(3), await isFree(7), await isFree(8)]).toEqual([
      ...[true, false, false, true],
    ]);

    await listTool({ terms: { shortest: 3 } });
    expect([await isFree(0, 1), await isFree(0, 2)]).toEqual([false, true]);
  });

  it('finds no tool whose owner requires more notice than the dates leave', async () => {
    const soon = (days: number) => laterDay(new Date().toISOString().slice(0, 10), days);
    const { id } = await listTool({ terms: { noticeHours: 72 } });
    const find = async (days: number) => {
      const dates = `from=${soon(days)}&to=${soon(days)}`;
      return (await catalog.http.get(`/api/rentals/${categoryId}/get-tools?${dates}`)).body.rentals;
    };

    expect(await find(1)).toEqual([]);
    expect(await find(5)).toMatchObject([{ id }]);
  });

  it('finds an hourly tool with free hours on each day', async () => {
    const tool = await listTool({ rental_circle: 'hourly' });
    await book(tool, [0, 1]);
    const bookingId = randomUUID();
    const [startsAt, endsAt] = [`${later(2)}T15:00:00.000Z`, `${later(2)}T17:00:00.000Z`];
    await publish('BookingCreated', tool, { bookingId, startsAt, endsAt, units: [1] });

    expect([await isFree(0), await isFree(0, 1), await isFree(1, 2)]).toEqual([false, false, true]);
  });

  it('combines dates with words, place and price, page by page', async () => {
    categoryId = await catalog.addCategory();
    const tools: Tool[] = [];
    for (let i = 0; i < 9; i++)
      tools.push(
        await catalog.addTool(owner, { categoryId, name: `Theodolite ${i}`, price: 10 + i }),
      );
    for (const tool of tools.filter((_, i) => i % 3 !== 0))
      await publishHold('BookingHeld', hold(tool, [0, 2]));
    const free = ['Theodolite 0', 'Theodolite 3', 'Theodolite 6'];
    const dates = `from=${day}&to=${day}`;
    const page = async (query: string) => (await catalog.http.get(`/api/${query}&${dates}`)).body;
    const namesOf = (list: Tool[]) => list.map(({ name }) => name);

    expect(namesOf((await page('all-rentals?q=theodolite&sort=price')).rentals)).toEqual(free);
    expect(namesOf((await page('all-rentals?q=theodolite')).rentals).sort()).toEqual(free);
    const near = await page('get-tools-near-you?lat=45.52&lng=-122.68&radius=5&q=theodolite');
    expect(namesOf(near.nearby).sort()).toEqual(free);
    const seen: string[] = [];
    let cursor = '';
    do {
      const next = await page(
        `rentals/${categoryId}/get-tools?sort=price&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...namesOf(next.rentals));
      cursor = next.nextCursor ?? '';
    } while (cursor);
    expect(seen).toEqual(free);
  });

  it('finds a free tool among thousands of booked ones, in a limited number of pages', async () => {
    const tool = await listTool({ terms: { blocked: [{ from: day, to: day }] } });
    await catalog.pool.query(
      `INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units,
         created_at, listed_at, place, terms)
       SELECT uuidv7(), owner_id, category_id, name, description, price_cents, rental_circle, units,
         created_at, listed_at, place, terms FROM tools, generate_series(1, 2500) WHERE id = $1`,
      [tool.id],
    );
    const last = await catalog.addTool(owner, { categoryId, price: 999 });
    const path = `/api/rentals/${categoryId}/get-tools?from=${day}&to=${day}&sort=price&limit=24`;

    let { rentals, nextCursor } = (await catalog.http.get(path)).body;
    expect([rentals, nextCursor]).toEqual([[], expect.any(String)]);
    // Reaching the free tool usually takes two pages, and more on a slow machine.
    while (nextCursor && rentals.length === 0)
      ({ rentals, nextCursor } = (await catalog.http.get(`${path}&cursor=${nextCursor}`)).body);

    expect({ rentals, nextCursor }).toMatchObject({ rentals: [{ id: last.id }], nextCursor: null });
  });

  it('reads a thousand tools at a time when nearly all are booked', async () => {
    const tool = await listTool();
    await addBookedCopies(tool, 1500);
    const last = await catalog.addTool(owner, { categoryId, price: 999 });
    const statements = jest.spyOn(catalog.pool, 'query');
    // Stop the clock, so that the search never spends too long on calendars.
    const clock = jest.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 });

    const found = await searchTools(catalog.pool, {
      dates: { from: day, to: day },
      order: 'price',
      limit: 24,
      viewer: viewerOf(null),
      categoryId,
    });

    const statementCount = statements.mock.calls.length;
    for (const spy of [statements, clock]) spy.mockRestore();
    expect(JSON.parse(found.tools)).toMatchObject([{ id: last.id }]);
    expect([statementCount, found.nextCursor]).toEqual([2, null]);
  });

  describe('a search that spends too long on calendars', () => {
    /** Makes each calendar take 30 ms, so that four exceed the time limit of a search. */
    const slowDown = () => {
      let user = 0;
      jest.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
        user += 30_000;
        return { user, system: 0 };
      });
    };
    afterEach(() => {
      jest.restoreAllMocks();
    });
    const find = (overrides: Partial<ToolSearch>) =>
      searchTools(catalog.pool, {
        dates: { from: day, to: day },
        order: 'price',
        limit: 24,
        viewer: viewerOf(null),
        ...overrides,
      });

    it('stops early, with a cursor that continues after the last examined tool', async () => {
      categoryId = await catalog.addCategory();
      const terms = { staysListed: true };
      for (let i = 0; i < 6; i++)
        await catalog.addTool(owner, { categoryId, price: 10 + i, terms });
      const pricesOf = ({ tools }: { tools: string }) =>
        (JSON.parse(tools) as Tool[]).map(({ price }) => price);
      slowDown();

      const first = await find({ categoryId });
      const second = await find({ categoryId, cursor: first.nextCursor ?? '' });

      expect(pricesOf(first)).toEqual([10, 11, 12, 13]);
      expect(pricesOf(second)).toEqual([14, 15]);
      expect(second.nextCursor).toBeNull();
    });

    it('returns no cursor if it stops at the last tool', async () => {
      categoryId = await catalog.addCategory();
      const terms = { staysListed: true };
      for (let i = 0; i < 4; i++)
        await catalog.addTool(owner, { categoryId, price: 10 + i, terms });
      slowDown();

      const { tools, nextCursor } = await find({ categoryId });

      expect([JSON.parse(tools).length, nextCursor]).toEqual([4, null]);
    });

    it('finds all tools with the typed words, over several pages, before it corrects the words', async () => {
      categoryId = await catalog.addCategory();
      const last = await catalog.addTool(owner, { categoryId, name: 'Heliostat' });
      const terms = { blocked: [{ from: day, to: day }] };
      for (let i = 0; i < 5; i++)
        await catalog.addTool(owner, { categoryId, name: `Heliostat ${i}`, terms });
      slowDown();

      const first = await find({ q: 'heliostat', order: 'relevance' });
      const cursor = first.nextCursor ?? '';
      const second = await find({ q: 'heliostat', order: 'relevance', cursor });

      expect(first).toMatchObject({ tools: '[]', nextCursor: expect.any(String) });
      expect(second.tools).toContain(last.id);
    });
  });

  it('finds no tools on past days', async () => {
    await listTool();
    const { body } = await catalog.http.get('/api/all-rentals?from=2020-01-01&to=2020-01-02');

    expect(body).toEqual({ rentals: [], nextCursor: null });
  });

  it('finds no tools on days too far ahead, or on too many days', async () => {
    await listTool();
    await listTool({ rental_circle: 'hourly' });
    const today = localDate('America/Los_Angeles', Date.now());
    const countOf = async (from: string, to: string) =>
      (await catalog.http.get(`/api/all-rentals?from=${from}&to=${to}`)).body.rentals.length;

    const yearAhead = laterDay(today, 365);
    expect(await countOf(yearAhead, yearAhead)).toBeGreaterThan(1);
    expect(await countOf(laterDay(today, 366), laterDay(today, 366))).toBe(0);
    expect(await countOf(laterDay(today, 368), laterDay(today, 368))).toBe(0);
    expect(await countOf(laterDay(today, 20), laterDay(today, 109))).toBeGreaterThan(0);
    expect(await countOf(laterDay(today, 20), laterDay(today, 110))).toBe(0);
  });

  it.each([
    `from=${day}`,
    `to=${day}`,
    `from=${later(1)}&to=${day}`,
    `from=${day}&to=${later(92)}`,
    'from=2035-02-30&to=2035-03-01',
  ])('rejects the dates of the query %s', async (query) => {
    for (const path of ['all-rentals?', 'get-tools-near-you?lat=45&lng=-122&radius=5&'])
      expect((await catalog.http.get(`/api/${path}${query}`)).status).toBe(400);
  });
});
