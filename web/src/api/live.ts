import type { LiveMessages } from '@lendtools/contracts';
import type { Socket } from 'socket.io-client';
import { readAccessToken } from './access-token.ts';

/** What can be heard: the hub's own events, and `reconnected` after a gap that may have hidden some. */
type LiveListeners = LiveMessages & { reconnected: () => void };

type Listener = (payload: never) => void;

const listeners = new Map<string, Set<Listener>>();

/** Hands a push to those who listen for it; what a test uses in place of a hub. */
export function emitLocally(event: string, payload: unknown): void {
  for (const listener of listeners.get(event) ?? []) listener(payload as never);
}

/**
 * Hears one kind of event until the returned function is called. Endpoints use it in
 * `onCacheEntryAdded` to patch their own cached replies; `reconnected` comes after a gap in which
 * pushes may have been missed, so lists are asked again then.
 */
export function onLive<E extends keyof LiveListeners>(
  event: E,
  listener: LiveListeners[E],
): () => void {
  const set = listeners.get(event) ?? new Set<Listener>();
  listeners.set(event, set.add(listener as Listener));
  return () => {
    set.delete(listener as Listener);
  };
}

const retryRenewalMs = 10_000;
/** The hub is full of visitors: there is no hurry. */
const retryWhenFullMs = 60_000;

/**
 * Opens the one socket of this tab. `renew` fetches a fresh access token where there is none yet, or where the hub
 * refused the old one; a visitor has none. The returned function closes the socket for good.
 */
export async function connectLive(renew: (() => Promise<boolean>) | null): Promise<() => void> {
  const { io } = await import('socket.io-client');
  const socket: Socket = io({
    transports: ['websocket'],
    auth: (give) => give(renew ? { token: readAccessToken() } : {}),
    reconnectionDelayMax: 10_000,
    autoConnect: false,
  });
  let missedSome = false;
  let closed = false;

  const later = (work: () => unknown, ms: number) => setTimeout(() => closed || work(), ms);
  const comeAgain = async (): Promise<void> => {
    if (!renew) return void later(() => socket.connect(), retryWhenFullMs);
    const renewed = await renew();
    if (closed) return;
    if (renewed) socket.connect();
    else later(comeAgain, retryRenewalMs);
  };

  socket.onAny(emitLocally);
  socket.on('connect', () => {
    if (missedSome) emitLocally('reconnected', undefined);
    missedSome = true;
  });
  // `active` is false when the hub itself refused or dropped the socket; socket.io does not try again by itself then.
  // A new token helps where the old one has ended, and where there are too many sockets waiting does.
  socket.on('connect_error', ({ message }) => {
    missedSome = true;
    if (socket.active) return;
    if (message === 'TOO_MANY_SOCKETS') later(() => socket.connect(), retryWhenFullMs);
    else void comeAgain();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') void comeAgain();
  });
  if (!renew || readAccessToken()) socket.connect();
  else void comeAgain();

  return () => {
    closed = true;
    socket.disconnect();
  };
}
