/** Resolves once the browser has nothing more urgent to do: the screen itself comes first. */
export function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1500 });
    else resolve();
  });
}
