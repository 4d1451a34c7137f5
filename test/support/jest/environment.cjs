const { ModernFakeTimers } = require('@jest/fake-timers');
const { TestEnvironment } = require('jest-environment-node');

/** Tests run in the main context of the worker: see README.md. */
module.exports = class extends TestEnvironment {
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');

  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  async teardown() {
    // Jest wraps it for each file.
    Object.defineProperty(process, 'exit', this.#exit);
    await super.teardown();
  }
};
