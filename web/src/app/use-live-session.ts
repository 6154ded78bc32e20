import type { Notice } from '@lendtools/contracts';
import type { Dispatch } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect } from 'react';
import { useDispatch, useStore } from 'react-redux';
import { baseApi, renewAccessToken, type Tag } from '../api/base-api.ts';
import { onLive } from '../api/live.ts';
import { sessionStarted, useUser } from '../api/session-slice.ts';
import { followCart } from '../features/cart/follow-cart.ts';
import { noticeArrived } from '../features/notices/notice-slice.ts';
import { persistPrefix } from '../lib/kept.ts';
import { whenUsed } from '../lib/when-used.ts';
import { readStoredCart } from './store.ts';

/** The cached replies that a notice outdates. */
const tagsOfNotices: Partial<Record<Notice['kind'], Tag>> = {
  dispute: 'Dispute',
  payouts: 'Payout',
  earnings: 'Payout',
  debt: 'Payout',
};

function listen(dispatch: Dispatch, isMember: boolean) {
  return [
    onLive('notice:created', ({ kind }) => {
      dispatch(noticeArrived());
      const tag = tagsOfNotices[kind];
      if (tag) dispatch(baseApi.util.invalidateTags([tag]));
    }),
    onLive('booking:changed', ({ bookingId }) =>
      dispatch(
        baseApi.util.invalidateTags([
          { type: 'Booking', id: bookingId },
          { type: 'Booking', id: 'LIST' },
          'Review',
        ]),
      ),
    ),
    onLive('account:changed', (account) => {
      dispatch(sessionStarted(account));
      dispatch(baseApi.util.invalidateTags(['User']));
    }),
    onLive('tool:changed', () => dispatch(baseApi.util.invalidateTags(['Tool']))),
    // Refetch: a visitor's socket opens late and may have missed pushes since the screen loaded.
    onLive('connected', () => {
      if (!isMember) dispatch(baseApi.util.invalidateTags(['Category']));
    }),
    // Pushes are lost while the socket is disconnected, so refetch what is on the screen.
    onLive('reconnected', () =>
      dispatch(
        baseApi.util.invalidateTags([
          'Booking',
          'Message',
          'Reply',
          'Notice',
          'Tool',
          'Review',
          'Category',
          'Dispute',
          'Payout',
        ]),
      ),
    ),
  ];
}

/** Keeps one socket open: members receive notices and changes, visitors only public changes. */
function useSocket(): void {
  const userId = useUser()?.id;
  const dispatch = useDispatch();
  const store = useStore();
  useEffect(() => {
    let isOver = false;
    const connect = async () => {
      // Visitors receive few pushes, so their socket can wait.
      if (!userId) await whenUsed();
      if (isOver) return;
      const { connectLive } = await import('../api/connect-live.ts');
      return connectLive(userId ? () => renewAccessToken(store) : null);
    };
    // If the socket's code can't be loaded, there are no pushes, and each screen fetches when it opens.
    const close = connect().catch(() => undefined);
    const stopListening = listen(dispatch, Boolean(userId));
    return () => {
      for (const stop of stopListening) stop();
      isOver = true;
      void close.then((disconnect) => disconnect?.());
    };
  }, [userId, dispatch, store]);
}

/** Keeps the store current: applies pushes and other tabs' carts, and refetches when the network returns. */
export function useLiveSession(): void {
  const dispatch = useDispatch();
  useSocket();
  useEffect(() => setupListeners(dispatch), [dispatch]);
  useEffect(() => {
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      const cart = key?.startsWith(persistPrefix) ? readStoredCart(newValue ?? '') : null;
      if (cart) followCart(dispatch, cart);
    };
    window.addEventListener('storage', followOtherTab);
    return () => window.removeEventListener('storage', followOtherTab);
  }, [dispatch]);
}
