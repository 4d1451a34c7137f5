import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../config/settings';
import { NO_CHUNK, RecordingSeal, chunkHash } from '../recording/chain';
import { encodePieces } from '../recording/event-codec';
import type { ChunkFacts } from '../recording/verification';
import type { Session } from '../session.entity';
import { evidenceFile } from './evidence-file';
import { FileSeal } from './file-seal';
import { verifyCommand } from './verify-command';
import { verifyFile } from './verify-file';

const KEY = randomBytes(32);
const sealsOf = (key: Buffer) => {
  const settings = { SECRET_KEY: [key] } as Settings;
  return { recording: new RecordingSeal(settings), file: new FileSeal(settings) };
};
const seals = sealsOf(KEY);

/** Three chunks, sealed; `events` makes another recording of the same session. */
async function recorded(
  events = ['one', 'two', 'three'],
): Promise<{ session: Session; chunks: ChunkFacts[] }> {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const chunks: ChunkFacts[] = [];
  for (const [index, text] of events.entries()) {
    const content = Buffer.from(text);
    const payload = await encodePieces([{ time: index, type: 'o', content, ends: true }]);
    const previous = chunks.at(-1)?.hash ?? NO_CHUNK;
    const hash = chunkHash(previous, id, index + 1, payload);
    chunks.push({ seq: index + 1, eventCount: 1, rawSize: content.length, payload, previous, hash });
  }
  const end = {
    chunkCount: chunks.length,
    chainHash: chunks.at(-1)?.hash ?? NO_CHUNK,
    eventsStored: chunks.length,
    eventSize: events.join('').length,
  };
  const session = {
    id,
    ...end,
    status: 'done',
    verb: 'exec',
    type: 'database',
    connectionName: 'orders',
    connectionSubtype: 'postgres',
    userEmail: 'alice@example.com',
    userSubject: 'alice',
    userName: 'Alice \u001B[31m\u202E',
    identityType: 'user',
    startDate: new Date('2026-03-01T10:00:00Z'),
    endDate: new Date('2026-03-01T10:00:01Z'),
    exitCode: 0,
    seal: seals.recording.of({ sessionId: id, ...end }),
  } as Session;
  return { session, chunks };
}

async function fileOf(
  recording: { session: Session; chunks: ChunkFacts[] },
  by = seals.file,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const chunks = (async function* () {
    yield* recording.chunks;
  })();
  for await (const part of evidenceFile(recording.session, chunks, by)) parts.push(part);
  return Buffer.concat(parts);
}

async function* read(file: Buffer, size = 100): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

const faultsOf = async (file: Buffer, keys?: typeof seals) => (await verifyFile(read(file), keys)).faults;

describe('a file of evidence', () => {
  let file: Buffer;
  let lines: string[];

  beforeAll(async () => {
    file = await fileOf(await recorded());
    lines = file.toString().match(/.*\n/g) as string[];
  });

  it('is whole as it was made, in whatever parts it is read', async () => {
    expect(lines).toHaveLength(6);
    for (const size of [1, 7, 64 * 1024]) {
      const report = await verifyFile(read(file, size), seals);
      expect(report).toMatchObject({
        faults: [],
        verification: { chunks: 3, events: 3, size: 11, seal: 'fits' },
      });
    }
    expect(await verifyFile(read(file), undefined)).toMatchObject({
      faults: [],
      verification: { seal: 'unchecked' },
    });
  });

  it('shows each bit that flipped, without any key', async () => {
    let unseen = 0;
    for (let at = 0; at < file.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(file);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        if ((await faultsOf(flipped)).length === 0) unseen += 1;
      }
    }
    expect(unseen).toBe(0);
  });

  it('shows where it was cut off, at any byte, and what was put behind', async () => {
    let unseen = 0;
    for (let end = 0; end < file.length; end++) {
      if ((await faultsOf(file.subarray(0, end))).length === 0) unseen += 1;
    }
    expect(unseen).toBe(0);
    expect(await faultsOf(Buffer.concat([file, Buffer.from('\n')]))).toEqual([
      'The file goes on after its end mark.',
    ]);
  });

  it('shows each line that is missing, doubled or elsewhere', async () => {
    for (const [index, line] of lines.entries()) {
      for (const changed of [lines.toSpliced(index, 1), lines.toSpliced(index, 0, line)])
        expect(await faultsOf(Buffer.from(changed.join('')))).not.toEqual([]);
      for (const other of lines.keys()) {
        if (other === index) continue;
        const swapped = lines.map((it, at) => lines[at === index ? other : at === other ? index : at] ?? it);
        expect(await faultsOf(Buffer.from(swapped.join('')))).not.toEqual([]);
      }
    }
  });

  it('shows with the key what somebody computed anew without it', async () => {
    const forger = sealsOf(randomBytes(32)).file;
    const { session, chunks } = await recorded();
    const other = await recorded(['one', 'forged', 'three']);
    for (const forged of [
      { session: { ...session, userEmail: 'bob@example.com' }, chunks },
      { session: { ...session, seal: null } as Session, chunks },
      { session: { ...other.session, seal: session.seal }, chunks: other.chunks },
      { session: { ...other.session, seal: null } as Session, chunks: other.chunks },
      { session: { ...session, status: 'open' } as Session, chunks },
    ]) {
      expect(await faultsOf(await fileOf(forged, forger), seals)).toContainEqual(
        expect.stringMatching(/seal of the file/),
      );
    }
  });

  describe('at the command line', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'evidence-'));
      await writeFile(join(folder, 'key'), `${KEY.toString('base64')}\n`);
    });

    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function run(bytes: Buffer, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
      await writeFile(join(folder, 'file'), bytes);
      let text = '';
      const code = await verifyCommand([join(folder, 'file'), ...args], env, (part) => void (text += part));
      return { code, text };
    }

    it('ends with 0 for what is whole, and says how much it knows', async () => {
      const without = await run(file);
      expect(without.code).toBe(0);
      expect(without.text).toContain(
        'Session 0f8fad5b-d9cb-469f-a165-70867728950e on orders, by alice@example.com',
      );
      expect(without.text).toContain('3 events of 11 bytes in 3 chunks');
      expect(without.text).toContain('The seal was not checked');
      const env = { SECRET_KEY: KEY.toString('base64') };
      for (const withKey of [
        await run(file, [], env),
        await run(file, ['--secret-key-file', join(folder, 'key')]),
      ]) {
        expect(withKey.code).toBe(0);
        expect(withKey.text).toContain('The seal fits');
        expect(withKey.text).toContain('The seal of the file fits');
      }
    });

    it('compares the chain hash with the one that was noted', async () => {
      const { session } = await recorded();
      const noted = session.chainHash.toString('hex');
      expect((await run(file, ['--chain-hash', noted.toUpperCase()])).code).toBe(0);
      expect(await run(file, ['--chain-hash', '0'.repeat(64)])).toMatchObject({
        code: 1,
        text: expect.stringContaining('The chain hash is not the one that was noted'),
      });
    });

    it('ends with 1 for what is broken, and says where', async () => {
      const { session, chunks } = await recorded();
      const broken = chunks.map((chunk, at) => (at === 1 ? { ...chunk, rawSize: 9 } : chunk));
      const { code, text } = await run(await fileOf({ session, chunks: broken }));
      expect(code).toBe(1);
      expect(text).toContain('Chunk 2: its events have 3 bytes, and it says 9.');
      expect(text).toMatch(/BROKEN: .*\n$/);
    });

    it('says that the recording goes on, where the session was not over', async () => {
      const { session, chunks } = await recorded();
      const running = { ...session, status: 'open', endDate: null, seal: null } as Session;
      const { code, text } = await run(await fileOf({ session: running, chunks }));
      expect(code).toBe(0);
      expect(text).toContain('was not over');
      expect(text).toContain('There is no seal');
    });

    it('lets no name reach the terminal as a command', async () => {
      const { session, chunks } = await recorded();
      const named = { ...session, connectionName: '\u001B]0;x\u0007', userEmail: '\u202Emoc' };
      // oxlint-disable-next-line no-control-regex
      expect((await run(await fileOf({ session: named, chunks }))).text).not.toMatch(/[\u001B\u0007\u202E]/);
    });

    it.each([
      [['--no-such-option'], {}],
      [['another-file'], {}],
      [['--chain-hash', 'xyz'], {}],
      [['--secret-key-file', '/no/such/file'], {}],
      [[], { SECRET_KEY: 'short' }],
    ])('ends with 2 where it cannot look: %j %j', async (args, env) => {
      const { code, text } = await run(file, args, env);
      expect([code, text.length > 0]).toEqual([2, true]);
    });

    it('ends with 2 without a file', async () => {
      const ignore = () => undefined;
      expect(await verifyCommand([], {}, ignore)).toBe(2);
      expect(await verifyCommand([join(folder, 'nothing')], {}, ignore)).toBe(2);
      expect(await verifyCommand([folder], {}, ignore)).toBe(2);
    });
  });
});
