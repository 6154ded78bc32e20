import { shared } from '../../jest.config.mjs';

export default {
  ...shared,
  rootDir: '../..',
  testEnvironment: 'node',
  // Don't ignore `.local`, as the shared configuration does: Stryker runs in a copy below it.
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [],
  testMatch: [
    '<rootDir>/services/*/src/domain/*.test.ts',
    '<rootDir>/packages/contracts/src/commission.test.ts',
  ],
};
