import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { laterDay } from '@lendtools/contracts/local-time';
import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, type FakeRequest } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { formatDay, localDay } from '../../rental/format.ts';

const washer = buildTool({ name: 'Pressure washer' });
const garden = { id: '0190a000-0000-7000-8000-000000000002', name: 'Garden', image: 'null' };

function page(tools: object[], more: object = {}) {
  return {
    rentals: tools,
    nextCursor: null,
    ...more,
  };
}

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/all-rentals': () => page([washer]),
    'GET /api/all-rental-categories': () => ({ allCategories: [garden] }),
    'GET /api/get-tools-near-you': () => ({ nearby: [], nextCursor: null }),
  });
  Object.defineProperty(navigator, 'geolocation', {
    value: {
      getCurrentPosition: (done: PositionCallback) =>
        done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    },
    configurable: true,
    writable: true,
  });
});
afterEach(async () => {
  Object.assign(navigator, { geolocation: undefined });
  await api.stop();
});

function lastRequested() {
  return Object.fromEntries((api.calls('GET /api/all-rentals').at(-1) as FakeRequest).query);
}

describe('a corrected search', () => {
  it('shows the corrected words, and searches for the typed ones on request', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      query.get('exact') ? page([]) : page([washer], { searchedFor: 'pressure washer' });
    const { user, here, router } = await renderApp('/home?q=presure+wahser', { api });

    const said = await screen.findByText(/Showing results for/);
    expect(said).toHaveTextContent('Showing results for pressure washer.');
    await user.click(screen.getByRole('button', { name: 'Search for “presure wahser” instead' }));

    await waitFor(() => expect(here()).toBe('/home?q=presure+wahser&exact=true'));
    expect(await screen.findByText('Nothing found for “presure wahser”')).toBeVisible();
    expect(screen.queryByText(/Showing results for/)).toBeNull();
    await act(() => router.navigate(-1));
    expect(await screen.findByText(/Showing results for/)).toBeVisible();
  });
});

describe('the sort order', () => {
  it('stores the user’s choice in the URL and shows its name', async () => {
    const { user, here } = await renderApp('/home', { api });
    await screen.findByText('1 tool to rent');
    const list = screen.getByLabelText('Sort by');
    expect(list).toHaveValue('newest');
    expect(within(list).queryByRole('option', { name: 'Best match' })).toBeNull();

    await user.selectOptions(list, 'Lowest price');

    await waitFor(() => expect(here()).toBe('/home?sort=price'));
    expect(await screen.findByText('1 tool to rent, lowest price first')).toBeVisible();
    expect(lastRequested()).toMatchObject({ sort: 'price' });
    await user.selectOptions(list, 'Newest');
    await waitFor(() => expect(here()).toBe('/home'));
  });

  it('sends the reader’s location, but no radius, when sorting by distance', async () => {
    api.handlers['GET /api/all-rentals'] = () => page([{ ...washer, distance: 3.4 }]);
    await renderApp('/home?sort=distance', { api });

    expect(await screen.findByText('1 tool to rent, nearest first')).toBeVisible();
    const place = { lat: '45.5025', lng: '-122.5998' };
    expect(lastRequested()).toMatchObject({ sort: 'distance', ...place });
    expect(lastRequested()).not.toHaveProperty('radius');
  });

  it('offers relevance only if there are search words, and ignores an unknown order in the URL', async () => {
    for (const sort of ['relevance', 'password']) {
      await renderApp(`/home?sort=${sort}&min=x&max=999999999`, { api });
      await screen.findAllByText('1 tool to rent');
      expect(lastRequested()).toEqual({ limit: '20' });
    }
  });
});

describe('the price filter', () => {
  it('accepts prices with cents, and adds one history entry', async () => {
    const { user, here, router } = await renderApp('/home', { api });

    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    await user.type(await screen.findByLabelText('Highest price'), '5.50');
    await user.type(screen.getByLabelText('Lowest price'), '20');
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    await waitFor(() => expect(here()).toBe('/home?min=5.5&max=20'));
    await waitFor(() => expect(lastRequested()).toMatchObject({ minPrice: '5.5', maxPrice: '20' }));
    await waitFor(() => expect(screen.queryByLabelText('Lowest price')).toBeNull());
    expect(screen.getByRole('button', { name: 'Remove $5.50 to $20' })).toBeVisible();
    await act(() => router.navigate(-1));
    await waitFor(() => expect(here()).toBe('/home'));
    expect(screen.queryByRole('list', { name: 'Filters' })).toBeNull();
  });

  it('closes the filters with Esc, changes nothing, and returns the focus to their button', async () => {
    const { user, here } = await renderApp('/home', { api });
    const button = await screen.findByRole('button', { name: 'Filters' });
    await user.click(button);
    await user.type(await screen.findByLabelText('Lowest price'), '7');

    await user.keyboard('{Escape}');

    await waitFor(() => expect(button).toHaveFocus());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(here()).toBe('/home');
  });

  it('clears the filters of the sheet, and keeps the words', async () => {
    const { user, here } = await renderApp(`/home?q=washer&category=${garden.id}&max=30`, { api });
    await user.click(await screen.findByRole('button', { name: 'Filters, 2 chosen' }));

    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));

    await waitFor(() => expect(here()).toBe('/home?q=washer'));
  });
});

describe('the row of filter chips', () => {
  it('has a chip for each filter of the sheet, and removes the filter when its chip is pressed', async () => {
    const all = `q=washer&category=${garden.id}&radius=5&max=30`;
    const { user, here } = await renderApp(`/home?${all}`, { api });
    const chips = await screen.findByRole('list', { name: 'Filters' });
    const chip = (name: string) => within(chips).findByRole('button', { name: `Remove ${name}` });

    await user.click(await chip('Garden'));
    await waitFor(() => expect(here()).toBe('/home?q=washer&radius=5&max=30'));
    expect(within(chips).queryByText('Clear all')).toBeNull();
    await user.click(await chip('Up to $30'));
    await waitFor(() => expect(here()).toBe('/home?q=washer&radius=5'));
  });

  it('removes all filters by one button', async () => {
    const all = `q=washer&max=30&category=${garden.id}&tab=2`;
    const { user, here } = await renderApp(`/home?${all}`, { api });

    await user.click(await screen.findByRole('button', { name: 'Clear all' }));

    await waitFor(() => expect(here()).toBe('/home?q=washer&tab=2'));
  });
});

describe('the date filter', () => {
  const today = localDay();
  const [first, last] = [laterDay(today, 1), laterDay(today, 3)];
  const dates = `start_date=${first}&end_date=${last}`;
  afterEach(() => void jest.useRealTimers());

  it('offers a calendar to pick dates, and finds the tools that are free on all these days', async () => {
    // A date early in the month, so that both picked days are in the same month.
    jest.useFakeTimers({ now: new Date('2031-06-10T12:00:00Z'), advanceTimers: true });
    const { user, here } = await renderApp('/home', { api });

    await user.click(await screen.findByRole('button', { name: 'When Any day' }));
    await user.click(await screen.findByRole('button', { name: 'Pick days' }));
    await user.click(await screen.findByRole('button', { name: /^Friday, June 13, 2031/ }));
    await user.click(screen.getByRole('button', { name: /^Sunday, June 15, 2031/ }));
    expect(here()).toBe('/home');
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    await waitFor(() => expect(here()).toBe('/home?start_date=2031-06-13&end_date=2031-06-15'));
    await waitFor(() =>
      expect(lastRequested()).toMatchObject({ from: '2031-06-13', to: '2031-06-15' }),
    );
    expect(await screen.findByText('1 tool to rent on your dates')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'When Fri to Sun' }));
    await user.click(await screen.findByRole('button', { name: 'Any day' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));
    await waitFor(() => expect(here()).toBe('/home'));
    await waitFor(() => expect(screen.queryByText(/on your dates/)).toBeNull());
  });

  it('opens the tool’s page with a return in the evening, for a member', async () => {
    const { user } = await renderApp('/user/user-dashboard', { api, user: rita });
    await user.click(await screen.findByRole('button', { name: 'When Any day' }));
    await user.click(await screen.findByRole('button', { name: 'Tomorrow' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    await screen.findByText('1 tool to rent on your dates');
    const days = `start_date=${first}&end_date=${first}&end_time=6.00+PM`;
    expect(screen.getByRole('link', { name: washer.name })).toHaveAttribute(
      'href',
      `/user/rental-details?id=${washer.id}&${days}`,
    );
  });

  it.each([
    `start_date=2020-01-02&end_date=2020-01-03`,
    `start_date=${last}&end_date=${first}`,
    `start_date=${first}`,
    `start_date=${first}&end_date=${laterDay(first, 91)}`,
    'start_date=soon&end_date=later',
  ])('ignores dates if the URL has %s', async (address) => {
    await renderApp(`/home?${address}`, { api });

    await screen.findByText('1 tool to rent');
    expect(lastRequested()).toEqual({ limit: '20' });
    expect(screen.getByRole('button', { name: 'When Any day' })).toBeVisible();
  });

  it('offers the nearest dates with a free tool, and a search without dates, if nothing is free', async () => {
    const wanted = laterDay(first, -1);
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      page(query.get('from') && query.get('from') !== wanted ? [] : [washer]);
    const { user, here } = await renderApp(`/home?${dates}`, { api });
    const inWords = (days: number) =>
      `${formatDay(laterDay(first, days))} – ${formatDay(laterDay(last, days))}`;

    expect(await screen.findByText(`Nothing is free on ${inWords(0)}`)).toBeVisible();
    const nearest = await screen.findByRole('button', { name: inWords(-1) });
    expect(screen.getByRole('button', { name: 'Any day' })).toBeVisible();
    await user.click(nearest);

    await waitFor(() =>
      expect(here()).toBe(`/home?start_date=${wanted}&end_date=${laterDay(last, -1)}`),
    );
    expect(await screen.findByRole('article')).toHaveTextContent('Pressure washer');
  });

  it('loads a few pages if few tools are free, then more on request', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      query.get('cursor') === '5'
        ? page([washer])
        : page([], { nextCursor: String(Number(query.get('cursor')) + 1) });
    const { user } = await renderApp(`/home?${dates}`, { api });
    const requested = () =>
      api.calls('GET /api/all-rentals').filter(({ query }) => query.get('limit') !== '1').length;

    await user.click(await screen.findByRole('button', { name: 'Show more tools' }));
    await waitFor(() => expect(requested()).toBe(5));
    await user.click(await screen.findByRole('button', { name: 'Show more tools' }));

    expect(await screen.findByText('1 tool to rent on your dates')).toBeVisible();
    expect(requested()).toBe(6);
  });

  it('loads further pages while the loaded ones are empty', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      query.get('cursor') ? page([washer]) : page([], { nextCursor: 'on' });

    await renderApp(`/home?${dates}`, { api });

    expect(await screen.findByRole('article')).toHaveTextContent('Pressure washer');
    expect(screen.queryByText(/^Nothing is free/)).toBeNull();
  });
});

describe('a search without results', () => {
  it('shows what was searched for, and suggests changes that find something', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      query.get('category') && query.get('maxPrice')
        ? page(query.get('sort') === 'distance' ? [{ ...washer, distance: 7.2 }] : [])
        : page([washer]);
    const requested = `category=${garden.id}&radius=1&max=30`;
    const { user, here } = await renderApp(`/home?${requested}`, { api });

    const title = await screen.findByText('No tools in Garden within 1 mile for up to $30 yet');
    expect(title).toBeVisible();
    const wider = await screen.findByRole('button', { name: 'Look within 10 miles' });
    expect(screen.queryByRole('button', { name: 'All categories' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Any price' })).toBeNull();
    await user.click(wider);

    await waitFor(() => expect(here()).toBe(`/home?category=${garden.id}&radius=10&max=30`));
  });

  it('offers to search all categories if another category has a matching tool', async () => {
    api.handlers['GET /api/all-rentals'] = () => page([]);
    api.handlers['GET /api/get-tools-near-you'] = ({ query }) => ({
      nearby: query.get('category') ? [] : [washer],
      nextCursor: null,
    });
    const { user, here } = await renderApp(`/home?category=${garden.id}&radius=1`, { api });

    await user.click(await screen.findByRole('button', { name: 'All categories' }));

    await waitFor(() => expect(here()).toBe('/home?radius=1'));
    expect(await screen.findByRole('article')).toHaveTextContent('Pressure washer');
  });

  it('tries changes of the filters one at a time, and stops at the first dates with a tool', async () => {
    let [now, most] = [0, 0];
    const day = localDay();
    api.handlers['GET /api/all-rentals'] = async ({ query }) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now -= 1;
      return page(query.get('from') === laterDay(day, 9) ? [washer] : []);
    };
    const dates = `start_date=${laterDay(day, 10)}&end_date=${laterDay(day, 11)}`;
    await renderApp(`/home?q=zither&category=${garden.id}&${dates}`, { api });

    await screen.findByRole('button', {
      name: `${formatDay(laterDay(day, 9))} – ${formatDay(laterDay(day, 10))}`,
    });

    expect(most).toBe(1);
    const tried = api
      .calls('GET /api/all-rentals')
      .filter(({ query }) => query.get('limit') === '1');
    expect(tried.map(({ query }) => query.get('from'))).toEqual([
      ...[11, 9].map((days) => laterDay(day, days)),
      ...[null, laterDay(day, 10), laterDay(day, 10)],
    ]);
  });

  it('offers to show all tools if no single changed filter finds one', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) => page(query.size > 1 ? [] : [washer]);
    const { user, here } = await renderApp(`/home?q=zither&category=${garden.id}`, { api });

    await user.click(await screen.findByRole('button', { name: 'Show all tools' }));

    await waitFor(() => expect(here()).toBe('/home'));
  });
});
