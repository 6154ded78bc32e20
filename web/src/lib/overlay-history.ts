import type { createBrowserRouter, Location } from 'react-router-dom';
import { randomId } from './random-id.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/** The open overlays, oldest first, each with the function that closes it. */
const open = new Map<string, () => void>();
let router: Router | undefined;
/** `navigate(-1)` completes asynchronously; nothing else may change the history until it has. */
let stepping = false;

/** The overlays that were open at a history entry. */
const overlaysAt = ({ state }: Location): string[] =>
  (state as { overlays?: string[] } | null)?.overlays ?? [];

/**
 * Syncs the history with the open overlays. Each overlay gets its own entry, so that Back closes it. An entry whose
 * overlay is closed is left by stepping back; Forward and a reload can lead to such an entry too.
 */
function settle(): void {
  if (!router || stepping) return;
  const { location, navigation, initialized } = router.state;
  if (!initialized || navigation.state !== 'idle') return;
  const noted = overlaysAt(location);
  const isOver = noted.some((name) => !open.has(name));
  if ([...open.keys()].some((name) => !noted.includes(name))) {
    const state = { ...location.state, overlays: [...open.keys()] };
    void router.navigate(location, { state, replace: isOver, preventScrollReset: true });
  } else if (isOver) {
    stepping = true;
    void router.navigate(-1);
  }
}

/** Called once with the new router. Back, and navigating to another screen, close the open overlays. */
export function followHistory(appRouter: Router): void {
  router = appRouter;
  open.clear();
  stepping = false;
  let last = appRouter.state.location;
  appRouter.subscribe(({ location, historyAction }) => {
    if (router !== appRouter) return;
    if (location !== last) {
      const before = overlaysAt(last);
      const now = overlaysAt(location);
      for (const [name, close] of open) {
        const left = historyAction === 'POP' && before.includes(name) && !now.includes(name);
        if (!left && location.pathname === last.pathname) continue;
        open.delete(name);
        close();
      }
      last = location;
      stepping = false;
    }
    settle();
  });
  settle();
}

/** Adds a history entry for an overlay that opened; returns a function that removes it. */
export function noteOverlay(close: () => void): () => void {
  const name = randomId();
  open.set(name, close);
  settle();
  return () => {
    open.delete(name);
    // A timer, so that a link in the overlay, or the overlay that replaces it, changes the history first.
    setTimeout(settle);
  };
}
