import * as fc from '../../../../test/support/fast-check';
import { SseReader, SseTooLarge } from './sse-reader';
import { SSE_KEEP_ALIVE, sseEvent } from './sse-writer';

/** Events that a reader finds in a stream that arrives in these pieces. */
function seen(pieces: readonly Buffer[], maxEventBytes = 10_000): unknown {
  const reader = new SseReader(maxEventBytes);
  const events = pieces.flatMap((piece) => reader.push(piece));
  return {
    events: events.map(({ event, data }) => [event, data.toString()]),
    id: reader.lastEventId,
    retry: reader.retryMs,
  };
}

const whole = (text: string) => seen([Buffer.from(text)]) as { events: [string, string][] };
const STREAM = [
  '\uFEFF: hello\n',
  'data: one\n\n',
  'event: endpoint\r\ndata: /messages?id=1\r\n\r\n',
  'id: 7\rdata: {"a":"ü"}\rdata:\rdata:  two\r\r',
  ':\n\nretry: 2500\nunknown: x\ndata\n\n',
  'id: 8\ndata: \n\n',
  'id: a\0b\nevent: x\n\n',
  'data: €\n\nid: 9\ndata: never ended',
].join('');

describe('a stream of events', () => {
  it('is read as the HTML standard says', () => {
    expect(whole(STREAM)).toEqual({
      events: [
        ['message', 'one'],
        ['endpoint', '/messages?id=1'],
        ['message', '{"a":"ü"}\n\n two'],
        ['message', ''],
        ['message', ''],
        ['message', '€'],
      ],
      id: '8',
      retry: 2500,
    });
  });

  it('is the same cut at every byte, and in single bytes', () => {
    const bytes = Buffer.from(STREAM);
    for (let at = 0; at <= bytes.length; at++)
      expect(seen([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole(STREAM));
    expect(seen([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole(STREAM));
  });

  it('is the same whatever ends its lines and however it is cut', () => {
    const fields = fc.constantFrom(
      'data: a',
      'data:b',
      'data',
      'event: e',
      'id: 1',
      ': c',
      'data: ü:x',
      '',
      'retry: 5',
    );
    fc.assert(
      fc.property(
        fc.array(fields, { maxLength: 20 }),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.nat(200), { maxLength: 6 }),
        (lines, end, cuts) => {
          const bytes = Buffer.from(lines.map((line) => line + end).join(''));
          const places = [
            ...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]),
          ].toSorted((a, b) => a - b);
          const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
          expect(seen(pieces)).toEqual(whole(lines.map((line) => `${line}\n`).join('')));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('has only ids of complete events', () => {
    const reader = new SseReader(100);
    reader.push(Buffer.from('id: 1\ndata: a\n\nid: 2\ndata: b\n'));
    expect(reader.lastEventId).toBe('1');
    reader.push(Buffer.from('\n'));
    expect(reader.lastEventId).toBe('2');
    reader.push(Buffer.from('id\n\n'));
    expect(reader.lastEventId).toBe('');
  });

  it('keeps broken UTF-8 for the reader of the data to see', () => {
    const [event] = new SseReader(100).push(Buffer.from('646174613a2080ff0a0a', 'hex'));
    expect(event?.data.toString('hex')).toBe('80ff');
  });

  it('takes no wait for anything but digits', () => {
    for (const retry of ['-1', '1.5', '0x10', 'soon', '', '99999999999999999999'])
      expect(seen([Buffer.from(`retry: ${retry}\n\n`)])).toMatchObject({ retry: undefined });
  });

  it.each([
    ['one line', ['data: ', 'x'.repeat(101), '\n\n']],
    ['many lines', Array.from({ length: 60 }, () => 'data: x\n')],
    ['lines of nothing', Array.from({ length: 102 }, () => 'data\n')],
    ['a line that never ends', Array.from({ length: 1_000 }, () => 'x'.repeat(50))],
    ['a name of a field that never ends', ['x'.repeat(20_000)]],
  ])('is refused once an event is too large: %s', (_, pieces) => {
    const reader = new SseReader(100);
    expect(() => pieces.forEach((piece) => reader.push(Buffer.from(piece)))).toThrow(SseTooLarge);
  });

  it('may have an event as large as allowed, comments without end, and ids that are too long to be one', () => {
    expect(seen([Buffer.from(`data: ${'x'.repeat(100)}\n\n`)], 100)).toMatchObject({
      events: [['message', 'x'.repeat(100)]],
    });
    const reader = new SseReader(100);
    reader.push(Buffer.from(':'));
    for (let n = 0; n < 1_000; n++) expect(reader.push(Buffer.alloc(1_000, 'c'))).toEqual([]);
    expect(reader.push(Buffer.from('\ndata: a\n\n'))).toHaveLength(1);
    expect(seen([Buffer.from(`id: ${'x'.repeat(9_000)}\ndata: a\n\n`)])).toMatchObject({ id: undefined });
  });

  it('is written so that it reads the same', () => {
    const event = fc.record({
      data: fc.string({ unit: fc.constantFrom('a', '\n', '\r', ' ', ':', 'ü', '\r\n') }),
      event: fc.constantFrom('message', 'endpoint'),
      id: fc.string({ unit: fc.constantFrom('1', 'a', ':'), minLength: 1 }),
      retryMs: fc.nat(99_999),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (events) => {
        expect(whole(events.map((one) => sseEvent(one) + SSE_KEEP_ALIVE).join(''))).toEqual({
          events: events.map(({ event: name, data }) => [name, data.replaceAll(/\r\n|\r/g, '\n')]),
          id: events.at(-1)?.id,
          retry: events.at(-1)?.retryMs,
        });
      }),
    );
    for (const bad of ['a\nb', 'a\rb', 'a\0b'])
      for (const field of ['event', 'id'] as const)
        expect(() => sseEvent({ data: '', [field]: bad })).toThrow(RangeError);
  });
});
