import { readEvents } from './session-events';

const TIME = '2026-01-01T00:00:00.000Z';

/** Yields a recording file with one event per text, in chunks of `pieceBytes` bytes. */
async function* fileOf(texts: readonly string[], pieceBytes: number): AsyncGenerator<Buffer> {
  const lines = texts.map((stream) => `${JSON.stringify({ time: TIME, type: 'o', stream })}\n`);
  const bytes = Buffer.from(lines.join(''));
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

describe('a page of a recording', () => {
  const all = { skip: 0, limit: 200 };

  it.each([1, 7, 64 * 1024])('is read from a file that comes in pieces of %i bytes', async (pieceBytes) => {
    const { events, next } = await readEvents(fileOf(['a', 'ü\n', ''], pieceBytes), { skip: 1, limit: 1 });
    expect([events, next]).toEqual([
      [{ number: 2, time: TIME, type: 'o', text: 'ü\n', truncated: false }],
      2,
    ]);
    const last = await readEvents(fileOf(['a', 'ü\n', ''], pieceBytes), { skip: 2, limit: 1 });
    expect([last.events.map(({ text }) => text), last.next]).toEqual([[''], null]);
    expect(await readEvents(fileOf(['a'], pieceBytes), { skip: 9, limit: 1 })).toEqual({
      events: [],
      next: null,
    });
  });

  it.each(['é', '\u{1F600}', '\u001b', '\0', '"', '\\', 'a\\u0041'])(
    'cuts a long event between two characters, wherever the limit falls: %j',
    async (part) => {
      for (let before = 0; before < 12; before += 1) {
        const text = `${'x'.repeat(before)}${part.repeat(20_000)}`;
        const { events } = await readEvents(fileOf([text, 'next'], 4_096), all);
        const [cut, whole] = events;
        const kept = cut?.['text'] as string;
        expect([cut?.['truncated'], text.startsWith(kept), kept.length > 2_000]).toEqual([true, true, true]);
        expect([whole?.['text'], whole?.['truncated']]).toEqual(['next', false]);
      }
    },
  );

  it('ends before it is too large, and reads nothing of what follows', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        read += 1;
        yield* fileOf(['y'.repeat(10_000)], 64 * 1024);
      }
    }
    const { events, next } = await readEvents(endless(), all);
    expect([events.length, next]).toEqual([26, 26]);
    expect(read).toBeLessThan(30);
  });
});
