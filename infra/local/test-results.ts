import { existsSync, readFileSync } from 'node:fs';

export interface Count {
  passed: number;
  failed: number;
}

/** The part of Jest's `--json` output that is used. A file that could not be loaded has no assertions. */
export interface JestOutput {
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

type FileResult = JestOutput['testResults'][number];

/** Reads the file that `--outputFile` names; undefined if Jest ended before it wrote the file. */
export function readJestOutput(file: string): JestOutput | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Counts tests. A file that failed to load or has no test counts as one failure. */
export function countTests(output: JestOutput): Count {
  const counts = output.testResults.map(countFile);
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

export function failedFiles(output: JestOutput): string[] {
  return output.testResults.filter((file) => countFile(file).failed > 0).map(({ name }) => name);
}

/** Replaces the results of the files that ran again. */
export function withSecondRun(first: JestOutput, second: JestOutput): JestOutput {
  const again = new Map(second.testResults.map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
}

/** The files and names of the tests that failed. */
export function failedTests(output: JestOutput): string[] {
  return output.testResults.flatMap((file) =>
    failedTestsOf(file).map((test) => `${file.name}: ${test}`),
  );
}

/** The tests that failed in the first run, in files that passed in the second. */
export function flakyTests(first: JestOutput, second: JestOutput): string[] {
  const failing = new Set(failedFiles(second));
  const passing = second.testResults.map(({ name }) => name).filter((name) => !failing.has(name));
  const again = first.testResults.filter(({ name }) => passing.includes(name));
  return failedTests({ testResults: again });
}

function countFile({ assertionResults }: FileResult): Count {
  const passed = assertionResults.filter(({ status }) => status === 'passed').length;
  const failed = assertionResults.filter(({ status }) => status === 'failed').length;
  return { passed, failed: assertionResults.length === 0 ? 1 : failed };
}

function failedTestsOf({ assertionResults }: FileResult): string[] {
  if (assertionResults.length === 0) return ['the file could not be loaded'];
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}
