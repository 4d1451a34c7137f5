import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDataPath } from '../support/describe';
import { type DataPath, startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { Visitor } from '../support/visitor';
import { RefusedInserts } from '../support/refused-inserts';

const FAULT = 'The gateway could not judge or record this, so it was refused. Please tell an administrator.';
const LAST_WORDS = `FATAL 58000: ${FAULT}`;

const insert = (id: number) => `INSERT INTO customers VALUES (${id}, 'Eve', NULL)`;

/** Tests that an input that cannot be recorded does not reach the target, by querying the target. */
describe('a PostgreSQL client of a gateway that cannot record', () => {
  const expectNothingRan = async (path: DataPath, id: number): Promise<void> => {
    expect(await path.target.query('SELECT 1 FROM customers WHERE id = $1', [id])).toEqual([]);
  };

  describeDataPath('in the database', { environment: { RECORDING_MODE: 'store' } }, ({ path }) => {
    let chunks: RefusedInserts;

    beforeAll(async () => {
      chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks');
    });

    it.each([
      ['simple', (visitor: Visitor) => visitor.query(insert(101))],
      [
        'with values',
        (visitor: Visitor) => visitor.query({ text: 'INSERT INTO customers VALUES ($1)', values: [101] }),
      ],
      ['in a transaction', (visitor: Visitor) => visitor.query(`${insert(101)}; COMMIT`)],
    ])('%s: is refused, and its session ended', async (how, ask) => {
      const visitor = await Visitor.enter(path);
      await visitor.query(how === 'in a transaction' ? 'BEGIN' : 'SELECT 1');
      await chunks.during(async () => {
        await expect(ask(visitor)).rejects.toThrow(FAULT);
        expect(await visitor.lastWords()).toBe(LAST_WORDS);
        await eventually('the backend is gone', async () => (await visitor.backends()).length === 0);
        await expectNothingRan(path, 101);
      });
      // Once recording works again, the refused input and the reason are recorded too.
      const lastEvent = ['e', `${FAULT}\n`];
      expect(await visitor.aftermath()).toEqual({ exit_code: 254, hasEnd: true, lastEvent });
      await expectNothingRan(path, 101);
    });
  });

  it('on a full disk: is refused, its session ends, and others continue when there is space', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'gateway-test-journals-'));
    if (!mounts('-t', 'tmpfs', '-o', 'size=1m', 'none', disk)) {
      console.warn('not tested: this user may not mount a small disk');
      return;
    }
    const path = await startDataPath({ JOURNAL_DIR: disk });
    try {
      const visitor = await Visitor.enter(path);
      await visitor.query('SELECT 1');
      await writeFile(join(disk, 'filler'), Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined);
      // Sends a statement that is larger than the disk page already allocated for a file of the journal.
      await expect(visitor.query(`${insert(102)} -- ${'x'.repeat(100_000)}`)).rejects.toThrow(FAULT);
      expect(await visitor.lastWords()).toBe(LAST_WORDS);
      await rm(join(disk, 'filler'));
      expect(await visitor.aftermath()).toMatchObject({ exit_code: 254, hasEnd: true });
      await expectNothingRan(path, 102);
      const next = await Visitor.enter(path);
      expect((await next.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
      await next.leave();
    } finally {
      await path.close();
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('for a while: continues while there is space, waits, and loses nothing', async () => {
    const path = await startDataPath({ RECORDING_BUFFER_MB: '1' });
    const chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks');
    try {
      const [visitor, killed] = [await Visitor.enter(path), await Visitor.enter(path)];
      const statement = (number: number) => `SELECT ${number} AS number -- ${'x'.repeat(100_000)}`;
      let answered = 0;
      let asking: Promise<void> | undefined;
      await chunks.during(async () => {
        asking = (async () => {
          for (; answered < 30; answered += 1) await visitor.query(statement(answered));
        })();
        await eventually(
          'what may wait is full',
          async () => {
            const before = answered;
            await new Promise((wait) => setTimeout(wait, 1_000));
            return answered > 5 && answered === before;
          },
          60_000,
        );
        expect(answered).toBeLessThan(15);
        // An input that still waits when its client is lost does not run.
        // The input is large, because a small input would not wait: there is still memory for it.
        killed.query(`${insert(103)} -- ${'x'.repeat(200_000)}`).catch(() => undefined);
        await new Promise((wait) => setTimeout(wait, 500));
        killed.socket.resetAndDestroy();
        await eventually('its backend is gone', async () => (await killed.backends()).length === 0);
      });
      await asking;
      await visitor.leave();
      expect(await visitor.aftermath()).toMatchObject({ exit_code: 0, hasEnd: true });
      const inputs = (await visitor.recording()).filter(([type]) => type === 'i').map(([, text]) => text);
      expect(inputs).toEqual(Array.from({ length: 30 }, (_, number) => statement(number)));
      expect(await killed.aftermath()).toMatchObject({ exit_code: 2, hasEnd: true });
      await expectNothingRan(path, 103);
    } finally {
      await path.close();
    }
  }, 240_000);
});

function mounts(...how: string[]): boolean {
  try {
    execFileSync('mount', how, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
