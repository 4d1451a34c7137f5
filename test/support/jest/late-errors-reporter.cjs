const { existsSync, readFileSync } = require('node:fs');
const { lateErrorsFile } = require('./late-errors.cjs');

/** Fails a run in which an error came after the end of its test file, and names that file at the end. */
module.exports = class LateErrors {
  #error;

  onRunComplete() {
    const file = lateErrorsFile();
    if (file === undefined || !existsSync(file)) return;
    this.#error = new Error(readFileSync(file, 'utf8'));
    process.stderr.write(this.#error.message);
  }

  /** Jest fails the run when this returns an error. */
  getLastError() {
    return this.#error;
  }
};
