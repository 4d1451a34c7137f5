const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');
const { errorsOfThisFile, lateErrorsStay } = require('./late-errors.cjs');
const { beginFile, endFile } = require('./leaks.cjs');

/**
 * Time in which leftovers of a file close by themselves, on a machine at a quarter of its speed. No file that
 * is clean waits for it.
 */
const SETTLES_WITHIN_MS = 10_000;

/** `npm run test:long -- properties`: more values take a test longer (test/support/fast-check.ts). */
const TIMES = Number(process.env.TEST_RUNS ?? 1);
/**
 * The tests of such a file are the steps of a story in one world: `--randomize`
 * keeps their order, and shuffles files (sequencer.cjs).
 */
const STORY = /-spec\.ts$/;
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Tests run in the main context of the worker: see README.md. */
module.exports = class extends TestEnvironment {
  #isStory;
  #listening = () => undefined;
  #settlesWithinMs;
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');

  constructor(config, context) {
    super(config, context);
    const { settlesWithinMs = SETTLES_WITHIN_MS } = config.projectConfig.testEnvironmentOptions;
    this.#settlesWithinMs = settlesWithinMs;
    beginFile(context.testPath);
    this.#isStory = STORY.test(context.testPath);
    forgetTests();
    // jest-circus would add this file's handlers to those of all files before, and call each of them for
    // every test.
    delete globalThis[EVENT_HANDLERS];
    // The time limit that jest.setTimeout() of the file before has set.
    delete globalThis[TEST_TIMEOUT];
    this.global = globalThis;
    // Mocks return promises of the main context: code of the product asks for `instanceof Promise`.
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  /**
   * jest-circus awaits this: after it began to listen for errors of the
   * process, and after all hooks of the file.
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
    // Jest wraps it for each file.
    Object.defineProperty(process, 'exit', this.#exit);
    this.#listening();
    lateErrorsStay();
    await super.teardown();
  }
};

/** Has no stack: the places are in its sentences. */
function failure(left) {
  const error = new Error(`This test file leaves behind:\n- ${left.join('\n- ')}`);
  error.stack = error.message;
  return error;
}

/**
 * jest-circus keeps the tests of each file under a symbol of the file's own, and in the async context of
 * everything that they began: sockets and timers of the process. Their closures hold all that the tests
 * started, megabytes for each gateway.
 */
function forgetTests() {
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === 'JEST_STATE_SYMBOL') forgetBlock(globalThis[symbol].rootDescribeBlock);
}

function forgetBlock({ children, tests, hooks }) {
  for (const hook of hooks) hook.fn = undefined;
  for (const test of tests) test.fn = undefined;
  for (const child of children) if (child.type === 'describeBlock') forgetBlock(child);
  for (const child of children) if (child.type === 'test') child.fn = undefined;
}
