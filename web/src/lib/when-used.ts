const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const longestMs = 10_000;

let used: Promise<void> | undefined;

/**
 * Resolves when the reader first does something, or ten seconds after it was first asked for. What nobody misses before
 * that is fetched then: on a slow network it would only hold up the screen itself.
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
