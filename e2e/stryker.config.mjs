/** `npm run mutants -- domain`: every small mutant of the pure rules, against their own tests; no server is needed. */
export default {
  mutate: ['services/*/src/domain/*.ts', '!**/*.test.ts'],
  // Words and lists of words: what they say is for readers to judge.
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'e2e/jest.domain.config.mjs' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false, allowColor: false },
  // There is none: to rewrite it, Stryker asks for an API of the compiler that TypeScript 7 does not have.
  tsconfigFile: 'none.json',
  tempDirName: '.local/stryker',
  cleanTempDir: 'always',
};
