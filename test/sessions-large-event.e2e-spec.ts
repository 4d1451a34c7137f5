import { createHash } from 'node:crypto';
import type { EventPiece } from '../src/sessions/recording/event-codec';
import { type DataPath, startDataPath } from './support/data-path';
import { storeRecording, superuser } from './support/stored-recording';

const PIECE = 'a line of sixty-four bytes, with a tab:\tü, and a line feed at end\n'.repeat(4_000);
const PIECES = Math.ceil((64 * 1024 * 1024) / Buffer.byteLength(PIECE));

/** One event of 64 MiB, over as many chunks as it takes: whole in every form. */
describe('an event of 64 MiB', () => {
  let path: DataPath;
  let id: string;
  const content = Buffer.from(PIECE);
  const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
  let expected: string;

  beforeAll(async () => {
    path = await startDataPath();
    id = (await path.run('SELECT 1')).body.session_id;
    const chunks = Array.from({ length: PIECES }, (_, n): EventPiece[] => [
      { time: 1.5, type: 'i', content, ends: n === PIECES - 1 },
    ]);
    const db = await superuser(path.gateway.database);
    await storeRecording(db, id, chunks, Buffer.alloc(32));
    await db.end();
    expected = digest(PIECE.repeat(PIECES));
  });

  afterAll(() => path.close());

  it('is one triple', async () => {
    const { event_stream } = (await path.read(id, '?expand=event_stream')).body;
    expect(event_stream).toHaveLength(1);
    const [time, type, base64] = event_stream[0];
    expect([time, type, digest(Buffer.from(base64, 'base64'))]).toEqual([1.5, 'i', expected]);
  });

  it('is one string', async () => {
    const { event_stream, event_size } = (await path.read(id, '?event_stream=utf8&events=i')).body;
    expect([event_stream.length, digest(event_stream[0]), event_size]).toEqual([
      1,
      expected,
      content.length * PIECES,
    ]);
  });

  it.each(['json', 'cast'])('is one line of %s', async (extension) => {
    const lines = (await path.read(id, `?extension=${extension}&events=i`)).text.trimEnd().split('\n');
    const line = JSON.parse(lines.at(-1) as string);
    expect(lines).toHaveLength(extension === 'json' ? 1 : 2);
    const text = extension === 'json' ? line.stream : line[2].replaceAll('\r\n', '\n');
    expect(digest(text)).toBe(expected);
  });

  it('has one time and one line break in plain text', async () => {
    const { text } = await path.read(id, '?extension=txt&events=i&event-time=1&new_line=1');
    expect(digest(text.slice('2026-03-01T10:00:00.000Z '.length, -1))).toBe(expected);
    expect(text.at(-1)).toBe('\n');
  });

  it('is left out whole where another type is asked for', async () => {
    expect((await path.read(id, '?extension=txt')).text).toBe('');
    expect((await path.read(id, '?expand=event_stream&events=o')).body.event_stream).toEqual([]);
  });
});
