import * as fc from '../../../../test/support/fast-check';
import {
  decode,
  file,
  recording,
  session,
  stamp,
  stored,
  textOf,
} from '../../../../test/support/cut-recordings';
import { sessionFile } from './session-file';
import { readingOptions } from './session-query';
import type { EventPiece, SessionEvent } from '../../format/event-codec';

describe('a recording as a file, wherever its events are cut', () => {
  const same = async (query: object, naive: (events: readonly SessionEvent[]) => string) =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        expect(await textOf(file(stored(it), query).content)).toBe(naive(it.events));
      }),
      { numRuns: 300 },
    );

  it('as it is', () =>
    same({ extension: 'txt' }, (events) => events.map((it) => it.content.toString('latin1')).join('')));

  it('with the time and a line break for each event', () =>
    same({ extension: 'log', 'event-time': '1', new_line: '1' }, (events) =>
      events.map((it) => `${stamp(it.time)} ${it.content.toString('latin1')}\n`).join(''),
    ));

  // promises: READ-17
  it('as an object for each event', () =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        const lines = await jsonLines(file(stored(it), { extension: 'json', events: 'i,o,e' }).content);
        expect(lines.slice(0, it.events.length).map(({ time, type }) => [time, type])).toEqual(
          it.events.map(({ time, type }) => [stamp(time), type]),
        );
        for (const type of ['o', 'e'])
          expect(streamOf(lines, type)).toBe(
            decode(Buffer.concat(it.events.filter((one) => one.type === type).map((one) => one.content))),
          );
        const inputs = it.events.filter(({ type }) => type === 'i').map((one) => decode(one.content));
        expect(lines.filter(({ type }) => type === 'i').map(({ stream }) => stream)).toEqual(inputs);
        // After the events, the file has at most one U+FFFD per stream that ends within a character.
        for (const { stream } of lines.slice(it.events.length)) expect(stream).toBe('\uFFFD');
      }),
      { numRuns: 300 },
    ));

  // promises: READ-16
  it.each(['ü', '漢', '😀'])(
    'as an object for each event, with %s cut at each of its bytes',
    async (sign) => {
      const bytes = Buffer.from(`a${sign}b`);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
        const events = halves.flatMap((content, time) => [
          { time, type: 'o' as const, content, ends: true },
          { time, type: 'e' as const, content, ends: true },
        ]);
        const lines = await jsonLines(file(inOneChunk(events), { extension: 'json' }).content);
        expect(lines).toHaveLength(4);
        expect([streamOf(lines, 'o'), streamOf(lines, 'e')]).toEqual([`a${sign}b`, `a${sign}b`]);
      }
    },
  );

  // promises: READ-17
  it('as a terminal plays it', () =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        const text = Buffer.from(
          await textOf(file(stored(it), { extension: 'cast' }).content),
          'latin1',
        ).toString();
        const [head, ...lines] = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown);
        expect(head).toEqual({
          version: 2,
          width: 120,
          height: 40,
          timestamp: 1772359200,
          duration: 1.5,
          title: `orders ${session.id}`,
        });
        const shown = lines as [number, string, string][];
        expect(shown.slice(0, it.events.length).map(([time, code]) => [time, code])).toEqual(
          it.events.map(({ time, type }) => [Math.round(time * 1000) / 1e6, type === 'i' ? 'i' : 'o']),
        );
        for (const code of ['i', 'o'] as const) {
          const types = code === 'i' ? ['i'] : ['o', 'e'];
          const bytes = types.map((type) =>
            Buffer.concat(it.events.filter((one) => one.type === type).map((one) => one.content)),
          );
          const all = shown
            .filter((line) => line[1] === code)
            .map((line) => line[2])
            .join('');
          // Output and error output are mixed, so the characters are compared without their order.
          expect([...all].sort()).toEqual([...bytes.map((one) => played(decode(one))).join('')].sort());
        }
      }),
      { numRuns: 300 },
    ));

  it('as a terminal plays it, which obeys nothing of it', async () => {
    const hostile = [
      '\u001b]52;c;ZXZpbA==\u0007',
      '\u001b[2J',
      'paid\rfree',
      '\u009b1A',
      '\u202Egpj',
      '\b\b\0',
      'a\r',
      '\n',
    ];
    const events = hostile.map((text, index) => ({
      time: index,
      type: 'o' as const,
      content: Buffer.from(text),
      ends: true,
    }));
    const text = Buffer.from(
      await textOf(file(inOneChunk(events), { extension: 'cast' }).content),
      'latin1',
    ).toString();
    const shown = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => (JSON.parse(line) as string[])[2]);
    expect(shown.join('')).toBe(
      '\uFFFD]52;c;ZXZpbA==\uFFFD\uFFFD[2Jpaid\uFFFDfree\uFFFD1A\uFFFDgpj\uFFFD\uFFFD\uFFFDa\r\n',
    );
  });

  it.each<[string, object]>([
    ['of a database', { connectionSubtype: 'postgres', metadata: { terminal: { columns: 80, rows: 24 } } }],
    ['of a script', { verb: 'exec', metadata: { terminal: { columns: 80, rows: 24 } } }],
    ['whose metadata somebody set to null', { metadata: { terminal: null } }],
    ['whose metadata somebody set to a text', { metadata: { terminal: 'x' } }],
    ['whose size is no number', { metadata: { terminal: { columns: '80', rows: {} } } }],
  ])('as a terminal plays it, which obeys nothing %s', async (_, fields) => {
    const events = [{ time: 0, type: 'o' as const, content: Buffer.from('paid\rfree\u001b[2J'), ends: true }];
    const of = { ...session, verb: 'connect', connectionSubtype: 'ssh', ...fields } as typeof session;
    const query = readingOptions({ extension: 'cast' });
    const text = Buffer.from(await textOf(sessionFile(of, inOneChunk(events), query).content), 'latin1');
    expect(text.toString()).toContain('paid\uFFFDfree\uFFFD[2J');
    expect(text.toString()).toContain('"width":120');
  });

  it('as a terminal plays it, line by line and in order', () =>
    fc.assert(
      fc.asyncProperty(recording, async (it) => {
        const events = it.events.map((one) => ({ ...one, type: 'o' as const }));
        const parts = file(stored({ ...it, events }), { extension: 'cast' }).content;
        const lines = Buffer.from(await textOf(parts), 'latin1')
          .toString()
          .trimEnd()
          .split('\n')
          .slice(1);
        const text = lines.map((line) => (JSON.parse(line) as string[])[2]).join('');
        const whole = decode(Buffer.concat(events.map((one) => one.content)));
        expect(text).toBe(played(whole));
      }),
      { numRuns: 300 },
    ));
});

interface JsonLine {
  readonly time: string;
  readonly type: string;
  readonly stream: string;
}

async function jsonLines(parts: AsyncGenerator<Buffer>): Promise<JsonLine[]> {
  const text = Buffer.from(await textOf(parts), 'latin1').toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonLine);
}

function streamOf(lines: readonly JsonLine[], wanted: string): string {
  return lines
    .filter(({ type }) => type === wanted)
    .map(({ stream }) => stream)
    .join('');
}

async function* inOneChunk(events: readonly EventPiece[]): AsyncGenerator<EventPiece[]> {
  yield [...events];
}

/** Text as a terminal gets it: lines end with CR LF, and U+FFFD replaces control and direction characters. */
function played(text: string): string {
  const lines = text.split('\n').map((line, index, all) => {
    const ended = index < all.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line;
    return ended.replaceAll(/[^\t\P{Cc}]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');
  });
  return lines.join('\r\n');
}
