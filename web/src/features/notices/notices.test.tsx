import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Notice } from '@lendtools/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { buildNotice, ids } from '../../../test/bookings.ts';
import { FakeApi, type FakeRequest, problem } from '../../../test/fake-api.ts';
import { rita } from '../../../test/people-and-tools.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { emitLocally } from '../../api/live.ts';

const old = buildNotice({
  id: '01913000-0000-7000-8000-000000000009',
  readAt: '2026-11-01T09:00:00.000Z',
  message: 'Jo gave Table saw 5 stars',
});

let api: FakeApi;
beforeEach(async () => {
  api = await FakeApi.start({
    'GET /api/user/:id/notifications': () => ({
      notifications: [old],
      unread: 0,
      nextCursor: null,
    }),
    'PUT /api/user/:id/notifications/:nid/read': () => ({ notification: buildNotice() }),
    'PUT /api/user/:id/notifications/read-all': () => ({ unread: 0 }),
  });
});
afterEach(() => api.stop());

/** A fake server that stores which notices were read. It has `older` more unread notices than its page lists. */
function serveNotices(
  notices: Notice[],
  { older = 0, answered }: { older?: number; answered?: Promise<void> } = {},
) {
  const count = () => notices.filter(({ readAt }) => !readAt).length + older;
  Object.assign(api.handlers, {
    'GET /api/user/:id/notifications': () => ({
      notifications: notices,
      unread: count(),
      nextCursor: null,
    }),
    'PUT /api/user/:id/notifications/read-all': async ({ query }: FakeRequest) => {
      const about = query.get('bookingId');
      notices = notices.map((notice) =>
        about && notice.bookingId !== about ? notice : { ...notice, readAt: old.readAt },
      );
      const unread = count();
      await answered;
      return { unread };
    },
  });
  return (notice: Notice) => {
    notices = [notice, ...notices];
    act(() => emitLocally('notice:created', notice));
  };
}

/** The booking id of each call that marked notices as read; null if the call marked all notices. */
function marked() {
  return api
    .calls('PUT /api/user/:id/notifications/read-all')
    .map(({ query }) => query.get('bookingId'));
}

function bell(name: string) {
  return screen.findByRole('button', { name });
}

describe('the notification bell', () => {
  it('shows that a notice was pushed, lists it first, and marks it as read once its link is followed', async () => {
    const { user, here } = await renderApp('/benefits', { api, user: rita });
    await waitFor(() => expect(api.calls('GET /api/user/:id/notifications')).toHaveLength(1));
    await bell('Notifications');

    act(() => emitLocally('notice:created', buildNotice()));
    act(() => emitLocally('notice:created', buildNotice()));
    const ringing = await bell('Notifications, 1 unread');
    expect(ringing).toHaveTextContent(/^1$/);
    await user.click(ringing);
    const links = await screen.findAllByRole('link', { name: /booked|5 stars/ });
    expect(links.map((link) => link.textContent)).toEqual([
      expect.stringContaining('Your tool has just been booked'),
      expect.stringContaining('Jo gave Table saw 5 stars'),
    ]);
    await user.click(screen.getByRole('link', { name: /booked/ }));

    await waitFor(() => expect(here()).toBe(`/user/my-bookings-details?id=${ids.booking}`));
    expect(api.calls('PUT /api/user/:id/notifications/:nid/read')).toHaveLength(1);
    expect(await bell('Notifications')).toHaveTextContent(/^$/);
  });

  it('marks old and new notices about the booking on the screen as read', async () => {
    const push = serveNotices([buildNotice(), buildNotice({ id: ids.hold, bookingId: ids.saw })]);
    await renderApp(`/user/my-bookings-details?id=${ids.booking}`, { api, user: rita });

    await bell('Notifications, 1 unread');
    push(buildNotice({ id: ids.message, kind: 'message' }));

    await waitFor(() => expect(marked()).toEqual([ids.booking, ids.booking]));
    await bell('Notifications, 1 unread');
  });

  it('marks older notices as read by one request per visit, and each new notice by its own request', async () => {
    const push = serveNotices([buildNotice()], { older: 1 });
    const { router } = await renderApp(`/user/my-bookings-details?id=${ids.booking}`, {
      api,
      user: rita,
    });

    await bell('Notifications, 1 unread');
    push(buildNotice({ id: ids.message, kind: 'message' }));
    await waitFor(() => expect(marked()).toHaveLength(2));
    await bell('Notifications, 1 unread');
    await act(() => router.navigate(`/user/my-bookings-details?id=${ids.saw}`));

    await waitFor(() => expect(marked()).toContain(ids.saw));
    expect(marked()).toEqual([ids.booking, ids.booking, ids.saw]);
  });

  it('marks notices beyond the loaded page as read, and does not retry after an error', async () => {
    Object.assign(api.handlers, {
      'GET /api/user/:id/notifications': () => ({
        notifications: [old],
        unread: 1,
        nextCursor: 'older',
      }),
      'PUT /api/user/:id/notifications/read-all': () => problem(503, 'BUSY', 'Try again soon.'),
    });
    const { router } = await renderApp(`/user/my-rental-history-details?id=${ids.booking}`, {
      api,
      user: rita,
    });
    await waitFor(() => expect(marked()).toHaveLength(1));
    await bell('Notifications, 1 unread');

    await act(() => router.navigate('/benefits'));

    expect(marked()).toHaveLength(1);
  });

  it('refetches the notices on focus, because another tab may have read them', async () => {
    let unread = 1;
    api.handlers['GET /api/user/:id/notifications'] = () => ({
      notifications: [old],
      unread,
      nextCursor: null,
    });
    await renderApp('/benefits', { api, user: rita });
    await bell('Notifications, 1 unread');

    unread = 0;
    act(() => void window.dispatchEvent(new Event('focus')));

    await bell('Notifications');
  });

  it('marks all notices as read, except those that arrive meanwhile', async () => {
    let answer = () => {};
    const push = serveNotices([buildNotice(), buildNotice({ id: ids.hold })], {
      answered: new Promise<void>((resolve) => {
        answer = resolve;
      }),
    });
    const { user } = await renderApp('/benefits', { api, user: rita });

    await user.click(await bell('Notifications, 2 unread'));
    await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
    await waitFor(() => expect(marked()).toEqual([null]));
    push(buildNotice({ id: ids.message, kind: 'message' }));
    answer();

    await bell('Notifications, 1 unread');
    await user.click(screen.getByRole('button', { name: 'Mark all read' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull());
  });
});
