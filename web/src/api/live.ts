import type { LiveMessages } from '@lendtools/contracts';

/**
 * What can be listened to: the hub's own events, `connected`, and `reconnected` after a gap that may have hidden some;
 * `watching` once the hub tells of a tool's calendar, and `watch` when it should tell of another.
 */
type LiveListeners = LiveMessages & {
  connected: () => void;
  reconnected: () => void;
  watching: (payload: { toolId: string }) => void;
  watch: () => void;
};

type Listener = (payload: never) => void;

const listeners = new Map<string, Set<Listener>>();

/** Delivers a push to its listeners; a test uses it in place of the hub. */
export function emitLocally(event: string, payload: unknown): void {
  for (const listener of listeners.get(event) ?? []) listener(payload as never);
}

/**
 * Listens to one kind of event until the returned function is called. Endpoints use it in `onCacheEntryAdded` to
 * patch their own cached replies; `reconnected` comes after a gap in which pushes may have been missed, so lists are
 * asked again then.
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
