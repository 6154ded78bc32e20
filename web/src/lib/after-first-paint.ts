/** Resolves when the browser is idle, after at most 1.5 s, so that background work doesn't delay the first screen. */
export function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1500 });
    else resolve();
  });
}
