import { useEffectEvent, useLayoutEffect } from 'react';
import { focusPlace, restoreFocus } from './keep-focus.ts';
import { noteOverlay } from './overlay-history.ts';

/** Slightly longer than Mantine takes to restore the focus, in milliseconds. */
const focusReturnsAfterMs = 20;

/** Mantine may record the opener only after the focus has moved into the overlay, so record the opener here. */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = focusPlace();
    return () => {
      const last = document.activeElement;
      setTimeout(() => {
        const now = focusPlace();
        if (opener && (!now || now.element === last)) restoreFocus(opener);
      }, focusReturnsAfterMs);
    };
  }, [opened]);
}

/** While `opened`, Back closes the overlay and stays on the page. Following a link in the overlay also closes it. */
export function useBackEntry(opened: boolean, close: () => void): void {
  const onLeft = useEffectEvent(close);
  // A layout effect, because Back may be pressed before normal effects run.
  useLayoutEffect(() => {
    if (opened) return noteOverlay(() => onLeft());
  }, [opened]);
}

/** Use for everything that opens over a page: Back closes the overlay, and the focus returns to its opener. */
export function useBackCloses(opened: boolean, close: () => void): void {
  useFocusReturn(opened);
  useBackEntry(opened, close);
}
