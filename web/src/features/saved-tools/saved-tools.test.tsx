import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';

const drill = buildTool();
const saw = buildTool({
  id: '0190a000-0000-7000-8000-00000000aaaa',
  name: 'Tile saw',
  item_status: 'Unavailable',
});

let api: FakeApi;
let saved: string[];
beforeEach(async () => {
  saved = [];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/all-rentals': () => ({ rentals: [drill], nextCursor: null }),
    'GET /api/user/:id/saved-tools/ids': () => ({ ids: saved }),
    'GET /api/user/:id/saved-tools': () => ({
      rentals: [drill, saw].filter(({ id }) => saved.includes(id)),
    }),
    'PUT /api/user/:id/saved-tools/:tool': () => {
      saved = [drill.id];
      return { message: 'Saved' };
    },
    'DELETE /api/user/:id/saved-tools/:tool': () => {
      saved = [];
      return { message: 'No longer saved' };
    },
  });
});
afterEach(() => api.stop());

/** The save button, once its state has loaded. */
async function heart(name: string): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: `Save ${name}` });
  await waitFor(() => expect(button).toBeEnabled());
  return button;
}

describe('the heart on a tool', () => {
  it('saves a tool in the search results, and removes it again', async () => {
    const { user } = await renderApp('/user/user-dashboard', { api, user: rita });

    const button = await heart(drill.name);
    const states: (string | null)[] = [];
    const watch = new MutationObserver(() => states.push(button.getAttribute('aria-pressed')));
    watch.observe(button, { attributeFilter: ['aria-pressed'] });
    await user.click(button);
    await waitFor(() =>
      expect(api.calls('GET /api/user/:id/saved-tools/ids').length).toBeGreaterThan(1),
    );
    expect(states).toEqual(['true']);
    await user.click(await heart(drill.name));

    await waitFor(async () =>
      expect(await heart(drill.name)).toHaveAttribute('aria-pressed', 'false'),
    );
    expect(api.calls('PUT /api/user/:id/saved-tools/:tool')).toHaveLength(1);
    expect(api.calls('DELETE /api/user/:id/saved-tools/:tool')).toHaveLength(1);
  });

  it('becomes empty again if saving fails, and shows why', async () => {
    api.handlers['PUT /api/user/:id/saved-tools/:tool'] = () =>
      problem(409, 'TOO_MANY_SAVED_TOOLS', 'You can save at most 200 tools.');
    const { user } = await renderApp('/user/user-dashboard', { api, user: rita });

    await user.click(await heart(drill.name));

    expect(await screen.findByText('You can save at most 200 tools.')).toBeInTheDocument();
    expect(await heart(drill.name)).toHaveAttribute('aria-pressed', 'false');
  });

  it('shows why saving and unsaving fail at the rate limit', async () => {
    const reject = (what: string) => () => problem(429, 'TOO_MANY_REQUESTS', `${what} too often.`);
    api.handlers['PUT /api/user/:id/saved-tools/:tool'] = reject('Saved');
    api.handlers['DELETE /api/user/:id/saved-tools/:tool'] = reject('Unsaved');
    saved = [saw.id];
    api.handlers['GET /api/all-rentals'] = () => ({ rentals: [drill, saw], nextCursor: null });
    const { user } = await renderApp('/user/user-dashboard', { api, user: rita });

    await user.click(await heart(drill.name));
    await user.click(await heart(saw.name));

    expect(await screen.findByText('Saved too often.')).toBeInTheDocument();
    expect(await screen.findByText('Unsaved too often.')).toBeInTheDocument();
    await waitFor(async () =>
      expect(await heart(drill.name)).toHaveAttribute('aria-pressed', 'false'),
    );
    expect(await heart(saw.name)).toHaveAttribute('aria-pressed', 'true');
  });

  it('is shown to members only', async () => {
    await renderApp('/home?q=drill', { api });

    await screen.findByRole('link', { name: drill.name });
    expect(screen.queryByRole('button', { name: /^Save / })).toBeNull();
    expect(api.calls('GET /api/user/:id/saved-tools/ids')).toEqual([]);
  });
});

describe('the page with my saved tools', () => {
  it('lists saved tools, including unavailable ones', async () => {
    saved = [drill.id, saw.id];
    await renderApp('/user/saved-tools', { api, user: rita });

    const list = await screen.findByRole('region', { name: 'Saved tools' });
    expect(await within(list).findByRole('link', { name: 'Tile saw' })).toHaveAttribute(
      'href',
      `/user/rental-details?id=${saw.id}`,
    );
    expect(within(list).getByText('Not available now')).toBeInTheDocument();
  });

  it('explains how to save a tool if none is saved', async () => {
    await renderApp('/user/saved-tools', { api, user: rita });

    expect(await screen.findByText('Nothing saved yet')).toBeInTheDocument();
  });
});
