import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, type FakeRequest, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { onPhone } from '../../../test/screen-width.ts';
import { localDay } from '../../rental/format.ts';

const drill = buildTool();
const ladder = buildTool({ id: '0190b000-0000-7000-8000-000000000002', name: 'Ladder', rating: 0 });
const garden = { id: '0190a000-0000-7000-8000-000000000002', name: 'Garden', image: 'null' };

function answerSearch({ query }: FakeRequest) {
  if (query.get('cursor') === 'second') return { rentals: [ladder], nextCursor: null };
  const q = query.get('q');
  if (q && !drill.name.toLowerCase().includes(q)) return { rentals: [], nextCursor: null };
  return { rentals: [drill], nextCursor: q ? null : 'second' };
}

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/all-rentals': answerSearch,
    'GET /api/all-rental-categories': () => ({ allCategories: [garden] }),
    'GET /api/get-tools-near-you': () => ({
      nearby: [{ ...drill, distance: 1.2 }],
      nextCursor: null,
    }),
  });
});
afterEach(async () => {
  Object.assign(navigator, { geolocation: undefined });
  await api.stop();
});

function answerGeolocation(answer: Partial<Geolocation>) {
  Object.defineProperty(navigator, 'geolocation', {
    value: answer,
    configurable: true,
    writable: true,
  });
}

describe('/home', () => {
  it('shows the headline and the available tools, each with a link to its page', async () => {
    await renderApp('/home', { api });

    const card = await screen.findByRole('article');

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'Rent & Lend Tools in Your Neighborhood',
    );
    expect(card).toHaveTextContent('Hammer drill');
    expect(card).toHaveTextContent('$12 daily');
    expect(card).toHaveTextContent('Rent tool');
    expect(within(card).getByRole('img', { name: 'Rated 4.5 of 5 stars' })).toBeVisible();
    const link = within(card).getByRole('link', { name: 'Hammer drill' });
    expect(link).toHaveAttribute('href', `/rental-details?id=${drill.id}`);
  });

  it('loads the next page of tools on request', async () => {
    const { user } = await renderApp('/home', { api });

    await user.click(await screen.findByRole('button', { name: 'Show more tools' }));

    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'Show more tools' })).toBeNull();
  });

  it('searches while the user types, and keeps the search in the URL', async () => {
    const { user, here } = await renderApp('/home', { api });

    await user.type(await screen.findByLabelText('Search tools by name'), 'drill');

    await waitFor(() => expect(here()).toBe('/home?q=drill'));
    expect(await screen.findByText('1 tool to rent')).toBeVisible();
  });

  it('hides the introduction during a search, and shows it again once the search is cleared', async () => {
    const { user } = await renderApp('/home', { api });
    const banner = await screen.findByRole('region', { name: 'Welcome' });
    const field = screen.getByLabelText('Search tools by name');

    await user.type(field, 'drill');

    await waitFor(() => expect(banner).not.toBeInTheDocument());
    expect(field).toHaveFocus();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Tools to rent');
    expect(screen.queryByRole('region', { name: 'Near you' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Clear the text' }));
    expect(await screen.findByRole('region', { name: 'Welcome' })).toBeVisible();
  });

  describe('when a tool is pressed before the search runs', () => {
    afterEach(() => void jest.useRealTimers());

    /** Fires a pointer event. jsdom has no PointerEvent, so `fireEvent.pointerDown` would drop `button`. */
    const point = (type: string, target: Element, init?: MouseEventInit) =>
      fireEvent(target, new MouseEvent(`pointer${type}`, { bubbles: true, ...init }));
    /** Presses a link after typing but before the search runs; fake timers keep the search from starting earlier. */
    const pressWhileTyping = async (press?: MouseEventInit) => {
      api.handlers['GET /api/get-tool/:id'] = () => ({ tool: [drill] });
      const { here } = await renderApp('/home', { api });
      const link = await screen.findByRole('link', { name: 'Hammer drill' });
      jest.useFakeTimers();
      fireEvent.change(screen.getByLabelText('Search tools by name'), { target: { value: 'z' } });
      point('down', link, press);
      return { link, here };
    };
    const pass = (ms: number) => act(() => void jest.advanceTimersByTime(ms));

    it.each([0, 350])('opens the tool even if the press lasts %i ms', async (held) => {
      const { link, here } = await pressWhileTyping();

      pass(held);
      point('up', link);
      pass(350);
      jest.useRealTimers();
      fireEvent.click(link);

      await screen.findByRole('button', { name: 'Proceed To Booking' });
      expect(here()).toBe(`/rental-details?id=${drill.id}`);
      expect(api.calls('GET /api/all-rentals')).toHaveLength(1);
    });

    it.each([
      ['becomes a scroll', (link: Element) => point('cancel', link)],
      ['is released elsewhere', () => point('up', document.body)],
    ])('runs the search if the press on a tool %s', async (_, end) => {
      const { link, here } = await pressWhileTyping();

      end(link);
      pass(350);

      expect(here()).toBe('/home?q=z');
    });

    it.each([
      ['the middle button', { button: 1 }],
      ['Ctrl', { ctrlKey: true }],
      ['⌘', { metaKey: true }],
      ['Shift', { shiftKey: true }],
    ])('runs the search if %s opens the tool in another tab', async (_, press) => {
      const { link, here } = await pressWhileTyping(press);

      point('up', link, press);
      pass(350);

      expect(here()).toBe('/home?q=z');
    });
  });

  it('suggests what to try when nothing is found', async () => {
    const { user, here } = await renderApp('/home?q=zeppelin', { api });

    expect(await screen.findByText('Nothing found for “zeppelin”')).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Clear the search' }));

    await waitFor(() => expect(here()).toBe('/home'));
    expect(await screen.findByRole('article')).toHaveTextContent('Hammer drill');
  });

  it('filters by the chosen category, and counts the filters on their button', async () => {
    const { user } = await renderApp('/home', { api });
    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    await screen.findByRole('option', { name: 'Garden' });

    await user.selectOptions(screen.getByLabelText('Category'), 'Garden');
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    expect(await screen.findByRole('button', { name: 'Filters, 1 chosen' })).toBeVisible();
    await waitFor(() =>
      expect(api.calls('GET /api/all-rentals').at(-1)?.query.get('category')).toBe(garden.id),
    );
  });

  it('adds a history entry for each chosen filter, and one for a typed search', async () => {
    const { user, here, router } = await renderApp('/benefits', { api });
    const back = () => act(() => router.navigate(-1));
    await act(() => router.navigate('/home'));

    await user.click(await screen.findByRole('link', { name: 'Garden' }));
    const chosen = `/home?category=${garden.id}`;
    await waitFor(() => expect(here()).toBe(chosen));
    const field = screen.getByLabelText('Search tools by name');
    await user.type(field, 'dr');
    await waitFor(() => expect(here()).toBe(`${chosen}&q=dr`));
    await user.type(field, 'ill');
    await waitFor(() => expect(here()).toBe(`${chosen}&q=drill`));

    await back();
    expect(here()).toBe(chosen);
    expect(field).toHaveValue('');
    await back();
    expect(here()).toBe('/home');
    expect(screen.getByRole('button', { name: 'Filters' })).toBeVisible();
    await act(() => router.navigate(2));
    await waitFor(() => expect(here()).toBe(`${chosen}&q=drill`));
    expect(field).toHaveValue('drill');
    await act(() => router.navigate(-3));
    expect(here()).toBe('/benefits');
  });

  it('shows the server’s error if the tools fail to load, and retries on request', async () => {
    api.handlers['GET /api/all-rentals'] = () =>
      problem(503, 'BUSY', 'The shelves are being moved');
    const { user } = await renderApp('/home', { api });
    await screen.findByText('The shelves are being moved');

    api.handlers['GET /api/all-rentals'] = answerSearch;
    await user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await screen.findByRole('article')).toHaveTextContent('Hammer drill');
  });
});

describe('the pill on a phone', () => {
  it('opens a sheet for what, where and when, and searches for all three at once', async () => {
    answerGeolocation({
      getCurrentPosition: (done) =>
        done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    });
    onPhone();
    const { user, here, router } = await renderApp('/home', { api });

    await user.click(await screen.findByRole('button', { name: /^What do you need/ }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Find a tool' }));
    const words = sheet.getByLabelText('Search tools by name');
    await waitFor(() => expect(words).toHaveFocus());
    await user.type(words, 'drill');
    await user.click(sheet.getByRole('button', { name: 'Today' }));
    await user.selectOptions(sheet.getByLabelText('Near me'), '5 miles');
    expect(here()).toBe('/home');
    await user.click(sheet.getByRole('button', { name: 'Show tools' }));

    const days = `start_date=${localDay()}&end_date=${localDay()}`;
    await waitFor(() => expect(here()).toBe(`/home?q=drill&radius=5&${days}`));
    const pill = await screen.findByRole('button', { name: /^drill Within 5 miles of you · / });
    await waitFor(() => expect(pill).toHaveFocus());
    await act(() => router.navigate(-1));
    await waitFor(() => expect(here()).toBe('/home'));
  });

  it('keeps a wrong ZIP code in the sheet, with the problem beside it', async () => {
    const { user, here } = await renderApp('/home', { api });
    await user.click(await screen.findByRole('button', { name: 'Where Anywhere' }));

    await user.type(await screen.findByLabelText('ZIP code'), '97{Enter}');

    expect(await screen.findByText('Please enter a ZIP code of five digits')).toBeVisible();
    expect(screen.getByLabelText('ZIP code')).toHaveFocus();
    expect(here()).toBe('/home');
  });

  it('shows a few tools, then the categories, and all tools on request', async () => {
    const tools = Array.from({ length: 20 }, (_, i) =>
      buildTool({ id: `0190b000-0000-7000-8000-0000000000${10 + i}` }),
    );
    api.handlers['GET /api/all-rentals'] = () => ({ rentals: tools, nextCursor: null });
    onPhone();
    const { user } = await renderApp('/home', { api });

    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(8));
    expect(screen.getByText('8+ tools to rent')).toBeVisible();
    const tiles = screen.getByRole('navigation', { name: 'Categories' });
    const before = screen
      .getAllByRole('article')
      .filter((card) => card.compareDocumentPosition(tiles) & Node.DOCUMENT_POSITION_FOLLOWING);
    expect(before.length).toBeGreaterThan(0);
    await user.click(screen.getByRole('button', { name: 'Show more tools' }));

    expect(screen.getAllByRole('article')).toHaveLength(20);
    expect(screen.queryByRole('button', { name: 'Show more tools' })).toBeNull();
  });
});

describe('the search near the reader', () => {
  it('asks for the location and shows distances', async () => {
    answerGeolocation({
      getCurrentPosition: (done) =>
        done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    });
    const { user, here } = await renderApp('/user/user-dashboard', { api, user: rita });
    await screen.findByRole('article');

    await user.click(screen.getByRole('button', { name: /^Where/ }));
    await user.selectOptions(await screen.findByLabelText('Near me'), '5 miles');
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    expect(await screen.findByText('1.2 mi away')).toBeVisible();
    const { query } = api.calls('GET /api/get-tools-near-you')[0] as FakeRequest;
    expect(Object.fromEntries(query)).toMatchObject({
      lat: '45.5025',
      lng: '-122.5998',
      radius: '5',
    });
    expect(here()).toBe('/user/user-dashboard?radius=5');
  });

  it.each([
    ['', '1 tool within 5 miles, nearest first'],
    ['dril', '1 tool within 5 miles, best match first'],
  ])('shows how the results near the reader are sorted for the search “%s”', async (q, text) => {
    answerGeolocation({
      getCurrentPosition: (done) =>
        done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    });
    await renderApp(`/home?radius=5&q=${q}`, { api });

    expect(await screen.findByText(text)).toBeVisible();
  });

  it.each([
    [{ distance: 0, placeAccuracy: 'city' }, 'in Portland'],
    [{ distance: 12.4, placeAccuracy: 'city' }, 'about 12 mi, in Portland'],
    [{ distance: 0.1, placeAccuracy: 'area' }, 'under 0.5 mi away'],
    [{ distance: 3.4, placeAccuracy: 'area' }, '3.4 mi away'],
  ] as const)('shows where a tool is, for %j', async (place, words) => {
    api.handlers['GET /api/get-tools-near-you'] = () => ({
      nearby: [{ ...drill, ...place }],
      nextCursor: null,
    });
    answerGeolocation({
      getCurrentPosition: (done) =>
        done({ coords: { latitude: 45.5, longitude: -122.6 } } as GeolocationPosition),
    });
    await renderApp('/home?radius=20', { api });

    expect(await screen.findByText(words)).toBeVisible();
  });

  it('asks for the location only once, stores the place, and deletes the place on request', async () => {
    const getCurrentPosition = jest.fn((done: PositionCallback) =>
      done({ coords: { latitude: 45.512345, longitude: -122.6 } } as GeolocationPosition),
    );
    answerGeolocation({ getCurrentPosition });
    await renderApp('/home?radius=5', { api });
    await screen.findByText('1.2 mi away');
    cleanup();

    const { user, here } = await renderApp('/home?radius=10', { api });
    await screen.findByText('1.2 mi away');
    expect(getCurrentPosition).toHaveBeenCalledTimes(1);
    expect(JSON.stringify({ ...localStorage })).not.toContain('45.512345');
    const { query } = api.calls('GET /api/get-tools-near-you').at(-1) as FakeRequest;
    expect(Object.fromEntries(query)).toMatchObject({ lat: '45.51', lng: '-122.5947' });
    await user.click(screen.getByRole('button', { name: 'Where Within 10 miles of you' }));
    expect(await screen.findByText(/We use it only to measure distances\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Forget this place' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    await waitFor(() => expect(here()).toBe('/home'));
    expect(getCurrentPosition).toHaveBeenCalledTimes(1);
    const where = await screen.findByRole('button', { name: 'Where Anywhere' });
    await waitFor(() => expect(where).toHaveFocus());
    expect(JSON.stringify({ ...localStorage })).not.toContain('45.51');
  });

  it('accepts a ZIP code instead of the location, and reports an unknown ZIP code', async () => {
    api.handlers['GET /api/places/zips/:zip'] = ({ path }) =>
      path.endsWith('97202')
        ? { zip: '97202', lat: 45.49, lng: -122.6331, city: 'Portland', state: 'OR' }
        : problem(400, 'ZIP_UNKNOWN', "We don't know the ZIP code 00000. Please check it.");
    const { user, here } = await renderApp('/home', { api });
    await user.click(await screen.findByRole('button', { name: 'Where Anywhere' }));
    const field = await screen.findByLabelText('ZIP code');

    await user.type(field, '00000{Enter}');
    expect(await screen.findByText(/We don't know the ZIP code 00000/)).toBeVisible();
    await user.clear(field);
    await user.type(field, '97202{Enter}');

    await waitFor(() => expect(here()).toBe('/home?sort=distance'));
    expect(screen.getByRole('button', { name: 'Where Near 97202' })).toBeVisible();
    await waitFor(() => {
      const { query } = api.calls('GET /api/all-rentals').at(-1) as FakeRequest;
      expect(Object.fromEntries(query)).toMatchObject({ lat: '45.4875', lng: '-122.6313' });
    });
  });

  it('shows why the location is unknown, and removes the radius', async () => {
    answerGeolocation({
      getCurrentPosition: (_, fail) =>
        fail?.({ message: 'User denied Geolocation' } as GeolocationPositionError),
    });
    const { here } = await renderApp('/home?radius=10', { api });

    const alert = await screen.findByText('Location access failed: User denied Geolocation');

    expect(alert.closest('[role="alert"]')).not.toBeNull();
    await waitFor(() => expect(here()).toBe('/home'));
    expect(await screen.findByRole('article')).toHaveTextContent('Hammer drill');
  });
});
