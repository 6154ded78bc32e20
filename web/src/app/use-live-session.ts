import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect } from 'react';
import { useDispatch, useStore } from 'react-redux';
import { baseApi, renewAccessToken } from '../api/base-api.ts';
import { onLive } from '../api/live.ts';
import { sessionStarted, useUser } from '../api/session-slice.ts';
import { followCart } from '../features/cart/follow-cart.ts';
import { noticeArrived } from '../features/notices/notice-slice.ts';
import { persistPrefix } from '../lib/kept.ts';
import { whenUsed } from '../lib/when-used.ts';
import { readStoredCart } from './store.ts';

/** One socket: of whoever is logged in, with the bell rung by it, or of a visitor, for what is for everybody. */
export function useLiveSession(): void {
  const userId = useUser()?.id;
  const dispatch = useDispatch();
  const store = useStore();

  useEffect(() => {
    let isOver = false;
    const connect = async () => {
      // A visitor's screen changes seldom.
      if (!userId) await whenUsed();
      if (isOver) return;
      const { connectLive } = await import('../api/connect-live.ts');
      return connectLive(userId ? () => renewAccessToken(store) : null);
    };
    // Without its code nothing is pushed, and each screen asks as it is opened.
    const close = connect().catch(() => undefined);
    const stopListening = [
      onLive('notice:created', ({ kind }) => {
        dispatch(noticeArrived());
        if (kind === 'dispute') dispatch(baseApi.util.invalidateTags(['Dispute']));
      }),
      onLive('booking:changed', ({ bookingId }) =>
        dispatch(
          baseApi.util.invalidateTags([
            { type: 'Booking', id: bookingId },
            { type: 'Booking', id: 'LIST' },
          ]),
        ),
      ),
      onLive('account:changed', (account) => {
        dispatch(sessionStarted(account));
        dispatch(baseApi.util.invalidateTags(['User']));
      }),
      onLive('tool:changed', () => dispatch(baseApi.util.invalidateTags(['Tool']))),
      // A visitor's socket opens late; what is pushed to visitors may have changed since the screen asked.
      onLive('connected', () => {
        if (!userId) dispatch(baseApi.util.invalidateTags(['Category']));
      }),
      // What was pushed during the gap is gone; whatever a screen shows is asked for again.
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
          ]),
        ),
      ),
    ];
    return () => {
      for (const stop of stopListening) stop();
      isOver = true;
      void close.then((disconnect) => disconnect?.());
    };
  }, [userId, dispatch, store]);

  // Tells the queries when the network comes back.
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
