import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { FakeApi } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/all-rentals': () => ({ rentals: [], nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await api.stop();
});

const openBanner = async () => {
  const app = await renderApp('/', { api });
  return { ...app, banner: within(await screen.findByRole('region', { name: 'Welcome' })) };
};

describe('the banner', () => {
  it('announces nothing by itself', async () => {
    const { banner } = await openBanner();

    expect(banner.queryByRole('status')).toBeNull();
  });

  it('keeps its main heading reachable on every slide', async () => {
    const { banner, user } = await openBanner();

    await user.click(await banner.findByRole('button', { name: 'Slide 2 of 2' }));

    expect(banner.getByRole('button', { name: 'Slide 2 of 2' })).toHaveAttribute('aria-current');
    const title = banner.getByRole('heading', { level: 1 });
    expect(title).toHaveTextContent('Rent & Lend Tools in Your Neighborhood');
    expect(title.closest('[inert]')).toBeNull();
    expect(banner.getByText('LEARN MORE').closest('[inert]')).not.toBeNull();
  });

  it('moves by itself, until it is paused or somebody chooses a slide', async () => {
    const still = window.matchMedia;
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ ...still(query), matches: false }));
    const { banner, user } = await openBanner();

    await user.click(await banner.findByRole('button', { name: 'Pause slideshow' }));
    await user.click(banner.getByRole('button', { name: 'Play slideshow' }));
    await user.click(banner.getByRole('button', { name: 'Slide 2 of 2' }));

    expect(banner.getByRole('button', { name: 'Play slideshow' })).toBeInTheDocument();
  });
});
