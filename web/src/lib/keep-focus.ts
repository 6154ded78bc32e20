const parts = 'section, article, li, ul, ol, form, aside, table, main';

/** Slightly longer than React and Mantine take to move the focus. */
const settledAfterMs = 60;

/** An element that had the focus, and the parts of the screen around it, innermost first. */
interface FocusPlace {
  element: HTMLElement;
  around: HTMLElement[];
}

let last: FocusPlace | null = null;
/** Whether the focused button was disabled: buttons are while their request runs, and so lose the focus. */
let wasDisabled = false;

/** The focused element; null if nothing has the focus. */
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

/** Focuses the innermost part that is still in the document, so that the next Tab reaches its contents. */
function focusPart({ around }: FocusPlace): void {
  const part = around.find((one) => one.isConnected);
  if (!part) return;
  if (!part.hasAttribute('tabindex')) {
    part.tabIndex = -1;
    part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true });
  }
  part.focus({ preventScroll: true });
}

/** Focuses the element again, or what is left around it. A disabled button gets the focus when it is enabled again. */
export function restoreFocus(place: FocusPlace): void {
  last = place;
  wasDisabled = place.element.matches(':disabled');
  if (!place.element.isConnected) focusPart(place);
  else if (!wasDisabled) place.element.focus({ preventScroll: true });
}

/**
 * Pressing a button can remove it, for example with its line of the cart. The focus would then be lost, and a screen reader
 * would start again at the top of the page, so the part around the button gets the focus. A button that was disabled
 * while it worked gets it back. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const settle = () => {
    if (!last || focusPlace()) return;
    const { element } = last;
    if (!element.isConnected || (wasDisabled && !element.matches(':disabled'))) restoreFocus(last);
  };
  const observer = new MutationObserver(() => {
    if (!last) return;
    const isNowhere = focusPlace() === null;
    // The browser moves the focus off a disabled button only at the next paint, so a button that has just been disabled
    // may still have it.
    wasDisabled = last.element.matches(':disabled') || (isNowhere && wasDisabled);
    if (!isNowhere) return;
    clearTimeout(timer);
    timer = setTimeout(settle, settledAfterMs);
  });
  const note = () => {
    last = focusPlace();
    wasDisabled = false;
  };
  /** A click on the empty background is meant to clear the focus. */
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
