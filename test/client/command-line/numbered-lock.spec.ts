import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync, stop } from 'esbuild';
import { NumberedLock } from '../../../clients/cli/src/kept/numbered-lock';
import { ROOT } from '../../support/root';

const SOURCE = join(ROOT, 'clients/cli/src/kept/numbered-lock.ts');
const PROCESSES = 4;
const ROUNDS = 100;

/**
 * Script that enters the lock repeatedly. It fails if the file `inside` exists, because then another process
 * holds the lock.
 */
const ENTERING = `
  import { rmSync, writeFileSync } from 'node:fs';
  import { NumberedLock } from './lock.mjs';
  const lock = new NumberedLock('.');
  for (let round = 0; round < ${ROUNDS};) {
    const number = lock.take(lock.look());
    if (number === undefined) continue;
    writeFileSync('inside', '', { flag: 'wx' });
    rmSync('inside');
    lock.free(number);
    round += 1;
  }
`;

describe('the lock of the command line', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-lock-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));
  // Stops the worker thread of esbuild.
  afterAll(stop);

  const killHolder = (number: number): void => {
    const longAgo = Date.now() / 1000 - 31;
    utimesSync(join(folder, `lock.${number}`), longAgo, longAgo);
  };

  it('lets one in, and the next one when that has left, or was killed', () => {
    const lock = new NumberedLock(folder);
    const first = lock.take(lock.look());
    expect(first).toBe(1);
    expect(lock.take(lock.look())).toBeUndefined();
    lock.free(1);
    expect(lock.take(lock.look())).toBe(2);
    expect(lock.take(lock.look())).toBeUndefined();
    killHolder(2);
    expect(lock.take(lock.look())).toBe(3);
    expect(readdirSync(folder)).toEqual(['lock.3']);
    // The holder that was taken for killed frees its lock, but it has lost the lock already.
    lock.free(2);
    expect(lock.take(lock.look())).toBeUndefined();
  });

  it('keeps out a process that saw the lock of a killed one, when others have been in since', () => {
    const lock = new NumberedLock(folder);
    lock.take(lock.look());
    killHolder(1);
    const [slow, slower, fast] = [lock.look(), lock.look(), lock.look()];
    expect(lock.take(fast)).toBe(2);
    expect(lock.take(slow)).toBeUndefined();
    lock.free(2);
    expect(lock.take(lock.look())).toBe(3);
    expect(lock.take(slower)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['lock.3']);
  });

  it(`has one process inside at a time, of ${PROCESSES} that enter ${ROUNDS} times each`, async () => {
    buildSync({ entryPoints: [SOURCE], outfile: join(folder, 'lock.mjs'), format: 'esm', platform: 'node' });
    writeFileSync(join(folder, 'enter.mjs'), ENTERING);
    const ends = Array.from({ length: PROCESSES }, async () => {
      const child = spawn(process.execPath, ['enter.mjs'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (data: Buffer) => (said += data.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, said };
    });
    expect(await Promise.all(ends)).toEqual(ends.map(() => ({ code: 0, said: '' })));
    const numbers = readdirSync(folder).filter((name) => name.startsWith('lock.') && name !== 'lock.mjs');
    expect(numbers).toEqual([`lock.${PROCESSES * ROUNDS}`]);
    expect(readFileSync(join(folder, numbers[0] ?? ''), 'utf8')).toBe('');
  });
});
