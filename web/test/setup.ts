import '@testing-library/jest-dom/jest-globals';
import { afterEach, jest } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// A lazily loaded screen is compiled on its first visit, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
jest.setTimeout(30_000);

/** What jsdom leaves out because it never paints; Mantine asks for these. */
Object.assign(window, {
  matchMedia: (query: string) => ({
    // No animations in tests: a dialog that fades is still there when it is looked for.
    matches: query.includes('reduce'),
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

afterEach(() => {
  cleanup();
  localStorage.clear();
});
