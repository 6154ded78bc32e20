import { afterEach, jest } from '@jest/globals';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Simulates a phone until the end of the test: no `min-width` query matches. */
export function onPhone(): void {
  const wide = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...wide(query), matches: /reduce/.test(query) }));
}
