import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing/hangs-after';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { forgetTab } from '../src/lib/kept.ts';

configure({ asyncUtilTimeout: hangsAfterMs });

/** What jsdom leaves out because it never paints; Mantine asks for these. */
Object.assign(window, {
  matchMedia: (query: string) => ({
    // A wide screen without animations: a dialog that fades is still there when it is looked for.
    matches: /reduce|min-width/.test(query),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }),
  scrollTo: () => {},
});

class SilentObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
Object.assign(globalThis, {
  ResizeObserver: SilentObserver,
  IntersectionObserver: SilentObserver,
});
Element.prototype.scrollIntoView = () => {};
URL.createObjectURL = () => 'blob:preview';
URL.revokeObjectURL = () => {};
Object.defineProperty(document, 'fonts', {
  value: { addEventListener: () => {}, removeEventListener: () => {}, ready: Promise.resolve() },
});

/** The page has Node's AbortSignal, for fetch; jsdom's own listeners know only jsdom's. */
const { addEventListener } = EventTarget.prototype;
EventTarget.prototype.addEventListener = function (type, listener, options) {
  if (typeof options !== 'object' || !options?.signal) {
    return addEventListener.call(this, type, listener, options);
  }
  const { signal, ...rest } = options;
  addEventListener.call(this, type, listener, rest);
  signal.addEventListener('abort', () => this.removeEventListener(type, listener, rest));
};

afterEach(() => {
  // Toasts live outside the store and would be found by the next test.
  notifications.clean();
  cleanup();
  localStorage.clear();
  forgetTab();
  sessionStorage.clear();
});
