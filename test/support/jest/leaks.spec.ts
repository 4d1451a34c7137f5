import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from '../root';

/** Test files that each leave one thing behind, with the failure message of each. */
const LEAVING: readonly { readonly what: string; readonly code: string; readonly sentence: RegExp }[] = [
  {
    what: 'a timer',
    code: `setTimeout(() => undefined, 60_000).unref();`,
    sentence: /a timer of 60000 ms, opened\n +at .*file-00\.spec\.ts:3:/,
  },
  {
    what: 'an interval',
    code: `setInterval(() => undefined, 50);`,
    sentence: /a timer of 50 ms, opened\n +at .*file-01\.spec\.ts:3:/,
  },
  {
    what: 'a server',
    code: `await new Promise((ready) => require('node:net').createServer().listen(0, '127.0.0.1', ready));`,
    sentence: /a TCP server \(port \d+\), opened/,
  },
  {
    what: 'a request without a response',
    code: `
      const server = require('node:http').createServer(() => undefined);
      await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
      const { port } = server.address();
      const request = require('node:http').get({ port, host: '127.0.0.1' }).on('error', () => undefined);
      await new Promise((arrived) => server.once('request', arrived));
      server.close();`,
    sentence: /a TCP socket \(port \d+ to \d+\), opened/,
  },
  {
    what: 'a child process',
    code: `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => 0, 20000)'], { stdio: 'ignore' }).unref();`,
    sentence: /a child process \(pid \d+\), opened/,
  },
  {
    what: 'a worker thread',
    code: `new (require('node:worker_threads').Worker)('setInterval(() => 0, 1000)', { eval: true }).unref();`,
    sentence: /a worker thread, opened[^]+file-05\.spec\.ts:3:/,
  },
  {
    what: 'a watcher',
    code: `require('node:fs').watch(__dirname).unref();`,
    sentence: /a watcher of files, opened[^]+file-06\.spec\.ts:3:/,
  },
  {
    what: 'a changed environment variable',
    code: `process.env['SOME_VARIABLE'] = 'changed';`,
    sentence: /the environment variable SOME_VARIABLE, which it changed/,
  },
  {
    what: 'a global of its own',
    code: `globalThis.left = 1;`,
    sentence: /globalThis\.left, which it changed/,
  },
  {
    what: 'a replaced global',
    code: `globalThis.fetch = () => undefined;`,
    sentence: /globalThis\.fetch, which it changed/,
  },
  {
    what: 'a replaced function of a built-in module',
    code: `require('node:fs').rmdirSync = () => undefined;`,
    sentence: /fs\.rmdirSync, which it changed/,
  },
  {
    what: 'Math.random',
    code: `Math.random = () => 0.5;`,
    sentence: /Math\.random, which it changed/,
  },
  {
    what: 'fake timers',
    code: `jest.useFakeTimers();`,
    sentence: /globalThis\.setTimeout, which it changed/,
  },
  {
    what: 'a listener of the process',
    code: `process.on('SIGUSR2', function onSignal() {});`,
    sentence: /a listener for 'SIGUSR2' of the process/,
  },
  {
    what: 'a working directory',
    code: `process.chdir('/');`,
    sentence: /the working directory \//,
  },
];

/** Body of a file that passes: its resources close by themselves soon, and Jest restores the rest. */
const CLEAN = `
  const server = require('node:net').createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  require('node:net').connect(server.address().port, '127.0.0.1').resume().once('end', () => server.close());
  setTimeout(() => undefined, 100);
  AbortSignal.timeout(60_000);
  jest.setTimeout(600_000);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  new (require('node:worker_threads').Worker)('0', { eval: true });
  await (await require('node:fs/promises').open(__filename)).close();`;

/** Body of the test file that runs after each other file. It checks that nothing of that file is left. */
const SEES_NOTHING = `
  expect(Math.random()).not.toBe(0.5);
  expect(setTimeout.clock).toBeUndefined();
  expect(process.env.SOME_VARIABLE).toBeUndefined();
  expect(globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')]).toBeUndefined();`;

const fileOf = (index: number): string => `file-${String(index).padStart(2, '0')}`;

describe('a test file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-leaks-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('fails itself, by name, with what it leaves behind; the files after it do not', () => {
    LEAVING.forEach(({ code }, index) => {
      write(fileOf(index), code);
      write(`${fileOf(index)}-next`, SEES_NOTHING);
    });
    write('file-clean', CLEAN);
    write('file-clean-next', SEES_NOTHING);
    const { results, log } = run('file');
    const shown = LEAVING.map(({ what, sentence }, index) => {
      const text = results.get(`${fileOf(index)}.spec.ts`)?.message ?? '';
      return { what, said: sentence.test(text) ? 'as expected' : text };
    });
    expect(shown).toEqual(LEAVING.map(({ what }) => ({ what, said: 'as expected' })));
    const others = [...results].filter(([name]) => !/^file-\d+\.spec/.test(name));
    expect(others.filter(([, { status }]) => status !== 'passed')).toEqual([]);
    expect(others).toHaveLength(LEAVING.length + 2);
    expect(log).not.toContain('had ended');
  });

  it('does not fail for an error of a file that has ended: the run does, and names that file', () => {
    writeFileSync(join(folder, 'stage.cjs'), 'exports.next = () => undefined;');
    write(
      'late-1',
      `const stage = require('./stage.cjs');
      // This file leaves nothing open. It stores a function in a shared module, and the next file calls it.
      stage.next = require('node:async_hooks').AsyncResource.bind(() => queueMicrotask(() => { throw new Error('some error'); }));`,
    );
    write('late-2', `require('./stage.cjs').next(); await new Promise((turn) => setImmediate(turn));`);
    const { results, log, status } = run('late');
    expect([...results].map(([name, result]) => [name, result.status])).toEqual([
      ['late-1.spec.ts', 'passed'],
      ['late-2.spec.ts', 'passed'],
    ]);
    expect(log).toMatch(/An error came after \S*late-1\.spec\.ts had ended: Error: some error/);
    expect(status).toBe(1);
  });

  it('is forgotten with all that its tests and hooks hold, when the next one begins', () => {
    const code = `describe('a file', () => {
      const held = { started: new Uint8Array(1_000) };
      globalThis[Symbol.for('held by a test')] = new WeakRef(held);
      const ends = [() => held];
      beforeAll(() => void ends);
      describe.each([1, 2])('%i', () => it('passes', () => void ends));
      afterAll(() => void ends);
    });`;
    writeFileSync(join(folder, 'held-1.spec.ts'), code);
    write(
      'held-2',
      `require('node:v8').setFlagsFromString('--expose-gc');
      await new Promise((turn) => setImmediate(turn));
      require('node:vm').runInNewContext('gc')();
      expect(globalThis[Symbol.for('held by a test')].deref()).toBeUndefined();`,
    );
    const { results } = run('held');
    expect([...results].map(([name, { status, message }]) => [name, status, message])).toEqual([
      ['held-1.spec.ts', 'passed', ''],
      ['held-2.spec.ts', 'passed', ''],
    ]);
  });

  function write(name: string, code: string): void {
    const test = `// A fixture.\nit('passes', async () => {\n${code}\n});`;
    writeFileSync(join(folder, `${name}.spec.ts`), test);
  }

  function run(name: string): Run {
    // Removes errors of the previous run, because the runs of this spec share one folder.
    rmSync(join(folder, 'late-errors.txt'), { force: true });
    const config = {
      rootDir: folder,
      testRegex: `/${name}-[^/]+\\.spec\\.ts$`,
      testEnvironment: join(__dirname, 'environment.cjs'),
      testEnvironmentOptions: { settlesWithinMs: 1_000 },
      runtime: join(__dirname, 'runtime.cjs'),
      testSequencer: join(folder, 'by-name.cjs'),
      reporters: ['default', join(__dirname, 'late-errors-reporter.cjs')],
      transform: {},
    };
    writeFileSync(
      join(folder, 'by-name.cjs'),
      `module.exports = class extends require(${JSON.stringify(join(ROOT, 'node_modules/@jest/test-sequencer'))}).default {
        sort(tests) {
          const name = ({ path }) => path.replace(/\\.spec\\.ts$/, '');
          return [...tests].sort((a, b) => (name(a) < name(b) ? -1 : 1));
        } };`,
    );
    const report = join(folder, 'report.json');
    const args = [
      '-i',
      '--forceExit',
      '--json',
      `--outputFile=${report}`,
      `--config=${JSON.stringify(config)}`,
    ];
    const { stderr, status } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args],
      {
        env: { ...process.env, TEST_FOLDER: folder },
        encoding: 'utf8',
      },
    );
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; status: string; message: string }[];
    };
    return {
      results: new Map(testResults.map((result) => [basename(result.name), result])),
      log: stderr,
      status,
    };
  }
});

interface Run {
  readonly results: Map<string, { readonly status: string; readonly message: string }>;
  readonly log: string;
  readonly status: number | null;
}
