const asyncHooks = require('node:async_hooks');
const Module = require('node:module');
const { compileFunction } = require('node:vm');
const { ConsoleLogger, Logger } = require('@nestjs/common');
const { default: JestRuntime } = require('jest-runtime');
const { sourceMapFiles } = require('./typescript.cjs');

// NestJS and nestjs-pino keep one logger for the process; each test file has its own.
const { __resetOutOfContextForTests: resetRootLogger } = require('nestjs-pino/PinoLogger.js');

/** Loads modules by the require() of the worker, so that its test files share them: see README.md. */
module.exports = class extends JestRuntime {
  #storages = [];

  constructor(...options) {
    super(...options);
    const { coreModule } = this;
    const requireCore = coreModule.require.bind(coreModule);
    const storages = this.#storages;
    coreModule.require = (name) =>
      /^(node:)?async_hooks$/.test(name) ? watchedBy(storages) : requireCore(name);
    // Jest's own modules belong to one test file, but live in the same context as all others.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, { filename });
  }

  requireModule(from, name, options, ...others) {
    if (options?.isInternalModule) return super.requireModule(from, name, options, ...others);
    if (name !== undefined) return Module.createRequire(from)(name);
    // A test file, or a file that belongs to each of them.
    globalThis.jest = this.jestGlobals.jestObjectFor(from);
    resetRootLogger();
    Logger.overrideLogger(new ConsoleLogger());
    delete require.cache[from];
    return require(from);
  }

  teardown() {
    for (const storage of this.#storages) storage.disable();
    super.teardown();
  }

  getSourceMaps() {
    return sourceMapFiles;
  }
};

/**
 * jest-circus makes an AsyncLocalStorage for each test file. While it is enabled, Node.js before 24 hands its store from each promise,
 * timer and socket of the process to the next: after a hundred files, that is most of what the worker does.
 */
function watchedBy(storages) {
  class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...options) {
      super(...options);
      storages.push(this);
    }
  }
  return { ...asyncHooks, AsyncLocalStorage };
}
