/** Props for a button that preload what it opens when it is hovered or focused. */
export const whenNear = (load: () => Promise<unknown>) => {
  // A failed preload is ignored: the press itself will report the error.
  const fetchIt = () => void load().catch(() => undefined);
  return { onPointerEnter: fetchIt, onFocus: fetchIt };
};
