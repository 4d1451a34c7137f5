import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root';

/** Runs other test files with the same runtime, and checks what they share with each other and with Jest. */
describe('test files of one worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-jest-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('share modules and the context, and have their own hooks, mocks, timers, async stores and stack traces', () => {
    write('counter.ts', `export const loaded: { times: number; handlers?: number } = { times: 0 };`);
    const file = `
      import { loaded } from './counter';
      import { AsyncResource } from 'node:async_hooks';
      import { EventEmitter } from 'node:events';
      let hooks = 0;
      beforeAll(() => { hooks += 1; });
      it('shares', () => {
        loaded.times += 1;
        console.info('loaded ' + loaded.times);
        // Node.js before 24 copies stores to each new resource. Only the store of this file may be there.
        const stores = Object.getOwnPropertySymbols(new AsyncResource('some'));
        expect(stores.filter(({ description }) => description === 'kResourceStore').length).toBeLessThan(2);
        expect(hooks).toBe(1);
        expect({ made: 'here', at: new Date() }).toEqual({ made: expect.any(String), at: expect.any(Date) });
        expect(structuredClone([1])).toBeInstanceOf(Array);
        // jest-circus must have the same number of handlers in each file.
        const handlers = globalThis[Symbol.for('EVENT_HANDLERS')].length;
        expect(handlers).toBeGreaterThan(2);
        expect(handlers).toBe(loaded.handlers ??= handlers);
        const spy = jest.spyOn(EventEmitter, 'listenerCount').mockReturnValue(7);
        expect(EventEmitter.listenerCount(new EventEmitter(), 'x')).toBe(7);
        spy.mockRestore();
        expect(jest.fn().mockResolvedValue(1)()).toBeInstanceOf(Promise);
        jest.useFakeTimers();
        const called = jest.fn();
        setTimeout(called, 60_000);
        jest.advanceTimersByTime(60_000);
        expect(called).toHaveBeenCalled();
        jest.useRealTimers();
      });
      it('fails where it fails', () => {
        interface Gone { readonly afterCompiling: true }
        const never = undefined as unknown as Gone;
        expect(never).toBe('this line');
      });`;
    write('one.spec.ts', file);
    write('two.spec.ts', file);
    const { json, log } = run();
    expect(log.match(/loaded \d/g)?.sort()).toEqual(['loaded 1', 'loaded 2']);
    expect(json.numPassedTests).toBe(2);
    expect(json.numFailedTests).toBe(2);
    const line = file.split('\n').findIndex((text) => text.includes('this line')) + 1;
    for (const { message } of json.testResults) expect(message).toContain(`.spec.ts:${line}:`);
  });

  function write(name: string, content: string): void {
    writeFileSync(join(folder, name), content);
  }

  function run(): { json: Report; log: string } {
    const config = {
      rootDir: folder,
      testRegex: '\\.spec\\.ts$',
      testEnvironment: join(__dirname, 'environment.cjs'),
      runtime: join(__dirname, 'runtime.cjs'),
      transform: {},
      verbose: true,
    };
    const report = join(folder, 'report.json');
    let log = '';
    try {
      const args = ['-i', '--json', `--outputFile=${report}`, `--config=${JSON.stringify(config)}`];
      execFileSync(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
        stdio: 'pipe',
      });
    } catch (error) {
      log =
        String((error as { stderr: Buffer; stdout: Buffer }).stdout) +
        String((error as { stderr: Buffer }).stderr);
    }
    return { json: require(report) as Report, log };
  }
});

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly message: string }[];
}
