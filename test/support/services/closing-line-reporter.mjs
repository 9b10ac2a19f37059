import { writeSync } from 'node:fs';

/**
 * Makes `N passed, N failed, N skipped` the last line of the output, after jest's own summary.
 * A test file that could not run counts as a failure.
 */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`;
    process.once('exit', () => writeSync(process.stdout.fd, line));
  }
}
