const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  transform: {
    '\\.ts$': ['@swc/jest', swc],
    '\\.m?js$': ['@swc/jest', { ...swc, jsc: { ...swc.jsc, parser: { syntax: 'ecmascript' } } }],
  },
  // These packages are ES modules only; Jest cannot require() them before Node 24.9, so swc down-levels them.
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|jose|oidc-provider|openid-client|oauth4webapi|openapi-fetch|uuid)/)',
  ],
  setupFilesAfterEnv: ['<rootDir>/test/support/after-env.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Two cores are what a small machine and CI have; one worker (Jest's default there) leaves half of it idle.
  maxWorkers: Math.max(2, require('node:os').availableParallelism() - 1),
  // An upper bound for what hangs, on a machine at a quarter of its speed: no test that passes waits for it.
  testTimeout: 120_000,
};
