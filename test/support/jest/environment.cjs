const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { countCost } = require('./costs.cjs');
const { errorsOfThisFile, lateErrorsStay } = require('./late-errors.cjs');
const { beginFile, endFile } = require('./leaks.cjs');

/**
 * Time limit for open resources of a test file to close by themselves, on a machine at a quarter of its
 * speed. A file without open resources does not wait.
 */
const SETTLES_WITHIN_MS = 10_000;

/**
 * Factor for the time limits of tests: with `npm run test:long -- properties`, tests try more values and take
 * longer (test/support/fast-check.ts).
 */
const TIMES = Number(process.env.TEST_RUNS ?? 1);
/**
 * Files whose tests must run in order, because each test continues the one before, such as `*.e2e-spec.ts`.
 * `--randomize` keeps the order of the tests in these files; it shuffles only files (sequencer.cjs).
 */
const STORY = /-spec\.ts$/;
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Tests run in the main context of the worker: see README.md. */
module.exports = class extends TestEnvironment {
  #isStory;
  #listening = () => undefined;
  #settlesWithinMs;
  #costCounted;
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');

  constructor(config, context) {
    super(config, context);
    const { settlesWithinMs = SETTLES_WITHIN_MS } = config.projectConfig.testEnvironmentOptions;
    this.#settlesWithinMs = settlesWithinMs;
    beginFile(context.testPath);
    this.#costCounted = countCost(context.testPath);
    this.#isStory = STORY.test(context.testPath);
    forgetTests();
    // Removes the handlers of earlier files: jest-circus would keep them, and call each of them for every
    // test.
    delete globalThis[EVENT_HANDLERS];
    // Removes the time limit that the previous file set with jest.setTimeout().
    delete globalThis[TEST_TIMEOUT];
    this.global = globalThis;
    // Mocks must return promises of the main context, because the product tests `instanceof Promise`.
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  /**
   * jest-circus awaits this handler. `setup` comes when jest-circus already listens for errors of the
   * process, `run_finish` after all hooks of the file.
   */
  async handleTestEvent({ name, test }, state) {
    if (name === 'setup') this.#listening = errorsOfThisFile();
    if (name === 'setup' && this.#isStory) state.randomize = false;
    if (name === 'run_start') state.testTimeout *= TIMES;
    if (name === 'test_start' && test.timeout !== undefined) test.timeout *= TIMES;
    if (name !== 'run_finish') return;
    this.moduleMocker.restoreAllMocks();
    const left = await endFile(this.#settlesWithinMs);
    if (left.length > 0) state.unhandledErrors.push(failure(left));
  }

  async teardown() {
    // Jest wraps process.exit for each file.
    Object.defineProperty(process, 'exit', this.#exit);
    this.#listening();
    lateErrorsStay();
    this.#costCounted();
    await super.teardown();
  }
};

/** Returns an error without a stack, because the lines of its message name the places in the code. */
function failure(left) {
  const error = new Error(`This test file leaves behind:\n- ${left.join('\n- ')}`);
  error.stack = error.message;
  return error;
}

/**
 * Releases what earlier tests hold. jest-circus keeps the tests of each file under a separate symbol, and in
 * the async context of the sockets and timers that they opened. Their functions, and the stacks that it keeps
 * with them, hold everything that the tests started: megabytes for each gateway.
 */
function forgetTests() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === 'JEST_STATE_SYMBOL') forgetBlock(globalThis[symbol].rootDescribeBlock);
}

function forgetBlock({ children, tests, hooks }) {
  for (const part of [...hooks, ...tests, ...children]) {
    part.fn = undefined;
    part.asyncError = undefined;
    if (part.type === 'describeBlock') forgetBlock(part);
  }
}
