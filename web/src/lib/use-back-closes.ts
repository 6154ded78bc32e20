import { useEffectEvent, useLayoutEffect } from 'react';
import { focusPlace, restoreFocus } from './keep-focus.ts';
import { noteOverlay } from './overlay-history.ts';

/** Slightly longer than Mantine takes to restore the focus. */
const focusReturnsAfterMs = 20;

/**
 * Mantine reads the opener from the focus too late: without a transition, or when the overlay's code is loaded on the press,
 * the focus is already inside the overlay by then. So the opener is recorded here and gets the focus back on close.
 */
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

/** While `opened`, Back closes the overlay instead of leaving the screen, and so does following a link in it. */
export function useBackEntry(opened: boolean, close: () => void): void {
  const onLeft = useEffectEvent(close);
  // A layout effect, because Back may be pressed before normal effects run.
  useLayoutEffect(() => {
    if (opened) return noteOverlay(() => onLeft());
  }, [opened]);
}

/**
 * Use it for everything that opens over a screen (sheet, gallery, dialog): Back closes it, and its opener gets the
 * focus back.
 */
export function useBackCloses(opened: boolean, close: () => void): void {
  useFocusReturn(opened);
  useBackEntry(opened, close);
}
