import { globSync } from 'node:fs';

/**
 * `npm run mutants` mutates domain code that has a test beside it, and what other tests of the domain cover. Tests of routes
 * cover the rest of the domain code.
 */
export default {
  mutate: [
    ...globSync('services/*/src/domain/*.test.ts').map((file) => file.replace('.test.', '.')),
    'services/payments/src/domain/release.ts',
    'packages/contracts/src/commission.ts',
    '!**/notice-texts.ts',
  ],
  // Don't mutate strings, because tests don't assert the wording of texts.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 95, low: 90, break: 85 },
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'e2e/mutants/jest.domain.config.mjs' },
  coverageAnalysis: 'perTest',
  // Skip mutants of module-level constants: each runs all tests, and together they take more than half of the time.
  ignoreStatic: true,
  concurrency: 2,
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false, allowColor: false },
  // This file does not exist: Stryker would rewrite a real one with a compiler API that TypeScript 7 lacks.
  tsconfigFile: 'none.json',
  tempDirName: '.local/stryker',
  cleanTempDir: 'always',
};
