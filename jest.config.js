const Module = require('node:module');
const path = require('node:path');

// Node.js keeps what it compiled for the next worker and run, with that of gateways (test/support/gateway-process.ts); from Node.js 22.1.
process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, 'dist', '.compile-cache');
Module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);

// Workers get the flags of this process. What is young outgrows 16 MB in every test of a gateway, and is copied again and again.
process.execArgv.push('--max-semi-space-size=64');

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  reporters: ['default', '<rootDir>/test/support/jest/late-errors-reporter.cjs'],
  // The files of a worker share their modules: test/support/jest/README.md
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/support/after-env.ts'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.cjs',
  // Most files wait for processes and databases: with two workers more than cores, two cores are in use nearly all the time (539 s in place of
  // 587 s with one more).
  maxWorkers: require('node:os').availableParallelism() + 2,
  // What tests leave behind slows the collector down: a worker that holds so much is started anew.
  workerIdleMemoryLimit: '1GB',
  // On a busy machine, a worker takes longer than half a second to write what it compiled. Jest would kill it, and report a leak.
  workerGracefulExitTimeout: 30_000,
  // An upper bound for what hangs, on a machine at a quarter of its speed: no test that passes waits for it.
  testTimeout: 120_000,
};
