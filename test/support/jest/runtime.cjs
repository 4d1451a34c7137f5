const asyncHooks = require('node:async_hooks');
const Module = require('node:module');
const path = require('node:path');
const { compileFunction } = require('node:vm');
const { ConsoleLogger, Logger } = require('@nestjs/common');
const { default: JestRuntime } = require('jest-runtime');
const { jumpingClock } = require('./jumping-clock.cjs');
const { rememberShared } = require('./leaks.cjs');
const { slowDatabase } = require('./slow-database.cjs');
const { sourceMapFiles } = require('./typescript.cjs');

// NestJS and nestjs-pino keep one logger for the process. It is reset, so that each test file has its own.
const { __resetOutOfContextForTests: resetRootLogger } = require('nestjs-pino/PinoLogger.js');

/** The message with which Jest ends a worker (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;

/**
 * Ends a worker at once when Jest sends the message to end. Otherwise, Jest waits half a second for the
 * worker to end by itself, then kills it and reports a leak. On a busy machine, an idle client connection or
 * the threads that compile PostgreSQL's parser (WebAssembly) can take longer: Node.js waits for these threads
 * at its exit, up to two seconds after their first use. The worker need not wait for anything, because
 * leaks.cjs has checked each file.
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

if (process.env.TEST_CLOCK === 'jumps') jumpingClock();
if (process.env.TEST_DATABASE === 'slow') slowDatabase();

/** Loads modules with the worker's require(), so that its test files share them: see README.md. */
module.exports = class extends JestRuntime {
  constructor(...options) {
    super(...options);
    const { coreModule } = this;
    const requireCore = coreModule.require.bind(coreModule);
    coreModule.require = (name) =>
      /^(node:)?async_hooks$/.test(name) ? WITHOUT_ASYNC_STORES : requireCore(name);
    // Compiles Jest's own modules in the context of all files. Each test file still has its own copy of them.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, { filename });
  }

  requireModule(from, name, options, ...others) {
    if (options?.isInternalModule) return super.requireModule(from, name, options, ...others);
    if (name !== undefined) return Module.createRequire(from)(name);
    // Only test files, and files that Jest loads before each test file, get here.
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
 * Replaces the AsyncLocalStorage in which jest-circus stores the running test. While a real one is in use,
 * Node.js before 24 tracks every promise, timer and socket of the process: a tenth of a worker's time. One
 * variable is enough, because the tests of a file run one after another.
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
