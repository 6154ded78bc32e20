/** Returns props for a button: hovering or focusing the button preloads the content that it opens. */
export function whenNear(load: () => Promise<unknown>) {
  // Ignore a failed preload: the press itself will report the error.
  const fetchIt = () => void load().catch(() => undefined);
  return { onPointerEnter: fetchIt, onFocus: fetchIt };
}
