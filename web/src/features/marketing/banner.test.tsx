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

async function openBanner() {
  const app = await renderApp('/', { api });
  return { ...app, banner: within(await screen.findByRole('region', { name: 'Welcome' })) };
}

describe('the banner', () => {
  it('does not announce its slides', async () => {
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

  const answerMediaQueries = (matches: (query: string) => boolean) => {
    const still = window.matchMedia;
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((query) => ({ ...still(query), matches: matches(query) }));
  };

  const watchIntervals = () => {
    const started = jest.spyOn(globalThis, 'setInterval');
    const ended = jest.spyOn(globalThis, 'clearInterval');
    /** Returns the periods of the running intervals, in ms. */
    return () =>
      started.mock.calls.flatMap(([, ms], call) =>
        ended.mock.calls.some(([timer]) => timer === started.mock.results[call]?.value) ? [] : [ms],
      );
  };

  it('changes the slide every 3000 ms on a desktop', async () => {
    answerMediaQueries(() => false);
    const running = watchIntervals();
    const { banner } = await openBanner();

    await banner.findByRole('button', { name: 'Pause slideshow' });

    expect(running()).toContain(3000);
  });

  it.each(['max-width: 464px', 'prefers-reduced-motion'])(
    'never changes the slide by itself with %s',
    async (feature) => {
      answerMediaQueries((query) => query.includes(feature));
      const running = watchIntervals();
      const { banner } = await openBanner();

      await banner.findByRole('button', { name: 'Slide 2 of 2' });

      expect(banner.queryByRole('button', { name: 'Pause slideshow' })).toBeNull();
      expect(running()).not.toContain(3000);
    },
  );

  it('cycles through the slides with the arrow keys, and has no arrow buttons', async () => {
    const { banner, user } = await openBanner();
    const second = await banner.findByRole('button', { name: 'Slide 2 of 2' });
    await user.click(second);

    await user.keyboard('{ArrowRight}');
    expect(banner.getByRole('button', { name: 'Slide 1 of 2' })).toHaveAttribute('aria-current');
    await user.keyboard('{ArrowLeft}');
    expect(second).toHaveAttribute('aria-current');

    expect(banner.queryByRole('button', { name: /next|previous/i })).toBeNull();
  });

  it('changes the slides by itself until it is paused or the user selects one', async () => {
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
