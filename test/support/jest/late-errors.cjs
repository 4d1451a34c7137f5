// Keeps an uncaught error of an ended test file from failing the file that runs now: see README.md.
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { endedOwner } = require('./leaks.cjs');

const EVENTS = ['uncaughtException', 'unhandledRejection'];

/** File in which the workers store errors for the reporter; undefined without a test server. */
exports.lateErrorsFile = () =>
  process.env.TEST_FOLDER === undefined ? undefined : path.join(process.env.TEST_FOLDER, 'late-errors.txt');

/** Hides errors of earlier files from Jest's listeners. Returns a function that removes the listeners. */
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

/** Handles errors between two test files. Jest has no listener then, so an error would end the worker. */
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
