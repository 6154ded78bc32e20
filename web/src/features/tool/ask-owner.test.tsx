import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, problem } from '../../../test/fake-api.ts';
import { buildTool, rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { startSession } from '../../api/base-api.ts';

const tool = buildTool();
const threadId = '0190e000-0000-7000-8000-000000000001';
const first = {
  id: '0190e100-0000-7000-8000-000000000001',
  bookingId: threadId,
  message: 'Is it heavy?',
  user: { id: rita.id, first_name: 'Rita', last_name: 'Lopez' },
  createdAt: '2026-11-01T10:00:00.000Z',
  place: 0,
};
const thread = {
  id: threadId,
  toolId: tool.id,
  toolName: tool.name,
  as: 'renter',
  other: { id: tool.userId, first_name: 'Sam', last_name: 'Okafor' },
  bookingId: null,
  isClosed: false,
  isMasked: true,
  last: { text: 'Is it heavy?', fromUserId: rita.id, at: first.createdAt },
};
const sendPath = 'POST /api/user/:id/rentals/:tool/send-question';

let api: FakeApi;
let openThread: typeof thread | null;
beforeEach(async () => {
  openThread = null;
  api = await FakeApi.start({
    'GET /api/get-tool/:id': () => ({ tool: [tool] }),
    'GET /api/user/:id/notifications': () => ({ notifications: [], unread: 0, nextCursor: null }),
    'GET /api/user/:id/saved-tools/ids': () => ({ ids: [] }),
    'GET /api/user/:id/rentals/:tool/question': () => ({ thread: openThread }),
    'GET /api/user/:id/threads/:thread': () => ({ thread }),
    'GET /api/messaging/:id/my-messages': () => ({ messaging: [first] }),
    'GET /api/replies/:id/my-replies': () => ({ replies: [], nextCursor: null }),
    'POST /api/login': () => ({ user: { ...rita, token: 'fresh' }, token: 'fresh' }),
    [sendPath]: () => [201, { messaging: first }],
  });
});
afterEach(() => api.stop());

async function writeAsVisitor(text: string) {
  const app = await renderApp(`/rental-details?id=${tool.id}`, { api });
  await app.user.click(await screen.findByRole('button', { name: 'Ask Sam a question' }));
  await app.user.type(await screen.findByRole('textbox', { name: 'Your question' }), text);
  await app.user.click(screen.getByRole('button', { name: 'Send to Sam' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign up or log in' }));
  const logIn = async () => {
    await app.user.click(dialog.getByRole('radio', { name: 'I have an account' }));
    await app.user.type(dialog.getByLabelText(/^Email/), rita.email);
    await app.user.type(dialog.getByLabelText(/^Password/), 'a good password{Enter}');
  };
  return { ...app, dialog, logIn };
}

describe('asking the owner as a visitor', () => {
  it('sends the question after the login, and opens the conversation', async () => {
    const { dialog, logIn, here } = await writeAsVisitor('Is it heavy?');
    expect(dialog.getByText('Sign up or log in, and Sam gets your question.')).toBeVisible();

    await logIn();

    await waitFor(() => expect(here()).toBe(`/user/conversation?id=${threadId}`));
    expect(api.calls(sendPath).map(({ json }) => json)).toEqual([{ message: 'Is it heavy?' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('keeps the text while the visitor thinks about signing up', async () => {
    const { user } = await writeAsVisitor('Is it heavy?');

    await user.keyboard('{Escape}');

    expect(await screen.findByRole('textbox', { name: 'Your question' })).toHaveValue(
      'Is it heavy?',
    );
    expect(api.calls(sendPath)).toEqual([]);
  });

  it('shows the text again if it could not be sent', async () => {
    api.handlers[sendPath] = () => problem(429, 'TOO_MANY_REQUESTS', 'You have asked a lot today.');
    const { logIn, here } = await writeAsVisitor('Is it heavy?');

    await logIn();

    expect(await screen.findByText('You have asked a lot today.')).toBeInTheDocument();
    await waitFor(() => expect(here()).toBe(`/user/conversation?tool=${tool.id}`));
    expect(await screen.findByRole('textbox', { name: 'Your question' })).toHaveValue(
      'Is it heavy?',
    );
  });

  it('puts the text into the conversation that is open already', async () => {
    openThread = thread;
    const { logIn, here } = await writeAsVisitor('And the bits?');

    await logIn();

    await waitFor(() => expect(here()).toBe(`/user/conversation?id=${threadId}`));
    expect(await screen.findByRole('textbox', { name: /Sam$/ })).toHaveValue('And the bits?');
    expect(await screen.findByText(/^Your question isn’t sent yet/)).toBeInTheDocument();
    expect(api.calls(sendPath)).toEqual([]);
  });

  it('appends the text to what the member had begun to write', async () => {
    openThread = thread;
    localStorage.setItem(
      `lendtools-session-user:draft:message:${rita.id}:${threadId}`,
      JSON.stringify('I’d take it on'),
    );
    const { logIn } = await writeAsVisitor('And the bits?');

    await logIn();

    expect(await screen.findByRole('textbox', { name: /Sam$/ })).toHaveValue(
      'I’d take it on\n\nAnd the bits?',
    );
  });

  it('says that a closed conversation does not take the text', async () => {
    openThread = { ...thread, isClosed: true };
    const { logIn } = await writeAsVisitor('And the bits?');

    await logIn();

    expect(
      await screen.findByText('Your question was not sent: this conversation is closed.'),
    ).toBeInTheDocument();
  });

  it('leaves nothing of the text in storage that other tabs and later visitors read', async () => {
    await writeAsVisitor('Is it heavy?');

    expect(Object.values(localStorage).join()).not.toContain('Is it heavy?');
    expect(Object.values(sessionStorage).join()).toContain('Is it heavy?');
  });

  it('keeps the text for a visitor who logs in elsewhere, and says that it is not sent', async () => {
    const { user, store, router, here } = await writeAsVisitor('Is it heavy?');
    await user.keyboard('{Escape}');
    await act(() => router.navigate('/benefits'));

    act(() => startSession(store, { token: 'fresh', user: rita }));

    expect(await screen.findByText('Your question isn’t sent yet.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(here()).toBe(`/user/conversation?tool=${tool.id}`));
    expect(await screen.findByRole('textbox', { name: 'Your question' })).toHaveValue(
      'Is it heavy?',
    );
  });
});

describe('asking the owner as a member', () => {
  it('leads to the conversation', async () => {
    await renderApp(`/user/rental-details?id=${tool.id}`, { api, user: rita });

    expect(await screen.findByRole('link', { name: 'Ask Sam a question' })).toHaveAttribute(
      'href',
      `/user/conversation?tool=${tool.id}`,
    );
  });
});
