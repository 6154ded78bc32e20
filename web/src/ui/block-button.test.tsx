import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Thread } from '@lendtools/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../test/fake-api.ts';
import { buildTool, rita } from '../../test/people-and-tools.ts';
import { renderApp } from '../../test/render-app.tsx';

const tool = buildTool();
const sam = { id: tool.userId, first_name: 'Sam', last_name: 'Okafor' };
const threadId = '0190e000-0000-7000-8000-000000000001';
const blocks = 'GET /api/user/:id/blocks';
const blockSam = 'PUT /api/user/:id/blocks/:person';
const unblockSam = 'DELETE /api/user/:id/blocks/:person';

let api: FakeApi;
let isSamBlocked: boolean;
let isClosed: boolean;
beforeEach(async () => {
  isSamBlocked = false;
  isClosed = false;
  const thread = (): Thread => ({
    id: threadId,
    toolId: tool.id,
    toolName: tool.name,
    as: 'renter',
    other: sam,
    bookingId: null,
    isMasked: true,
    isClosed: isClosed || isSamBlocked,
    last: null,
  });
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/all-rentals': () => ({ rentals: [], nextCursor: null }),
    'GET /api/get-tool/:id': () =>
      isSamBlocked ? problem(404, 'TOOL_NOT_FOUND', 'Gone.') : { tool: [tool] },
    'GET /api/rentals/:id/owner': () => ({}),
    'GET /api/rentalBookings/get-review': () => ({ reviews: [], nextCursor: null }),
    'GET /api/user/:id/saved-tools/ids': () => ({ ids: [] }),
    'GET /api/user/:id/threads/:thread': () => ({ thread: thread() }),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [] }),
    [blocks]: () => ({
      people: isSamBlocked
        ? [{ ...sam, last_name: 'O.', image: 'null', blockedAt: '2026-11-01T10:00:00.000Z' }]
        : [],
    }),
    [blockSam]: () => {
      isSamBlocked = true;
      return { message: 'Blocked' };
    },
    [unblockSam]: () => {
      isSamBlocked = false;
      return { message: 'No longer blocked' };
    },
  });
});
afterEach(() => api.stop());

const conversation = `/user/conversation?id=${threadId}`;

describe('blocking a person in a conversation', () => {
  it('asks first, closes the conversation, and can be undone', async () => {
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Block Sam?' }));
    expect(dialog.getByText(/We don’t tell Sam/)).toBeInTheDocument();
    expect(api.calls(blockSam)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Block Sam' }));

    expect(await screen.findByText(/You blocked Sam, so this conversation/)).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(await screen.findByText('Hammer drill is no longer listed.')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));

    expect(await screen.findByRole('textbox', { name: 'Write to Sam' })).toBeInTheDocument();
    expect(api.calls(unblockSam)[0]?.path).toBe(`/api/user/${rita.id}/blocks/${sam.id}`);
  });

  it('changes nothing if the user cancels', async () => {
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.calls(blockSam)).toHaveLength(0);
  });

  it('shows why it failed', async () => {
    api.handlers[blockSam] = () => problem(429, 'TOO_MANY_REQUESTS', 'You have blocked many.');
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Block Sam' }));

    expect(await screen.findByText('You have blocked many.')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Write to Sam' })).toBeInTheDocument();
  });

  it('offers to block if it is unknown whether the person is blocked', async () => {
    api.handlers[blocks] = () => problem(503, 'UNAVAILABLE', 'Please try again in a moment.');
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Block Sam' }));

    expect(await screen.findByText('You blocked Sam.')).toBeInTheDocument();
    expect(api.calls(blockSam)).toHaveLength(1);
  });

  it('closes the conversation when it was closed meanwhile, and keeps the text until it is discarded', async () => {
    api.handlers['POST /api/rentalBookings/:id/send-message'] = () => {
      isClosed = true;
      return problem(409, 'THREAD_CLOSED', 'This conversation is closed.');
    };
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.type(await screen.findByRole('textbox', { name: 'Write to Sam' }), 'Hello?{Enter}');

    expect(await screen.findByText(/If something is still wrong/)).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByText('Hello?')).not.toBeInTheDocument());
  });

  it('does not name a block to the blocked person', async () => {
    isClosed = true;
    await renderApp(conversation, { api, user: rita });

    expect(await screen.findByText(/This conversation is closed/)).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Report Sam' })).toBeInTheDocument();
    expect(screen.queryByText(/blocked/)).not.toBeInTheDocument();
  });
});

describe('blocking the owner of a tool', () => {
  it('leaves the page of the tool', async () => {
    const { user, router } = await renderApp(`/user/rental-details?id=${tool.id}`, {
      api,
      user: rita,
    });

    await user.click(await screen.findByRole('button', { name: 'Block Sam' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Block Sam' }));

    await waitFor(() => expect(router.state.location.pathname).toBe('/user/user-dashboard'));
    expect(await screen.findByText('You blocked Sam.')).toBeInTheDocument();
  });

  it('is not offered to visitors', async () => {
    await renderApp(`/rental-details?id=${tool.id}`, { api });

    await screen.findByRole('button', { name: 'Report this tool' });
    expect(screen.queryByRole('button', { name: 'Block Sam' })).not.toBeInTheDocument();
    expect(api.calls(blocks)).toHaveLength(0);
  });
});

describe('the page of blocked people', () => {
  it('lists them with their initial, and unblocks one', async () => {
    isSamBlocked = true;
    const { user } = await renderApp('/user/blocked-people', { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Unblock Sam O.' }));

    expect(await screen.findByText('You haven’t blocked anyone')).toBeInTheDocument();
    expect(screen.queryByText('Sam O.')).not.toBeInTheDocument();
  });

  it('offers to retry when the list cannot be loaded', async () => {
    api.handlers[blocks] = () => problem(503, 'UNAVAILABLE', 'Please try again in a moment.');
    await renderApp('/user/blocked-people', { api, user: rita });

    expect(await screen.findByText('Please try again in a moment.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /again/ })).toBeInTheDocument();
  });
});
