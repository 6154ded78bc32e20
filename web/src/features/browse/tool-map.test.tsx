import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../../test/fake-api.ts';
import { buildTool } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { keep, readKept } from '../../lib/kept.ts';

const portland = { lat: 45.525, lng: -122.6768 };
const salem = { lat: 44.9475, lng: -123.0368 };
const drill = buildTool({ position: portland });
const others = ['Ladder', 'Saw'].map((name, i) =>
  buildTool({ id: `0190b000-0000-7000-8000-00000000001${i}`, name, position: salem }),
);
const nowhere = buildTool({ id: '0190b000-0000-7000-8000-000000000020', name: 'Anvil' });

let api: FakeApi;
const meta = document.createElement('meta');

function screenIs(wide: boolean) {
  return Object.defineProperty(window, 'matchMedia', {
    value: (query: string) => ({
      matches: wide && query.includes('62em'),
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }),
    configurable: true,
    writable: true,
  });
}

const { matchMedia } = window;
beforeEach(async () => {
  meta.name = 'lendtools-map';
  meta.content = JSON.stringify({
    tiles: 'http://tiles.test/{z}/{x}/{y}.png',
    by: '© Somebody',
    terms: 'http://tiles.test/terms',
  });
  document.head.append(meta);
  api = await FakeApi.start({
    'GET /api/all-rentals': () => ({ rentals: [drill, ...others, nowhere], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
  });
});
afterEach(async () => {
  Object.assign(window, { matchMedia });
  meta.remove();
  keep('map', null);
  await api.stop();
});

async function openMap() {
  const opened = await renderApp('/home', { api });
  await opened.user.click(await screen.findByRole('button', { name: 'Map', pressed: false }));
  return { ...opened, map: await screen.findByRole('region', { name: 'Map of these tools' }) };
}

describe('the map', () => {
  it('has a button for each place, and highlights in the list the tools at a pressed place', async () => {
    const { user, map } = await openMap();
    expect(screen.getByRole('link', { name: '© Somebody' })).toHaveAttribute(
      'href',
      'http://tiles.test/terms',
    );
    const one = await within(map).findByRole('button', { name: 'Hammer drill, $12 daily' });
    const two = within(map).getByRole('button', { name: '2 tools in Portland: Ladder, Saw' });
    expect([one, two].map((pin) => pin.textContent)).toEqual(['$12', '2 tools']);
    const picked = () =>
      screen
        .getAllByRole('article')
        .filter((card) => card.hasAttribute('data-picked'))
        .map((card) => within(card).getByRole('link').textContent);
    expect(picked()).toEqual([]);

    await user.click(two);

    await waitFor(() => expect(picked()).toEqual(['Ladder', 'Saw']));
    expect(two).toHaveAttribute('aria-pressed', 'true');
    one.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(picked()).toEqual(['Hammer drill']));
    expect(two).toHaveAttribute('aria-pressed', 'false');
    expect(one).toHaveFocus();
  });

  it('keeps a pin and its focus as the list grows', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) =>
      query.get('cursor')
        ? { rentals: [...others.slice(1), nowhere], nextCursor: null }
        : { rentals: [drill, ...others.slice(0, 1)], nextCursor: 'on' };
    const { map } = await openMap();
    const one = await within(map).findByRole('button', { name: 'Hammer drill, $12 daily' });
    const two = within(map).getByRole('button', { name: /^Ladder/ });
    two.focus();

    // Loads the next page without moving the focus, as scrolling does.
    act(() => screen.getByRole('button', { name: 'Show more tools' }).click());

    await waitFor(() => expect(two).toHaveTextContent('2 tools'));
    expect(two).toHaveAccessibleName('2 tools in Portland: Ladder, Saw');
    expect(two).toHaveFocus();
    expect(one).toBeInTheDocument();
  });

  it('shows one pin for places that are close together, and zooms in when the pin is pressed', async () => {
    const { user, map } = await openMap();
    await within(map).findByRole('button', { name: 'Hammer drill, $12 daily' });
    for (let i = 0; i < 10; i++)
      await user.click(within(map).getByRole('button', { name: 'Zoom out' }));

    const all = await within(map).findByRole('button', {
      name: '3 tools around Portland: Hammer drill, Ladder, Saw',
    });
    all.focus();
    await user.keyboard('{Enter}');

    const drillPin = await within(map).findByRole('button', { name: 'Hammer drill, $12 daily' });
    expect(within(map).getByRole('button', { name: /^2 tools in Portland/ })).toBeVisible();
    expect(drillPin).toHaveFocus();
    expect(screen.getAllByRole('article').filter((card) => 'picked' in card.dataset)).toHaveLength(
      3,
    );
  });

  it('is hidden if nothing is found, and shows a message if no tool has a place', async () => {
    api.handlers['GET /api/all-rentals'] = ({ query }) => ({
      rentals: query.get('q') ? [] : [nowhere],
      nextCursor: null,
    });
    const { user } = await openMap();
    expect(await screen.findByText(/^Nobody has said where these tools are/)).toBeVisible();

    await user.type(screen.getByLabelText('Search tools by name'), 'zither');

    expect(await screen.findByText('Nothing found for “zither”')).toBeVisible();
    expect(screen.queryByRole('region', { name: /^Map/ })).toBeNull();
  });

  it('shows a message if the map’s tiles fail to load, and keeps the list', async () => {
    const { map } = await openMap();
    // Wait for the pins: by then the map has moved to them and replaced its first tiles.
    await within(map).findByRole('button', { name: 'Hammer drill, $12 daily' });
    const tile = map.querySelector('img.leaflet-tile') as HTMLImageElement;
    expect(tile.src).toMatch(/^http:\/\/tiles\.test\/\d+\/\d+\/\d+\.png$/);
    expect(tile.referrerPolicy).toBe('strict-origin-when-cross-origin');

    act(() => void tile.dispatchEvent(new Event('error')));

    expect(await screen.findByText(/^The map’s pictures don’t load now/)).toBeVisible();
    expect(await screen.findAllByRole('article')).toHaveLength(4);
  });

  it.each([
    ['a wide screen', true],
    ['a phone', false],
  ])('is open again at the next visit on %s: %s', async (_, wide) => {
    screenIs(wide);
    keep('map', true);
    const { user } = await renderApp('/home', { api });

    const toggle = await screen.findByRole('button', { name: 'Map', pressed: wide });
    if (!wide) return expect(screen.queryByRole('region', { name: /^Map/ })).toBeNull();
    await screen.findByRole('region', { name: 'Map of these tools' });
    await user.click(toggle);
    expect(screen.queryByRole('region', { name: /^Map/ })).toBeNull();
    expect(readKept('map')).toBe(false);
  });

  it.each([
    ['a wide screen', true],
    ['a phone', false],
  ])('is beside the results of a search on %s: %s', async (_, wide) => {
    screenIs(wide);
    await renderApp('/home?q=drill', { api });

    await screen.findByRole('button', { name: 'Map', pressed: wide });
    if (wide) await screen.findByRole('region', { name: 'Map of these tools' });
    else expect(screen.queryByRole('region', { name: /^Map/ })).toBeNull();
  });

  it('is not offered if no tile server is configured', async () => {
    meta.remove();
    await renderApp('/home', { api });

    await screen.findByText('4 tools to rent');
    expect(screen.queryByRole('button', { name: 'Map' })).toBeNull();
  });
});
