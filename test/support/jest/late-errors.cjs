// An uncaught error of a test file that has ended is no fault of the file that runs: see README.md.
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { endedOwner } = require('./leaks.cjs');

const EVENTS = ['uncaughtException', 'unhandledRejection'];

/** File in which the workers report to the reporter: undefined without a test server. */
exports.lateErrorsFile = () =>
  process.env.TEST_FOLDER === undefined ? undefined : path.join(process.env.TEST_FOLDER, 'late-errors.txt');

/** Keeps errors of earlier files from Jest's listeners. Returns how to stop. */
exports.errorsOfThisFile = () => {
  const added = EVENTS.flatMap((event) =>
    process.rawListeners(event).map((listener) => {
      const wrapped = (error, ...rest) => {
        if (!isLate(error)) listener.call(process, error, ...rest);
      };
      process.removeListener(event, listener);
      process.on(event, wrapped);
      return { event, wrapped };
    }),
  );
  return () => {
    for (const { event, wrapped } of added) process.removeListener(event, wrapped);
  };
};

/** Between two files no listener of Jest is there: an error would end the worker. */
exports.lateErrorsStay = () => {
  for (const event of EVENTS) if (!process.listeners(event).includes(between)) process.on(event, between);
};

function between(error) {
  if (!isLate(error)) throw error;
}

function isLate(error) {
  const file = endedOwner();
  if (file === undefined) return false;
  const text = `An error came after ${file} had ended: ${error?.stack ?? String(error)}\n`;
  process.stderr.write(text);
  const kept = exports.lateErrorsFile();
  if (kept !== undefined) appendFileSync(kept, text);
  return true;
}
