const parts = 'section, article, li, ul, ol, form, aside, table, main';

/** A little more than React and Mantine take to put the focus where they want it. */
const settledAfterMs = 60;

/** Something that has had the focus, and the parts of the screen that it stood in, from the inside out. */
interface FocusPlace {
  element: HTMLElement;
  around: HTMLElement[];
}

let last: FocusPlace | null = null;
/** A button that works is disabled, and loses the focus by it. */
let wasDisabled = false;

/** Where the focus is now; null where it is nowhere. */
export function focusPlace(): FocusPlace | null {
  const { activeElement: element } = document;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const around: HTMLElement[] = [];
  let part = element.parentElement?.closest<HTMLElement>(parts);
  while (part) {
    around.push(part);
    part = part.parentElement?.closest<HTMLElement>(parts);
  }
  return { element, around };
}

/** Gives the focus to the smallest part that is still there; the next Tab comes to what is in it. */
function focusPart({ around }: FocusPlace): void {
  const part = around.find((one) => one.isConnected);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) {
    part.tabIndex = -1;
    part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true });
  }
  part.focus({ preventScroll: true });
}

/** Returns it to where it was, or to what is left around it; to a button that is still working, once it is done. */
export function giveFocusBack(place: FocusPlace): void {
  last = place;
  wasDisabled = place.element.matches(':disabled');
  if (!place.element.isConnected) focusPart(place);
  else if (!wasDisabled) place.element.focus({ preventScroll: true });
}

/**
 * A press may take away what was pressed: a line of the cart, "Cancel booking". The focus would be nowhere then, and a
 * screen reader would begin the page anew; it goes to what was around instead. A button that was disabled while it worked
 * has it back. Returns what ends the watch.
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    if (!last || focusPlace()) return;
    const { element } = last;
    if (!element.isConnected || (wasDisabled && !element.matches(':disabled'))) giveFocusBack(last);
  };
  const observer = new MutationObserver(() => {
    if (!last) return;
    const isNowhere = focusPlace() === null;
    // The browser takes the focus away only when it next paints, so a button that is disabled still has it here.
    wasDisabled = last.element.matches(':disabled') || (isNowhere && wasDisabled);
    if (!isNowhere) return;
    clearTimeout(timer);
    timer = setTimeout(settle, settledAfterMs);
  });
  const note = () => {
    last = focusPlace();
    wasDisabled = false;
  };
  /** Whoever presses beside everything wants the focus nowhere. */
  const forget = () => {
    last = null;
  };

  note();
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', note);
  document.addEventListener('pointerdown', forget, { capture: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('pointerdown', forget, { capture: true });
  };
}
