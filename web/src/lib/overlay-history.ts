import type { createBrowserRouter, Location } from 'react-router-dom';
import { randomId } from './random-id.ts';

type Router = ReturnType<typeof createBrowserRouter>;

/** The open overlays, such as dialogs and menus, oldest first, each with the function that closes it. */
const open = new Map<string, () => void>();
let router: Router | undefined;
/** True until a `navigate(-1)` has completed; nothing else may change the history meanwhile. */
let stepping = false;

function overlaysAt({ state }: Location): string[] {
  return (state as { overlays?: string[] } | null)?.overlays ?? [];
}

/** Gives each open overlay a history entry, so that Back closes it. Goes back from the entries of closed overlays. */
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

/** Call once with the new router. Back and a navigation to another page then close the open overlays. */
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
    // Wait, so that a link in the overlay, or the next overlay, changes the history first.
    setTimeout(settle);
  };
}
