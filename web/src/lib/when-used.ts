const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const longestMs = 10_000;

let used: Promise<void> | undefined;

/**
 * Resolves on the reader's first interaction, or ten seconds after the first call. For downloads that are not needed
 * before: on a slow network they would delay the first screen.
 */
export function whenUsed(): Promise<void> {
  used ??= new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      for (const sign of signs) window.removeEventListener(sign, finish, { capture: true });
      resolve();
    };
    const timer = setTimeout(finish, longestMs);
    for (const sign of signs) {
      window.addEventListener(sign, finish, { capture: true, passive: true });
    }
  });
  return used;
}
