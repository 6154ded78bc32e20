const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'wheel', 'scroll'] as const;
const longestMs = 10_000;

let used: Promise<void> | undefined;

/** Resolves on the first interaction or after ten seconds, for downloads that would slow down the first page. */
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
