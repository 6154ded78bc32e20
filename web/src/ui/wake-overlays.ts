import { useSyncExternalStore } from 'react';

let wanted = false;
let tellApp: (() => void) | undefined;
let mounted: Promise<void>;
let noteMounted: () => void;
const awaitMount = (): void => {
  mounted = new Promise((resolve) => {
    noteMounted = resolve;
  });
};
awaitMount();

/** Toasts and dialogs are fetched with the first of them; resolves when there is a place to show it. */
export function wakeOverlays(): Promise<void> {
  wanted = true;
  tellApp?.();
  return mounted;
}

/** An effect of the place that shows them. What is opened after it is gone waits for the next one, instead of being lost. */
export function overlaysMounted(): () => void {
  noteMounted();
  return awaitMount;
}

function subscribe(onChange: () => void): () => void {
  tellApp = onChange;
  return () => {
    tellApp = undefined;
  };
}

export function useOverlaysWanted(): boolean {
  return useSyncExternalStore(subscribe, () => wanted);
}
