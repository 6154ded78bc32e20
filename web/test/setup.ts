import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { hangsAfterMs } from '@lendtools/testing/hangs-after';
import { notifications } from '@mantine/notifications';
import { cleanup, configure, getConfig } from '@testing-library/react';
import React from 'react';
import { clearTab } from '../src/lib/kept.ts';

/** Don't print the page when a polled query fails, which happens many times; `waitFor` prints it on its timeout. */
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

/** Stops React from recording a stack trace per element for its warnings, which takes a tenth of the tests' time. */
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set: () => {} },
);

/** Browser APIs that Mantine needs and jsdom lacks. */
Object.assign(window, {
  matchMedia: (query: string) => ({
    // A wide screen without animations: otherwise a dialog that fades out would still be found.
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

/** fetch needs Node's AbortSignal, but jsdom's `addEventListener` accepts only jsdom's own. */
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
  // Remove the toasts: they are stored outside the Redux store, so the next test would find them.
  notifications.clean();
  cleanup();
  localStorage.clear();
  clearTab();
  sessionStorage.clear();
});
