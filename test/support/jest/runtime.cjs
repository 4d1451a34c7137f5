const asyncHooks = require('node:async_hooks');
const Module = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { ConsoleLogger, Logger } = require('@nestjs/common');
const { default: JestRuntime } = require('jest-runtime');
const { rememberShared } = require('./leaks.cjs');
const { sourceMapFiles } = require('./typescript.cjs');

// NestJS and nestjs-pino keep one logger for the process; each test file has its own.
const { __resetOutOfContextForTests: resetRootLogger } = require('nestjs-pino/PinoLogger.js');

/** The message with which Jest ends a worker (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/**
 * Jest waits half a second for a worker to end by itself, kills it, and reports a leak. Something may still
 * end later on a busy machine: a connection that a client keeps for its next request, and threads that
 * compile PostgreSQL's parser (WebAssembly), for which Node.js waits at its exit, up to two seconds after it
 * was used first. leaks.cjs has looked at each file: a worker that gets the message to end has nothing to
 * wait for.
 */
if (require.main.path === path.dirname(require.resolve('jest-worker'))) {
  process.on('message', ([kind]) => {
    if (kind === END) process.exit();
  });
  process.once('exit', () => {
    Module.flushCompileCache?.();
    process.kill(process.pid, 'SIGKILL');
  });
}

/** Loads modules by the require() of the worker, so that its test files share them: see README.md. */
module.exports = class extends JestRuntime {
  constructor(...options) {
    super(...options);
    const { coreModule } = this;
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      /^(node:)?async_hooks$/.test(name) ? WITHOUT_ASYNC_STORES : requireCore(name);
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
    rememberShared();
    return require(from);
  }

  getSourceMaps() {
    return sourceMapFiles;
  }
};

/**
 * jest-circus remembers in an AsyncLocalStorage which test runs. While one is in use, Node.js before 24
 * tracks every promise, timer and socket of the process, which is a tenth of what a worker does. The tests of
 * a file run one after another, so that one variable is enough.
 */
class CurrentStore {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    const restore = () => {
      this.#store = before;
    };
    this.#store = store;
    const running = callback();
    running.then(restore, restore);
    return running;
  }
}

const WITHOUT_ASYNC_STORES = { ...asyncHooks, AsyncLocalStorage: CurrentStore };
