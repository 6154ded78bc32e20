/** `npm run mutants -- domain`: mutates the domain code and runs its tests, which need no server. */
export default {
  mutate: ['services/*/src/domain/*.ts', '!**/*.test.ts'],
  // Tests don't assert the wording of texts.
  mutator: { excludedMutations: ['StringLiteral'] },
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'e2e/jest.domain.config.mjs' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false, allowColor: false },
  // The file does not exist: Stryker would rewrite a real one with a compiler API that TypeScript 7 lacks.
  tsconfigFile: 'none.json',
  tempDirName: '.local/stryker',
  cleanTempDir: 'always',
};
