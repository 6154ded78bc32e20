import { useSyncExternalStore } from 'react';

let wanted = false;
let tellApp: (() => void) | undefined;
let finish: () => void;
const mounted = new Promise<void>((resolve) => {
  finish = resolve;
});

/** Toasts and dialogs are fetched with the first of them; resolves when there is a place to show it. */
export function wakeOverlays(): Promise<void> {
  wanted = true;
  tellApp?.();
  return mounted;
}

export function overlaysMounted(): void {
  finish();
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
