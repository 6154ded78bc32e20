import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reply, Thread } from '@lendtools/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const tool = buildTool();
const threadId = '0190e000-0000-7000-8000-000000000001';
const messageId = '0190e100-0000-7000-8000-000000000001';
const sam = { id: tool.userId, first_name: 'Sam', last_name: 'Okafor' };

const first = {
  id: messageId,
  bookingId: threadId,
  message: 'Is it heavy?',
  user: { id: rita.id, first_name: 'Rita', last_name: 'Lopez' },
  createdAt: '2026-11-01T10:00:00.000Z',
  place: 0,
};

function buildThread(overrides: Partial<Thread> = {}): Thread {
  return {
    id: threadId,
    toolId: tool.id,
    toolName: tool.name,
    as: 'renter',
    other: sam,
    bookingId: null,
    isMasked: true,
    isClosed: false,
    last: { text: 'Is it heavy?', fromUserId: rita.id, at: first.createdAt },
    ...overrides,
  };
}

let api: FakeApi;
let thread: Thread | null;
let replies: Reply[];
beforeEach(async () => {
  thread = buildThread();
  replies = [];
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/all-rental-categories': () => ({ allCategories: [] }),
    'GET /api/get-tool/:id': () => ({ tool: [tool] }),
    'GET /api/user/:id/rentals/:tool/question': () => ({ thread }),
    'GET /api/user/:id/threads': () => ({ threads: thread ? [thread] : [], nextCursor: null }),
    'GET /api/user/:id/threads/:thread': () => ({ thread }),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [first] }),
    'GET /api/replies/:id/my-replies': () => ({ replies, nextCursor: null }),
    'POST /api/user/:id/rentals/:tool/send-question': () => [201, { messaging: first }],
    'POST /api/user/:id/messaging/:message/answer': () => [201, { reply: {} }],
  });
});
afterEach(() => api.stop());

const conversation = `/user/conversation?id=${threadId}`;

describe('asking an owner', () => {
  it('sends the question and shows the conversation', async () => {
    thread = null;
    const { user, router } = await renderApp(`/user/conversation?tool=${tool.id}`, {
      api,
      user: rita,
    });

    await user.type(await screen.findByRole('textbox', { name: 'Your question' }), 'Is it heavy?');
    thread = buildThread();
    await user.click(screen.getByRole('button', { name: 'Send to Sam' }));

    await waitFor(() => expect(router.state.location.search).toBe(`?id=${threadId}`));
    expect(await screen.findByText('Is it heavy?')).toBeInTheDocument();
    expect(await screen.findByText(/stay hidden until the booking is paid/)).toBeInTheDocument();
    const [sent] = api.calls('POST /api/user/:id/rentals/:tool/send-question');
    expect(sent?.json).toEqual({ message: 'Is it heavy?' });
  });

  it('keeps the text when it cannot be sent, and retries under the same key', async () => {
    thread = null;
    api.handlers['POST /api/user/:id/rentals/:tool/send-question'] = () =>
      problem(429, 'TOO_MANY_REQUESTS', 'You have asked many owners today.');
    const { user } = await renderApp(`/user/conversation?tool=${tool.id}`, { api, user: rita });

    await user.type(await screen.findByRole('textbox', { name: 'Your question' }), 'Heavy?');
    await user.click(screen.getByRole('button', { name: 'Send to Sam' }));
    expect(await screen.findByText('You have asked many owners today.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Send to Sam' }));

    await waitFor(() =>
      expect(api.calls('POST /api/user/:id/rentals/:tool/send-question')).toHaveLength(2),
    );
    const keys = api
      .calls('POST /api/user/:id/rentals/:tool/send-question')
      .map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    expect(screen.getByRole('textbox', { name: 'Your question' })).toHaveValue('Heavy?');
  });

  it('continues the open question about the tool', async () => {
    const { router } = await renderApp(`/user/conversation?tool=${tool.id}`, { api, user: rita });

    await waitFor(() => expect(router.state.location.search).toBe(`?id=${threadId}`));
  });

  it('shows that a conversation does not exist', async () => {
    api.handlers['GET /api/user/:id/threads/:thread'] = () =>
      problem(404, 'THREAD_NOT_FOUND', 'No.');
    await renderApp(conversation, { api, user: rita });

    expect(await screen.findByText('There is no such conversation')).toBeInTheDocument();
  });
});

describe('a conversation before a booking', () => {
  it('lets the renter book the dates that the owner offers', async () => {
    const offer = {
      start_date: '2099-06-01',
      start_time: '9.00 AM',
      end_date: '2099-06-02',
      end_time: '6.00 PM',
      quantity: 1,
    };
    const reply = { ...first, id: threadId, messageId, place: 1, user: sam, message: 'Like this?' };
    replies = [{ ...reply, answer: { kind: 'offer', offer } }];
    await renderApp(conversation, { api, user: rita });

    const book = await screen.findByRole('link', { name: 'Book these dates' });
    expect(book.getAttribute('href')).toContain('start_date=2099-06-01');
    expect(screen.queryByRole('button', { name: 'Offer dates' })).toBeNull();
  });

  it('lets the owner decline with a reason', async () => {
    const other = { id: rita.id, first_name: 'Kim', last_name: 'Novak' };
    thread = buildThread({ as: 'owner', other });
    const { user } = await renderApp(conversation, { api, user: rita });

    await user.click(await screen.findByRole('button', { name: 'Decline' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: /The reason/ }), 'It is broken.');
    await user.click(dialog.getByRole('button', { name: 'Decline' }));

    await waitFor(() =>
      expect(api.calls('POST /api/user/:id/messaging/:message/answer')).toHaveLength(1),
    );
    expect(api.calls('POST /api/user/:id/messaging/:message/answer')[0]?.json).toEqual({
      kind: 'decline',
      message: 'It is broken.',
      offer: null,
    });
  });

  it('leads to the booking that continues it', async () => {
    const { router } = await renderApp(conversation, { api, user: rita });
    await screen.findByText('Is it heavy?');
    const bookingId = '0190d000-0000-7000-8000-000000000001';

    act(() => emitLocally('thread:changed', { bookingId, messageId, questionId: threadId }));

    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/user/my-rental-history-details'),
    );
    expect(router.state.location.search).toBe(`?id=${bookingId}`);
  });
});

describe('Messages', () => {
  it('lists conversations, questions with a link to them and bookings with one to the booking', async () => {
    const { user } = await renderApp('/user/messages', { api, user: rita });

    const row = await screen.findByRole('link', { name: /Sam · Hammer drill/ });
    expect(row).toHaveTextContent('You: Is it heavy?');
    expect(row).toHaveTextContent('Question');
    await user.click(row);
    expect(await screen.findByRole('heading', { name: 'Conversation' })).toBeInTheDocument();
  });

  it('says that there are none', async () => {
    thread = null;
    await renderApp('/user/messages', { api, user: rita });

    expect(await screen.findByText('No messages yet')).toBeInTheDocument();
  });
});
