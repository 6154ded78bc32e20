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

/** Loads the component that shows toasts and dialogs; resolves when it is mounted. */
export function wakeOverlays(): Promise<void> {
  wanted = true;
  tellApp?.();
  return mounted;
}

/** The mount effect of that component. After it unmounts, `wakeOverlays` waits for the next mount, so that nothing is lost. */
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
