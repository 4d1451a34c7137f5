import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Meter } from '../../src/platform/metrics/meter';
import { describeScoped } from '../support/describe';
import { temporaryFolder } from '../support/gateway-process';
import { type DataPath, startDataPath } from '../support/data-path';
import { eventually } from '../support/eventually';
import { closedLatch } from '../support/latch';
import { RefusedInserts } from '../support/refused-inserts';

const FAULT = {
  message: 'The gateway could not judge or record this, so it was refused. Please tell an administrator.',
};

/** With a journal, clients are served while the database is slow or refuses to store recordings. */
describeScoped('a gateway with a journal', (begin) => {
  const folder = begin(temporaryFolder, (it) => it.remove());
  const path = begin(() => startDataPath({ JOURNAL_DIR: folder.path, BODY_LIMIT_MB: '4' }));

  const insert = (id: number) => `INSERT INTO customers VALUES (${id}, 'Eve', NULL)`;
  const isOver = async (script: string): Promise<boolean> => (await path.sessionOf(script)).status === 'done';

  let chunks: RefusedInserts;
  let poorTexts: RefusedInserts;

  beforeAll(async () => {
    chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks');
    poorTexts = await RefusedInserts.on(path.gateway.database, 'session_texts', {
      when: "NEW.words @@ 'poor'",
    });
  });

  it('runs while the database takes no chunks, and stores everything later', async () => {
    const script = "SELECT 'kept' AS journal";
    await chunks.begin();
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output: 'journal\nkept\n', output_status: 'success', exit_code: 0 });
    expect(await isOver(script)).toBe(false);
    expect(await readdir(folder.path)).toHaveLength(1);
    await chunks.end();
    await eventually('the session is stored', () => isOver(script));
    const { id, exit_code } = await path.sessionOf(script);
    expect(exit_code).toBe(0);
    expect(await path.recording(id)).toEqual([
      ['i', script],
      ['o', 'journal\nkept\n'],
    ]);
    expect((await path.read(id)).body.metrics).toMatchObject({
      events_received: 2,
      events_stored: 2,
      events_buffered: 0,
    });
  });

  // promises: READ-18
  it('returns the recording so far of a running session', async () => {
    const latch = await closedLatch(path.target);
    const script = `SELECT repeat('x', 20000) AS early; SELECT ${latch.wait} AS reading`;
    const answer = path.run(script);
    await path.untilRunning(/AS reading/);
    const { id } = await path.sessionOf(script);
    await eventually('the first output is told', async () => (await path.recording(id)).length === 2);
    const { body } = await path.read(id);
    expect(body).toMatchObject({ status: 'open', metrics: { events_received: 2, events_buffered: 0 } });
    await latch.open();
    expect((await answer).body.exit_code).toBe(0);
  });

  it('stores an incompressible recording without delaying others', async () => {
    const [poor, rich] = ["SELECT 'poor'", "SELECT 'rich'"];
    await poorTexts.begin();
    await Promise.all([path.run(poor), path.run(rich)]);
    await eventually('the one is stored', () => isOver(rich));
    expect(await isOver(poor)).toBe(false);
    await poorTexts.end();
    await eventually('the other is stored too', () => isOver(poor));
  });

  it.each(['journal', 'journal+fsync', 'store'])(
    'records in the manner of the connection: %s',
    async (mode) => {
      const name = `manner-${mode.replace('+', '-')}`;
      await path.connect(name, { recording_mode: mode });
      const script = `SELECT '${mode}' AS manner`;
      const answer = await path.run(script, { connection: name });
      expect(answer.body).toMatchObject({ output: `manner\n${mode}\n`, exit_code: 0 });
      expect(await path.recording(answer.body.session_id)).toEqual([
        ['i', script],
        ['o', `manner\n${mode}\n`],
      ]);
    },
  );

  // promises: CONNECTION-12
  it('records only inputs if the connection is set so', async () => {
    await path.connect('discreet', { recording: 'input-only' });
    const script = "SELECT 'secret' AS hidden; SELECT 1/0";
    const answer = await path.run(script, { connection: 'discreet' });
    expect(answer.body.output).toMatch(/^hidden\nsecret\nERROR: /);
    const id = answer.body.session_id as string;
    expect(await path.recording(id)).toEqual([['i', script]]);
    const { body } = await path.read(id);
    expect(body.metrics).toMatchObject({ events_received: 1, events_stored: 1, events_buffered: 0 });
  });

  // promises: READ-19
  it('records a script of 4 MiB whole', async () => {
    const script = `SELECT length('${'0123456789abcdef'.repeat(260_000)}')`;
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output: 'length\n4160000\n', exit_code: 0 });
    const id = answer.body.session_id as string;
    const file = await path.read(id, '?extension=txt&events=i');
    expect(file.text.length).toBe(script.length);
    expect(file.text === script).toBe(true);
    const chunks = await path.gateway.database.query<{ raw_size: number }>(
      'SELECT raw_size FROM session_chunks WHERE session_id = $1',
      [id],
    );
    expect(Math.max(...chunks.map((chunk) => chunk.raw_size))).toBe(256 * 1024);
  });

  // promises: RUN-12
  it('refuses everything while the journal cannot be written, and continues when it can', async () => {
    const inTheWay = await mkdtemp(join(tmpdir(), 'gateway-test-journals-'));
    const folder = join(inTheWay, 'journals');
    await writeFile(folder, '');
    const broken = await startDataPath({ JOURNAL_DIR: folder });
    try {
      await expectRefusal(
        broken,
        201,
        insert(201),
        'the journal cannot be written: its folder lies below a file',
      );
      await rm(folder);
      await eventually('the gateway is ready', async () => (await readyOf(broken)).status === 200);
      expect((await broken.run(insert(202))).body).toMatchObject({ exit_code: 0 });
    } finally {
      await broken.close();
      await rm(inTheWay, { recursive: true, force: true });
    }
  });

  it('refuses everything while the disk of the journal is full', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'gateway-test-journals-'));
    if (!mounts('-t', 'tmpfs', '-o', 'size=1m', 'none', disk)) {
      console.warn('not tested: this user may not mount a small disk');
      return;
    }
    const full = await startDataPath({ JOURNAL_DIR: disk, METRICS_PORT: '9' });
    // Reads the metrics of the journal.
    const measured = (): readonly number[] => {
      const families = new Map(
        full.gateway.app
          .get(Meter)
          .families()
          .map((family) => [family.name, family]),
      );
      return ['up', 'faults_total', 'written_bytes_total', 'bytes'].map(
        (name) => families.get(`gateway_journal_${name}`)?.samples[0]?.value ?? NaN,
      );
    };
    try {
      expect((await full.run(insert(203))).body).toMatchObject({ exit_code: 0 });
      const [, , written = 0, size] = measured();
      expect(measured()).toEqual([1, 0, written, size]);
      expect(written).toBeGreaterThan(insert(203).length);
      expect(size).toBeGreaterThan(0);
      await writeFile(join(disk, 'filler'), Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined);
      // The script is larger than the page that is already allocated for a file of the journal.
      const script = `${insert(204)} -- ${'x'.repeat(100_000)}`;
      await expectRefusal(full, 204, script, 'the journal cannot be written: its disk is full');
      const [up, faults] = measured();
      expect(up).toBe(0);
      expect(faults).toBeGreaterThan(0);
      await rm(join(disk, 'filler'));
      await eventually('the gateway is ready', async () => (await readyOf(full)).status === 200);
      expect((await full.run(insert(205))).body).toMatchObject({ exit_code: 0 });
      const [upAgain, , writtenAgain] = measured();
      expect(upAgain).toBe(1);
      expect(writtenAgain).toBeGreaterThan(written);
    } finally {
      await full.close();
      execFileSync('umount', ['-l', disk]);
    }
  });

  const readyOf = (on: DataPath) => on.gateway.call(null, 'GET', '/readyz');

  /** Expects that the script is refused without effect, still recorded, and reported to the operator. */
  const expectRefusal = async (on: DataPath, id: number, script: string, reason: string): Promise<void> => {
    const answer = await on.run(script);
    expect([answer.status, answer.body]).toEqual([500, FAULT]);
    expect(await on.target.query('SELECT 1 FROM customers WHERE id = $1', [id])).toEqual([]);
    const told = await readyOf(on);
    expect([told.status, told.body]).toEqual([503, { message: reason }]);
    const session = await on.sessionOf(script);
    expect(session).toMatchObject({ status: 'done', exit_code: 254 });
    expect((await on.recording(session.id))[0]).toEqual(['i', script]);
  };
});

function mounts(...how: string[]): boolean {
  try {
    execFileSync('mount', how, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
