import { useEffectEvent, useLayoutEffect } from 'react';
import { focusPlace, giveFocusBack } from './keep-focus.ts';
import { noteOverlay } from './overlay-history.ts';

/** A little more than Mantine waits, for its focus to be where it puts it. */
const focusReturnsAfterMs = 20;

/**
 * Mantine looks a moment too late which button something was opened by: where it opens without a transition, or was
 * fetched by the press, the focus is in it by then, and would get lost with it.
 */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const opener = focusPlace();
    return () => {
      const last = document.activeElement;
      setTimeout(() => {
        const now = focusPlace();
        if (opener && (!now || now.element === last)) giveFocusBack(opener);
      }, focusReturnsAfterMs);
    };
  }, [opened]);
}

/** While something is `opened`, Back closes it instead of leaving the screen, and so does a link in it. */
export function useBackEntry(opened: boolean, close: () => void): void {
  const onLeft = useEffectEvent(close);
  // With the commit that shows it: Back may be pressed before the effects have run.
  useLayoutEffect(() => {
    if (opened) return noteOverlay(() => onLeft());
  }, [opened]);
}

/** For everything that opens over a screen (sheet, gallery, dialog): Back closes it, and the focus goes back to where it was. */
export function useBackCloses(opened: boolean, close: () => void): void {
  useFocusReturn(opened);
  useBackEntry(opened, close);
}
