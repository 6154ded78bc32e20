const parts = 'section, article, li, ul, ol, form, aside, table, main';

/** Slightly longer than React and Mantine take to move the focus, in milliseconds. */
const settledAfterMs = 60;

/** A focused element, and the parts of the page around it, innermost first. */
interface FocusPlace {
  element: HTMLElement;
  around: HTMLElement[];
}

let last: FocusPlace | null = null;
/** Whether the focused button was disabled: a button is disabled during its request, and so loses the focus. */
let wasDisabled = false;

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

/** Focuses the element or, if it is gone, what is left around it. A disabled button is focused once it is enabled. */
export function restoreFocus(place: FocusPlace): void {
  last = place;
  wasDisabled = place.element.matches(':disabled');
  if (!place.element.isConnected) focusPart(place);
  else if (!wasDisabled) place.element.focus({ preventScroll: true });
}

/** Keeps the focus near a button that is removed or disabled by its press. Returns a function that stops this. */
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
    // Check the button itself too: it keeps the focus until the next paint after it is disabled.
    wasDisabled = last.element.matches(':disabled') || (isNowhere && wasDisabled);
    if (!isNowhere) return;
    clearTimeout(timer);
    timer = setTimeout(settle, settledAfterMs);
  });
  const note = () => {
    last = focusPlace();
    wasDisabled = false;
  };
  /** Drops the place to restore: a click on the empty background is meant to clear the focus. */
  const dropRestore = () => {
    last = null;
  };

  note();
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  });
  document.addEventListener('focusin', note);
  document.addEventListener('pointerdown', dropRestore, { capture: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('pointerdown', dropRestore, { capture: true });
  };
}
