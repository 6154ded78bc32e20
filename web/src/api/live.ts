import type { LiveMessages } from '@lendtools/contracts';

/** The server's pushes, and local events. `watching` means that the server now sends this socket a tool's changes. */
type LiveListeners = LiveMessages & {
  connected: () => void;
  reconnected: () => void;
  watching: (payload: { toolId: string }) => void;
  watch: () => void;
};

type Listener = (payload: never) => void;

const listeners = new Map<string, Set<Listener>>();

/** Delivers an event to the listeners in this tab; tests call it in place of the server. */
export function emitLocally(event: string, payload: unknown): void {
  for (const listener of listeners.get(event) ?? []) listener(payload as never);
}

/** Subscribes to an event; returns the unsubscribe function. After `reconnected`, refetch lists: pushes were lost. */
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
