import type { createBrowserRouter, Location } from 'react-router-dom';
import { randomId } from './random-id.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/** What is open over the screen, oldest first, and how each is closed. */
const open = new Map<string, () => void>();
let router: Router | undefined;
/** The browser takes a step back in its own time; nothing else moves in the history meanwhile. */
let stepping = false;

/** The overlays that were open at an entry of the history. */
const overlaysAt = ({ state }: Location): string[] =>
  (state as { overlays?: string[] } | null)?.overlays ?? [];

/**
 * Brings the history in line with what is open: an overlay has an entry of its own, for Back to leave, and an entry
 * whose overlay is closed is stepped back from. That one may also come up by Forward, or after a reload.
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

/** Called once by the creator of the router. Back, and leaving the screen, close what is open over it. */
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

/** Adds what was opened to the history; returns a function that removes it again. */
export function noteOverlay(close: () => void): () => void {
  const name = randomId();
  open.set(name, close);
  settle();
  return () => {
    open.delete(name);
    // Whatever takes its place, or a link that was pressed in it, moves in the history first.
    setTimeout(settle);
  };
}
