import { testTimeoutMs } from '@lendtools/testing/hangs-after';

const transform = {
  '^.+\\.(ts|tsx)$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'es6' },
    },
  ],
};

export const shared = {
  transform,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.local/'],
  modulePathIgnorePatterns: ['/\\.local/', '/dist/'],
};

/** Runs tests in Node itself: in Jest's sandbox each file would load and compile all modules again, for a CPU second. */
const inNode = {
  runner: 'jest-light-runner/child-process',
  setupFiles: ['<rootDir>/packages/testing/src/jest/setup.ts'],
};

/**
 * These kill servers, take all that the marketplace can give, measure time, or look for what is theirs at the top of
 * everybody's lists: no other journey runs beside them.
 */
const alone = [
  'browser-security',
  'contract-fuzz',
  'faults',
  'restore',
  'rolling-restart',
  'slow-network',
];

/** One project per kind of machine a test needs: Node, a browser-like page, or a whole marketplace with Chromium. */
export default {
  testTimeout: testTimeoutMs,
  projects: [
    {
      ...shared,
      displayName: 'node',
      ...inNode,
      testMatch: ['<rootDir>/{packages,services,gateway,infra,e2e,bench}/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'web',
      testEnvironment: '<rootDir>/web/test/browser-environment.mjs',
      setupFilesAfterEnv: ['<rootDir>/web/test/setup.ts'],
      testMatch: ['<rootDir>/web/**/*.test.{ts,tsx}'],
      // Fonts are imported by their package's name; a page that is never painted needs none.
      moduleNameMapper: {
        '\\.css$': '<rootDir>/web/test/empty-style.ts',
        // One file instead of five thousand: the bundler takes single icons, a test would read all.
        '^@tabler/icons-react$':
          '<rootDir>/node_modules/@tabler/icons-react/dist/cjs/tabler-icons-react.cjs',
        '^@fontsource-variable/': '<rootDir>/web/test/empty-style.ts',
      },
    },
    {
      ...shared,
      displayName: 'browser',
      ...inNode,
      testMatch: ['<rootDir>/e2e/**/*.journey.ts'],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        ...alone.map((name) => `/${name}\\.journey\\.ts$`),
      ],
    },
    {
      ...shared,
      displayName: 'alone',
      ...inNode,
      testMatch: alone.map((name) => `<rootDir>/e2e/journeys/${name}.journey.ts`),
    },
  ],
};
