import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { EventPiece } from '../../src/sessions/format/event-codec';
import { describeDataPath } from '../support/describe';
import { storeRecording, superuser } from '../support/stored-recording';
import { volume } from '../support/volume';

const PIECE = 'a line of sixty-four bytes, with a tab:\tü, and a line feed at end\n'.repeat(4_000);
const MIB = volume(20, 64);
const PIECES = Math.ceil((MIB * 1024 * 1024) / Buffer.byteLength(PIECE));

/** One event that is larger than all buffers and spans many chunks. Each format must contain it whole. */
describeDataPath(`an event of ${MIB} MiB`, ({ path }) => {
  let id: string;
  const content = Buffer.from(PIECE);
  const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
  let expected: string;

  beforeAll(async () => {
    id = (await path.run('SELECT 1')).body.session_id;
    const chunks = Array.from({ length: PIECES }, (_, n): EventPiece[] => [
      { time: 1.5, type: 'i', content, ends: n === PIECES - 1 },
    ]);
    const db = await superuser(path.gateway.database);
    await storeRecording(db, id, chunks, Buffer.alloc(32));
    await db.end();
    expected = digest(PIECE.repeat(PIECES));
  });

  /**
   * Reads the recording over a new connection. Parsing it blocks this process for so long that the server may
   * close a keep-alive connection meanwhile.
   */
  const read = async (query: string): Promise<string> => {
    const authorization = `Bearer ${await path.gateway.token('admin')}`;
    return new Promise((resolve, reject) => {
      get(
        `${path.gateway.api}/sessions/${id}?${query}`,
        { agent: false, headers: { authorization } },
        (response) => resolve(text(response)),
      ).on('error', reject);
    });
  };

  it('is one triple', async () => {
    const { event_stream } = JSON.parse(await read('expand=event_stream'));
    expect(event_stream).toHaveLength(1);
    const [time, type, base64] = event_stream[0];
    expect([time, type, digest(Buffer.from(base64, 'base64'))]).toEqual([1.5, 'i', expected]);
  });

  it('is one string', async () => {
    const { event_stream, event_size } = JSON.parse(await read('event_stream=utf8&events=i'));
    expect([event_stream.length, digest(event_stream[0]), event_size]).toEqual([
      1,
      expected,
      content.length * PIECES,
    ]);
  });

  it.each(['json', 'cast'])('is one line of %s', async (extension) => {
    const lines = (await read(`extension=${extension}&events=i`)).trimEnd().split('\n');
    const line = JSON.parse(lines.at(-1) as string);
    expect(lines).toHaveLength(extension === 'json' ? 1 : 2);
    const shown = extension === 'json' ? line.stream : line[2].replaceAll('\r\n', '\n');
    expect(digest(shown)).toBe(expected);
  });

  it('has one time and one line break in plain text', async () => {
    const file = await read('extension=txt&events=i&event-time=1&new_line=1');
    expect(digest(file.slice('2026-03-01T10:00:00.000Z '.length, -1))).toBe(expected);
    expect(file.at(-1)).toBe('\n');
  });

  it('is left out as a whole when another type is requested', async () => {
    expect(await read('extension=txt')).toBe('');
    expect(JSON.parse(await read('expand=event_stream&events=o')).event_stream).toEqual([]);
  });
});
