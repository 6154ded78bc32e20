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

/**
 * Opens the one socket of this tab. `renew` fetches a fresh access token where there is none yet, or
 * where the hub refused the old one. The returned function closes the socket for good.
 */
export async function connectLive(renew: () => Promise<boolean>): Promise<() => void> {
  const { io } = await import('socket.io-client');
  const socket: Socket = io({
    transports: ['websocket'],
    auth: (give) => give({ token: readAccessToken() }),
    reconnectionDelayMax: 10_000,
    autoConnect: false,
  });
  let connectedBefore = false;
  let closed = false;

  const renewAndConnect = async (): Promise<void> => {
    const renewed = await renew();
    if (closed) return;
    if (renewed) socket.connect();
    else setTimeout(() => void (closed || renewAndConnect()), retryRenewalMs);
  };

  socket.onAny(emitLocally);
  socket.on('connect', () => {
    if (connectedBefore) emitLocally('reconnected', undefined);
    connectedBefore = true;
  });
  // `active` is false when the hub itself refused or dropped the socket, because the token is old;
  // socket.io does not try again by itself then.
  socket.on('connect_error', () => {
    if (!socket.active) void renewAndConnect();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') void renewAndConnect();
  });
  if (readAccessToken()) socket.connect();
  else void renewAndConnect();

  return () => {
    closed = true;
    socket.disconnect();
  };
}
