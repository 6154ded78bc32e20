import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, type FakeRequest } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { localDay } from '../../rental/format.ts';
import { usualDays } from './usual-days.ts';

const drill = buildTool();
const garden = {
  id: '0190a000-0000-7000-8000-000000000002',
  name: 'Garden',
  image: '/api/images/categories-0-640.webp',
};

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/all-rentals': () => ({ rentals: [drill], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [garden] }),
    'GET /api/get-tools-near-you': () => ({
      nearby: [{ ...drill, name: 'Ladder next door', distance: 0.4 }],
      nextCursor: null,
    }),
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
  Reflect.deleteProperty(navigator, 'permissions');
  jest.restoreAllMocks();
  await api.stop();
});

/** Simulates that the reader allowed the location on an earlier visit. */
function permitLocation() {
  const query = jest.fn(async () => ({ state: 'granted' }));
  Object.defineProperty(navigator, 'permissions', { value: { query }, configurable: true });
  return query;
}

describe('/home without a search', () => {
  it('shows the categories with their pictures, each with a link to its tools', async () => {
    const { user, here } = await renderApp('/home', { api });
    const tiles = await screen.findByRole('navigation', { name: 'Categories' });

    const link = await within(tiles).findByRole('link', { name: 'Garden' });
    expect(tiles.querySelector('img')?.getAttribute('src')).toBe(garden.image);
    await user.click(link);

    await waitFor(() => expect(here()).toBe(`/home?category=${garden.id}`));
    expect(screen.queryByRole('navigation', { name: 'Categories' })).toBeNull();
  });

  it('asks for the location only on request, then shows the nearest tools', async () => {
    const { user } = await renderApp('/home', { api });
    const near = await screen.findByRole('region', { name: 'Near you' });
    expect(api.calls('GET /api/get-tools-near-you')).toEqual([]);

    await user.click(within(near).getByRole('button', { name: 'Use my location' }));

    expect(await screen.findByRole('link', { name: 'Ladder next door' })).toBeVisible();
    const { query } = api.calls('GET /api/get-tools-near-you')[0] as FakeRequest;
    expect(Object.fromEntries(query)).toMatchObject({
      lat: '45.5025',
      lng: '-122.5998',
      radius: '20',
    });
  });

  it('does not locate a reader who removed their place, even with permission', async () => {
    const requested = permitLocation();
    const locate = jest.spyOn(navigator.geolocation, 'getCurrentPosition');
    const { user } = await renderApp('/home', { api });
    expect(await screen.findByRole('link', { name: 'Ladder next door' })).toBeVisible();

    await user.click(screen.getByRole('button', { name: 'Where Near you' }));
    await user.click(await screen.findByRole('button', { name: 'Forget this place' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));
    expect(await screen.findByRole('button', { name: 'Use my location' })).toBeEnabled();
    cleanup();
    requested.mockClear();
    await renderApp('/home', { api });
    await waitFor(() => expect(requested).toHaveBeenCalled());
    await act(async () => {});

    expect(await screen.findByRole('button', { name: 'Use my location' })).toBeEnabled();
    expect(locate).toHaveBeenCalledTimes(1);
    expect(JSON.stringify({ ...localStorage })).not.toContain('45.5');
  });

  it('stops locating after an error, reports it once, and retries on request', async () => {
    permitLocation();
    const fail = jest
      .spyOn(navigator.geolocation, 'getCurrentPosition')
      .mockImplementation((_, no) => no?.({ message: 'timeout' } as GeolocationPositionError));
    const { user } = await renderApp('/home', { api });
    expect(await screen.findByText('Location access failed: timeout')).toBeInTheDocument();

    const button = await screen.findByRole('button', { name: 'Use my location' });
    expect(button).toBeEnabled();
    expect(fail).toHaveBeenCalledTimes(1);
    await user.click(button);

    await waitFor(() => expect(fail).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(button).toBeEnabled());
  });

  it('shows the home page even if the browser formats dates in an unexpected way', async () => {
    jest.spyOn(Date.prototype, 'toLocaleDateString').mockReturnValue('11/24/2026');

    await renderApp('/home', { api });

    expect(await screen.findByRole('button', { name: 'When Any day' })).toBeVisible();
  });

  it('adds the chosen days to the link of every tool', async () => {
    const { user, here } = await renderApp('/home', { api });
    const [today] = usualDays(localDay());

    await user.click(await screen.findByRole('button', { name: 'When Any day' }));
    await user.click(await screen.findByRole('button', { name: 'Today' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));

    expect(await screen.findByText('1 tool to rent on your dates')).toBeVisible();
    const dates = `start_date=${today?.start}&end_date=${today?.end}`;
    await waitFor(() => expect(here()).toBe(`/home?${dates}`));
    expect(await screen.findByRole('link', { name: drill.name })).toHaveAttribute(
      'href',
      `/rental-details?id=${drill.id}&${dates}`,
    );
    await user.click(screen.getByRole('button', { name: /^When/ }));
    await user.click(await screen.findByRole('button', { name: 'Any day' }));
    await user.click(screen.getByRole('button', { name: 'Show tools' }));
    await waitFor(() => expect(here()).toBe('/home'));
    await waitFor(() => expect(screen.queryByText('1 tool to rent on your dates')).toBeNull());
  });

  it('calculates what a tool could earn', async () => {
    const { user } = await renderApp('/home', { api });

    await user.click(await screen.findByRole('radio', { name: 'Pressure washer' }));

    expect(screen.getByText('$96')).toBeVisible();
    expect(screen.getByText('a month, at $24 a day')).toBeVisible();
  });
});

describe('usualDays', () => {
  it.each([
    ['2026-11-24', 'This weekend', '2026-11-28', '2026-11-29'],
    ['2026-11-28', 'This weekend', '2026-11-28', '2026-11-29'],
    ['2026-11-29', 'Next weekend', '2026-12-05', '2026-12-06'],
  ])('suggests on %s "%s", from %s to %s', (now, name, start, end) => {
    expect(usualDays(now)[2]).toEqual({ name, start, end });
  });
});
