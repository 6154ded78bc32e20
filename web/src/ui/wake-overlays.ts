import { useSyncExternalStore } from 'react';

let wanted = false;
let onWanted: (() => void) | undefined;
let mounted: Promise<void>;
let resolveMounted: () => void;

function awaitMount(): void {
  mounted = new Promise((resolve) => {
    resolveMounted = resolve;
  });
}

awaitMount();

/** Loads the component that shows toasts and dialogs; resolves when it is mounted. */
export function wakeOverlays(): Promise<void> {
  wanted = true;
  onWanted?.();
  return mounted;
}

/** Call when toasts and dialogs can be shown. After an unmount, `wakeOverlays` waits for the next mount. */
export function overlaysMounted(): () => void {
  resolveMounted();
  return awaitMount;
}

function subscribe(onChange: () => void): () => void {
  onWanted = onChange;
  return () => {
    onWanted = undefined;
  };
}

export function useOverlaysWanted(): boolean {
  return useSyncExternalStore(subscribe, () => wanted);
}
