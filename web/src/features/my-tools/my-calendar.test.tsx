import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildApproval, buildBooking, ids, sam } from '../../../test/bookings.ts';
import { FakeApi, type FakeRequest, type Handler, problem } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const zone = { timeZone: 'America/Los_Angeles' };
const drill = buildTool({ ...zone, terms: { buffer: 1, staysListed: true } });
const saw = buildTool({
  ...zone,
  id: ids.saw,
  name: 'Saw',
  item_status: 'Unavailable' as const,
  terms: { blocked: [{ from: '2031-06-20', to: '2031-06-22', note: 'Holiday' }] },
});
const booked = buildBooking({
  ...zone,
  startsAt: '2031-06-12T16:00:00.000Z',
  endsAt: '2031-06-14T07:00:00.000Z',
});

const change = {
  id: ids.message,
  quantity: 1,
  start_date: '2031-06-13',
  start_time: '',
  end_date: '2031-06-18',
  end_time: '',
  payment: 60,
  dueCents: 3_600,
  refundCents: 0,
  keptCents: 0,
};

let api: FakeApi;
let bookings: (typeof booked)[];
let tools: (typeof drill)[];
beforeEach(async () => {
  jest.useFakeTimers({ now: new Date('2031-06-10T19:00:00Z'), advanceTimers: true });
  tools = [drill, saw];
  bookings = [booked];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/calendar-feed': () => ({ since: null }),
    'GET /api/user/:id/rentals/my-rentals': () => ({ rentals: tools, nextCursor: null }),
    'GET /api/rentalBookings/my-bookings': () => ({
      bookings: [
        ...bookings,
        buildBooking({ ...booked, id: ids.hold, booking_status: 'Cancelled', rental_id: saw.id }),
        buildBooking({
          ...booked,
          id: ids.payment,
          booking_status: 'Requested',
          rental_id: saw.id,
          startsAt: '2031-06-26T16:00:00.000Z',
          endsAt: '2031-06-26T18:00:00.000Z',
        }),
        buildBooking({
          ...booked,
          id: ids.message,
          booking_status: 'Returned',
          rental_id: saw.id,
          startsAt: '2031-06-03T16:00:00.000Z',
          returnedAt: '2031-06-04T18:00:00.000Z',
        }),
      ],
      nextCursor: null,
    }),
    // Stores the terms as the catalog service does.
    'PUT /api/update-rental/:id': ({ path, text }) => {
      const i = tools.findIndex(({ id }) => path.endsWith(id));
      const terms = JSON.parse(/name="terms"\s+(\{.*\})/.exec(text)?.[1] ?? '{}');
      tools[i] = { ...(tools[i] as typeof drill), terms };
      return { message: 'Saved', rental: tools[i] };
    },
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  await api.stop();
});

async function open(query = '') {
  const opened = await renderApp(`/user/my-calendar${query}`, { api, user: sam });
  const of = async (name: string) => within(await screen.findByRole('group', { name }));
  return { ...opened, of };
}

/** Shows two weeks. Without it the calendar shows one, because jsdom's screen is narrow. */
function useWideScreen() {
  const narrow = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...narrow(query), matches: /48em/.test(query) }));
}

function sent() {
  const { path, text } = api.calls('PUT /api/update-rental/:id').at(-1) as FakeRequest;
  const part = (name: string) => new RegExp(`name="${name}"\\s+(.*)`).exec(text)?.[1]?.trim();
  return {
    tool: path.split('/').at(-1),
    ...(part('item_status') && { item_status: part('item_status') }),
    terms: JSON.parse(part('terms') ?? ''),
  };
}

describe('the calendar of an owner', () => {
  it('shows who has which tool on which days, and which days are blocked', async () => {
    useWideScreen();
    const { user, of, here } = await open('?from=2031-06-01');
    const drills = await of('Hammer drill');
    const saws = await of('Saw');

    const names = (await drills.findAllByRole('button', { name: /booked by/ })).map((day) =>
      day.getAttribute('aria-label'),
    );
    expect(names).toEqual([
      'Thursday, June 12, 2031, booked by Rita Lopez',
      'Friday, June 13, 2031, booked by Rita Lopez',
    ]);
    // It was returned early.
    expect(saws.getAllByRole('button', { name: /booked/ })).toHaveLength(2);
    expect(saws.getByRole('button', { name: 'Monday, June 9, 2031, over' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await user.click(screen.getByRole('button', { name: 'Next two weeks' }));
    expect(screen.getByRole('heading', { name: 'Jun 15 – Jun 28, 2031' })).toBeVisible();
    expect(saws.getAllByRole('button', { name: /blocked, Holiday$/ })).toHaveLength(3);
    expect(
      saws.getByRole('button', { name: /^Thursday, June 26, 2031, requested by/ }),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Today' }));
    await user.click(drills.getByRole('button', { name: /^Thursday, June 12/ }));
    await waitFor(() => expect(here()).toMatch(`/user/my-bookings-details?id=${ids.booking}`));
  });

  it('draws a bar for each stay with the renter and the status, and the price of each free day', async () => {
    const { of } = await open();
    const drills = await of('Hammer drill');

    const bar = (await drills.findByText('Rita L.')).parentElement as HTMLElement;
    expect(bar).toHaveTextContent('Rita L.Upcoming');
    expect(bar.style.gridColumn).toBe('3 / 5');
    expect(
      drills.getByRole('button', { name: 'Wednesday, June 11, 2031, free, $12' }),
    ).toHaveTextContent('$12');
    expect(drills.getByRole('button', { name: /^Thursday, June 12/ })).toHaveTextContent('');
    expect((await of('Saw')).getByText('Not listed')).toBeVisible();
  });

  it('marks a tool that is out, and one that is overdue', async () => {
    bookings = [
      { ...booked, startsAt: '2031-06-09T16:00:00.000Z', endsAt: '2031-06-13T01:00:00.000Z' },
      {
        ...booked,
        id: ids.message,
        rental_id: ids.saw,
        startsAt: '2031-06-08T16:00:00.000Z',
        endsAt: '2031-06-09T16:00:00.000Z',
      },
    ];
    const { of } = await open();

    expect(await (await of('Hammer drill')).findByText('Out now')).toBeVisible();
    const saws = await of('Saw');
    expect(await saws.findByText('Overdue')).toBeVisible();
    expect(saws.getByRole('button', { name: /^Tuesday, June 10.*, booked by Rita/ })).toBeVisible();
  });

  it('lists the rentals of the shown days with times and money', async () => {
    const { user } = await open();

    const link = await screen.findByRole('link', { name: /^Rita Lopez/ });
    expect(link).toHaveTextContent('Hammer drill');
    expect(link).toHaveTextContent('Upcoming$24.00');
    expect(link).toHaveAttribute('href', `/user/my-bookings-details?id=${ids.booking}`);
    const shown = api.calls('GET /api/rentalBookings/my-bookings').at(-1)?.query.toString();
    expect(shown).toMatch('from=2031-06-10&to=2031-06-16');
    await user.click(screen.getByRole('button', { name: 'Next week' }));
    expect(await screen.findByText('None. Free days can be rented.')).toBeVisible();
    await user.selectOptions(screen.getByLabelText('Month'), 'August 2031');
    expect(screen.getByRole('heading', { name: 'Aug 1 – Aug 7, 2031' })).toBeVisible();
  });

  it('offers the calendar’s address', async () => {
    await open();

    expect(await screen.findByRole('button', { name: 'Get an address' })).toBeVisible();
  });

  it('blocks a range of days by keyboard, keeps the other terms, and undoes the block', async () => {
    useWideScreen();
    const { user, of } = await open();
    const days = await of('Hammer drill');
    const day = (name: string) => days.getByRole('button', { name: new RegExp(`^${name}`) });
    day('Tuesday, June 10').focus();

    for (let i = 0; i < 6; i++) await user.keyboard('{ArrowRight}');
    expect(day('Monday, June 16')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/^Hammer drill from Mon, Jun 16 until …/)).toBeVisible();
    await user.keyboard('{Escape}{Enter}{ArrowRight}{ArrowRight}{Enter}');

    await waitFor(() => expect(days.getAllByRole('button', { name: /blocked/ })).toHaveLength(3));
    expect(sent()).toEqual({
      tool: drill.id,
      terms: {
        buffer: 1,
        staysListed: true,
        blocked: [{ from: '2031-06-16', to: '2031-06-18' }],
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(days.queryByRole('button', { name: /blocked/ })).toBeNull());
    expect(sent().terms.blocked).toEqual([]);
  });

  it('keeps both ranges when two are blocked in quick succession', async () => {
    const save = api.handlers['PUT /api/update-rental/:id'] as Handler;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    api.handlers['PUT /api/update-rental/:id'] = async (request) => {
      await held;
      return save(request);
    };
    const { user, of } = await open('?from=2031-06-15');
    const days = await of('Hammer drill');
    const day = (name: string) => days.getByRole('button', { name: new RegExp(`^${name}`) });

    await user.click(day('Monday, June 16'));
    await user.click(day('Monday, June 16'));
    await user.click(day('Friday, June 20'));
    await user.click(day('Friday, June 20'));
    release();

    await waitFor(() => expect(days.getAllByRole('button', { name: /blocked/ })).toHaveLength(2));
    expect(sent().terms.blocked).toEqual([
      { from: '2031-06-16', to: '2031-06-16' },
      { from: '2031-06-20', to: '2031-06-20' },
    ]);
  });

  it('blocks a range without losing one that was blocked elsewhere meanwhile', async () => {
    const save = api.handlers['PUT /api/update-rental/:id'] as Handler;
    tools[0] = { ...drill, revision: 1 };
    api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [tools[0] as typeof drill] });
    api.handlers['PUT /api/update-rental/:id'] = (request) =>
      request.headers['if-match'] === `"${tools[0]?.revision}"`
        ? save(request)
        : problem(412, 'EDITED_ELSEWHERE', 'Changed elsewhere.');
    const { user, of } = await open('?from=2031-06-15');
    const days = await of('Hammer drill');
    const elsewhere = { from: '2031-06-21', to: '2031-06-21' };
    tools[0] = { ...drill, revision: 2, terms: { ...drill.terms, blocked: [elsewhere] } };

    const monday = days.getByRole('button', { name: /^Monday, June 16/ });
    await user.click(monday);
    await user.click(monday);

    await waitFor(() => expect(days.getAllByRole('button', { name: /blocked/ })).toHaveLength(2));
    expect(sent().terms.blocked).toEqual([{ from: '2031-06-16', to: '2031-06-16' }, elsewhere]);
  });

  it('moves the focus by keys along the shown days, from month to month, and to other tools', async () => {
    const { user, of, here } = await open();
    const [drills, saws] = [await of('Hammer drill'), await of('Saw')];
    const day = (name: string, days = drills) => days.findByLabelText(new RegExp(`^${name}\\b`));
    (await day('Tuesday, June 10')).focus();

    await user.keyboard('{End}');
    expect(await day('Monday, June 16')).toHaveFocus();
    await user.keyboard('{Home}');
    expect(await day('Tuesday, June 10')).toHaveFocus();
    await user.keyboard('{PageDown}');
    expect(await day('Thursday, July 10')).toHaveFocus();
    expect(here()).toMatch('from=2031-07-10');
    await user.keyboard('{PageUp}{ArrowLeft}');
    expect(await day('Monday, June 9')).toHaveFocus();
    expect(here()).toMatch('from=2031-06-03');
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(await day('Tuesday, June 10', saws)).toHaveFocus();
    await user.keyboard('{Shift>}{PageDown}{/Shift}');
    expect(await day('Thursday, June 10, 2032', saws)).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(await day('Thursday, June 10, 2032')).toHaveFocus();
  });

  it('leaves keys with Alt, Ctrl and Meta to the browser', async () => {
    const { of } = await open();
    const days = await of('Hammer drill');
    const day = await days.findByLabelText(/^Tuesday, June 10\b/);
    day.focus();

    // `fireEvent` returns false if the event was prevented.
    for (const held of ['altKey', 'ctrlKey', 'metaKey'])
      for (const key of ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'])
        expect([held, key, fireEvent.keyDown(day, { key, [held]: true })]).toEqual([
          held,
          key,
          true,
        ]);

    expect(day).toHaveFocus();
  });

  it.each([
    ['2000-01-01', 'Saturday, January 1, 2000', '{PageUp}', 'Previous week', 'Jan 1 – Jan 7, 2000'],
    [
      '2099-12-31',
      'Thursday, December 31, 2099',
      '{PageDown}',
      'Next week',
      'Dec 31 – Jan 6, 2100',
    ],
  ])('does not go beyond its first and last day: %s', async (from, first, key, button, title) => {
    const { user, of } = await open(`?from=${from}`);
    const days = await of('Hammer drill');
    const day = await days.findByLabelText(new RegExp(`^${first}`));
    day.focus();

    await user.keyboard(key);
    expect(screen.getByRole('heading', { name: title })).toBeVisible();
    expect(day).toHaveFocus();
    await user.click(screen.getByRole('button', { name: button }));
    expect(screen.getByRole('heading', { name: title })).toBeVisible();
  });

  it('unblocks the chosen range, and on Undo restores the block with its note', async () => {
    const { user, of } = await open('?from=2031-06-16');
    const days = await of('Saw');

    await user.click(days.getByRole('button', { name: /^Saturday, June 21/ }));

    await waitFor(() => expect(days.queryByRole('button', { name: /blocked/ })).toBeNull());
    expect(sent()).toEqual({ tool: saw.id, terms: { blocked: [] } });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(days.getAllByRole('button', { name: /blocked, Holiday/ })).toHaveLength(3),
    );
  });

  it('blocks a range by mouse drag in either direction, and cancels a drag that ends elsewhere', async () => {
    const { of } = await open('?from=2031-06-22');
    const days = await of('Hammer drill');
    const day = (name: string) => days.getByRole('button', { name: new RegExp(`^${name}`) });
    const point = (type: string, target: Element | Window) =>
      fireEvent(
        target as Element,
        Object.assign(new MouseEvent(type, { bubbles: true, button: 0 }), { pointerType: 'mouse' }),
      );
    point('pointerdown', day('Friday, June 27'));
    point('pointerup', document.body);
    point('pointerup', day('Saturday, June 28'));
    expect(api.calls('PUT /api/update-rental/:id')).toEqual([]);

    point('pointerdown', day('Friday, June 27'));
    point('pointerover', day('Wednesday, June 25'));
    point('pointerup', day('Wednesday, June 25'));

    await waitFor(() => expect(days.getAllByRole('button', { name: /blocked/ })).toHaveLength(3));
    expect(sent().terms.blocked).toEqual([{ from: '2031-06-25', to: '2031-06-27' }]);
  });

  it('merges overlapping blocks with their notes, and separates them on Undo', async () => {
    const { user, of } = await open('?from=2031-06-16');
    const days = await of('Saw');
    const day = (name: string) => days.getByRole('button', { name: new RegExp(`^${name}`) });

    await user.click(day('Wednesday, June 18'));
    await user.click(day('Saturday, June 21'));

    await waitFor(() =>
      expect(days.getAllByRole('button', { name: /blocked, Holiday$/ })).toHaveLength(5),
    );
    expect(sent().terms.blocked).toEqual([
      { from: '2031-06-18', to: '2031-06-22', note: 'Holiday' },
    ]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(days.getAllByRole('button', { name: /blocked/ })).toHaveLength(3));
    expect(sent().terms.blocked).toEqual(saw.terms?.blocked);
  });

  it('offers an undo of the last change only', async () => {
    const { user, of } = await open('?from=2031-06-16');
    const days = await of('Saw');
    await user.click(days.getByRole('button', { name: /^Saturday, June 21/ }));
    await screen.findByText('Saw is free again: Fri, Jun 20 – Sun, Jun 22');

    await user.click(days.getByRole('button', { name: /^Wednesday, June 18/ }));
    await user.click(days.getByRole('button', { name: /^Wednesday, June 18/ }));

    await screen.findByText('Saw is blocked: Wed, Jun 18');
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1));
  });

  it('shows a dialog for a day that is both requested and blocked', async () => {
    tools[1] = { ...saw, terms: { blocked: [{ from: '2031-06-25', to: '2031-06-26' }] } };
    const { user, of, here } = await open('?from=2031-06-22');
    const days = await of('Saw');
    const day = () => days.getByRole('button', { name: /^Thursday, June 26/ });

    await user.click(await days.findByRole('button', { name: /^Thursday, June 26.*requested by/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Thursday, June 26, 2031' }));
    expect(dialog.getByRole('link', { name: /^Requested by/ })).toHaveAttribute(
      'href',
      `/user/my-bookings-details?id=${ids.payment}`,
    );
    await user.click(dialog.getByRole('button', { name: 'Free Wed, Jun 25 – Thu, Jun 26' }));

    await waitFor(() => expect(day()).not.toHaveAccessibleName(/blocked/));
    expect(sent().terms.blocked).toEqual([]);
    expect(here()).toMatch(/^\/user\/my-calendar/);
  });

  it.each([
    ['2031-07-04', 'Jul 4 – Jul 10, 2031'],
    ['2031-13-01', 'Jun 10 – Jun 16, 2031'],
    ['soon', 'Jun 10 – Jun 16, 2031'],
  ])('opens at the day in the URL: %s', async (from, title) => {
    await open(`?from=${from}`);

    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  });

  it.each([
    ['pending', 4],
    ['accepted', 4],
    ['declined', 0],
  ] as const)('shows the days of a requested change: %s', async (status, most) => {
    bookings = [{ ...booked, approval: buildApproval({ status, change }) }];
    const { user, of, here } = await open('?from=2031-06-11');
    const days = await of('Hammer drill');

    const { first_name, last_name } = booked.user;
    const by = `by ${first_name} ${last_name}`;
    const named = (name: RegExp) =>
      days.queryAllByRole('button', { name }).map((day) => day.getAttribute('aria-label'));
    expect(await days.findAllByRole('button', { name: /booked by/ })).toHaveLength(2);
    expect(named(/requested by/)).toEqual(
      [
        `Saturday, June 14, 2031, requested ${by}`,
        `Sunday, June 15, 2031, requested ${by}`,
        `Monday, June 16, 2031, requested ${by}`,
        `Tuesday, June 17, 2031, requested ${by}`,
      ].slice(0, most),
    );
    const sunday = days.getByRole('button', { name: /^Sunday, June 15/ });
    expect(sunday.dataset.state).toBe(most ? 'requested' : undefined);
    await user.click(sunday);
    if (most)
      await waitFor(() => expect(here()).toMatch(`/user/my-bookings-details?id=${ids.booking}`));
    else expect(await screen.findByText(/from Sun, Jun 15 until/)).toBeVisible();
  });

  it('distinguishes a request from a booking', async () => {
    useWideScreen();
    const { of } = await open('?from=2031-06-13');
    const drills = await of('Hammer drill');
    const saws = await of('Saw');

    const requested = await saws.findByRole('button', { name: /requested by/ });
    expect(requested).toHaveAttribute('data-state', 'requested');
    expect(drills.getByRole('button', { name: /booked by/ })).toHaveAttribute(
      'data-state',
      'booked',
    );
    expect(screen.getByText('requested, waiting for you')).toBeVisible();
  });
});
