import { shared } from '../jest.config.mjs';

/** Only the tests of the domain code, which need no server. */
export default {
  ...shared,
  rootDir: '..',
  testEnvironment: 'node',
  // Stryker runs it in a copy below `.local`, which the shared configuration ignores.
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [],
  testMatch: ['<rootDir>/services/*/src/domain/*.test.ts'],
};
