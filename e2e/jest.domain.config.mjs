import { shared } from '../jest.config.mjs';

/** The tests of the pure rules alone: they need no server. */
export default {
  ...shared,
  rootDir: '..',
  testEnvironment: 'node',
  // It runs in a copy below `.local`, where the other tests are not looked for.
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [],
  testMatch: ['<rootDir>/services/*/src/domain/*.test.ts'],
};
