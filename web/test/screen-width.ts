import { afterEach, jest } from '@jest/globals';

afterEach(() => {
  jest.restoreAllMocks();
});

/** The screen is a phone's until the end of the test: no query for a least width holds. */
export function onPhone(): void {
  const wide = window.matchMedia;
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => ({ ...wide(query), matches: /reduce/.test(query) }));
}
