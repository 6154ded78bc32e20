import type { LiveMessages } from '@lendtools/contracts';

/**
 * The hub's own events, and local ones: `connected`; `reconnected` after a gap in which pushes may have been missed;
 * `watching` once the hub has subscribed this socket to a tool's calendar; `watch` when that tool changes.
 */
type LiveListeners = LiveMessages & {
  connected: () => void;
  reconnected: () => void;
  watching: (payload: { toolId: string }) => void;
  watch: () => void;
};

type Listener = (payload: never) => void;

const listeners = new Map<string, Set<Listener>>();

/** Delivers an event to its listeners. Tests use it in place of the hub. */
export function emitLocally(event: string, payload: unknown): void {
  for (const listener of listeners.get(event) ?? []) listener(payload as never);
}

/**
 * Subscribes to an event until the returned function is called. Endpoints use it in `onCacheEntryAdded` to patch their
 * cached replies. After `reconnected`, lists must be refetched.
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
