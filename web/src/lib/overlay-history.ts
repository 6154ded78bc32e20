import { useEffectEvent, useLayoutEffect } from 'react';
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

/** Called once by whoever makes the router. Back, and leaving the screen, close what is open over it. */
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

/** A little more than Mantine waits, for its focus to be where it puts it. */
const focusReturnsAfterMs = 20;

/**
 * Mantine looks a moment too late which button something was opened by: where it opens without a transition, or was
 * fetched by the press, the focus is in it by then, and would get lost with it.
 */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = document.activeElement;
    return () => {
      const last = document.activeElement;
      setTimeout(() => {
        const now = document.activeElement;
        const isLost = !now || now === document.body || now === last;
        if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      }, focusReturnsAfterMs);
    };
  }, [opened]);
}

/**
 * For everything that opens over a screen (sheet, gallery, dialog): while it is `opened`, Back closes it instead of
 * leaving the screen, and so does a link in it. The focus goes back to where it was.
 */
export function useBackCloses(opened: boolean, close: () => void): void {
  useFocusReturn(opened);
  const onLeft = useEffectEvent(close);
  // With the commit that shows it: Back may be pressed before the effects have run.
  useLayoutEffect(() => {
    if (!opened) return;
    const name = randomId();
    open.set(name, () => onLeft());
    settle();
    return () => {
      open.delete(name);
      // Whatever takes its place, or a link that was pressed in it, moves in the history first.
      setTimeout(settle);
    };
  }, [opened]);
}
