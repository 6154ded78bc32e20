/** Props for a button: what it opens is fetched when a pointer or the keyboard gets to it. */
export const whenNear = (load: () => Promise<unknown>) => {
  // Should it fail, the press itself says so.
  const fetchIt = () => void load().catch(() => undefined);
  return { onPointerEnter: fetchIt, onFocus: fetchIt };
};
