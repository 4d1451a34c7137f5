const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');

/** `npm run test:long -- properties`: more values take a test longer (test/support/fast-check.ts). */
const TIMES = Number(process.env.TEST_RUNS ?? 1);
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Tests run in the main context of the worker: see README.md. */
module.exports = class extends TestEnvironment {
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');

  constructor(config, context) {
    super(config, context);
    forgetTests();
    // jest-circus would add this file's to those of all files before, and tell each of them of every test.
    delete globalThis[EVENT_HANDLERS];
    this.global = globalThis;
    // Mocks return promises of the main context: code of the product asks for `instanceof Promise`.
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  handleTestEvent({ name, test }, state) {
    if (name === 'run_start') state.testTimeout *= TIMES;
    if (name === 'test_start' && test.timeout !== undefined) test.timeout *= TIMES;
  }

  async teardown() {
    // Jest wraps it for each file.
    Object.defineProperty(process, 'exit', this.#exit);
    await super.teardown();
  }
};

/**
 * jest-circus keeps the tests of each file under a symbol of the file's own, and in the async context of everything that they began:
 * sockets and timers of the process. Their closures hold all that the tests started, megabytes for each gateway.
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
