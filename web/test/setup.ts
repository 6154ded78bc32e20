import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing/hangs-after';
import { notifications } from '@mantine/notifications';
import { cleanup, configure, getConfig } from '@testing-library/react';
import React from 'react';
import { forgetTab } from '../src/lib/kept.ts';

/**
 * A query that is polled fails many times, and each failure would print the whole page. `waitFor` adds the page itself
 * once its time is up; this flag is how it marks what it polls.
 */
const { getElementError } = getConfig();
configure({
  asyncUtilTimeout: hangsAfterMs,
  getElementError(message, container) {
    const { _disableExpensiveErrorDiagnostics: isPolled } = getConfig() as ReturnType<
      typeof getConfig
    > & { _disableExpensiveErrorDiagnostics: boolean };
    if (!isPolled) return getElementError(message, container);
    return Object.assign(new Error(message ?? undefined), { name: 'TestingLibraryElementError' });
  },
});

/**
 * React's development build takes a stack trace for each element, a tenth of these tests' time, to say in a warning who
 * made it. It stops at a number of them; that number is reached from the start.
 */
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set: () => {} },
);

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
