/** Sends a `Progress` to the process that started Jest whenever a test or a file begins or ends. */
export default class ProgressReporter {
  #passed = 0;
  #failed = 0;
  #failedFiles = [];

  onTestFileStart({ path }) {
    this.#send('file started', path);
  }

  onTestCaseStart({ path }, { fullName }) {
    this.#send('test started', path, fullName);
  }

  onTestCaseResult({ path }) {
    this.#send('test ended', path);
  }

  onTestFileResult({ path }, { numPassingTests, numFailingTests, testExecError }) {
    this.#passed += numPassingTests;
    const failed = testExecError ? numFailingTests || 1 : numFailingTests;
    this.#failed += failed;
    if (failed > 0) this.#failedFiles.push(path);
    this.#send('file ended', path);
  }

  #send(event, file, test) {
    process.send?.({
      event,
      file,
      test,
      passed: this.#passed,
      failed: this.#failed,
      failedFiles: this.#failedFiles,
    });
  }
}
