import * as fc from '../../../../test/support/fast-check';
import type { EventPiece, SessionEvent } from '../../format/event-codec';
import { renderEventStream } from './event-stream';
import type { Parse } from './session-query';

/** Each event in two pieces. */
async function* replay(events: readonly SessionEvent[]): AsyncGenerator<EventPiece[]> {
  for (const { content, ...event } of events) {
    const half = content.length >> 1;
    yield [{ ...event, content: content.subarray(0, half), ends: false }];
    yield [{ ...event, content: content.subarray(half), ends: true }];
  }
}

/** Renders the stream. Returns its parsed elements, and the size that it reports. */
async function render(events: readonly SessionEvent[], parse: Parse | undefined) {
  const stream = renderEventStream(replay(events), parse);
  let json = '';
  for await (const part of stream.json) json += part.toString();
  return { elements: JSON.parse(`[${json}]`) as unknown[], size: stream.size() };
}

const decode = (bytes: Buffer): string => new TextDecoder().decode(bytes);

/** Any bytes, and the same bytes cut into events at any offsets. */
const cutBytes = fc
  .tuple(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
      fc
        .string({ unit: fc.constantFrom('\uFFFD', '\uFEFF', 'é', '\0'), maxLength: 5 })
        .map((text) => Buffer.from(text)),
    ),
    fc.array(fc.nat(60)),
  )
  .map(([bytes, cuts]) => {
    const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
    const events = at.slice(1).map((end, index) => ({
      time: index,
      type: 'o' as const,
      content: bytes.subarray(at[index], end),
    }));
    return { bytes, events };
  });

describe('the event stream of a session', () => {
  it('as base64 is that of the whole, wherever events are cut', async () => {
    await fc.assert(
      fc.asyncProperty(cutBytes, async ({ bytes, events }) => {
        const whole = bytes.toString('base64');
        expect(await render(events, 'base64')).toEqual({ elements: [whole], size: whole.length });
      }),
    );
  });

  it('as utf8 is that of the whole, wherever events are cut, with U+FFFD for what is none', async () => {
    await fc.assert(
      fc.asyncProperty(cutBytes, async ({ bytes, events }) => {
        const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(await render(events, 'utf8')).toEqual({ elements: [whole], size: Buffer.byteLength(whole) });
      }),
    );
  });

  // promises: READ-16
  it.each(['ü', '漢', '😀'])(
    'as utf8 has %s whole, with events of other types between its bytes',
    async (sign) => {
      const bytes = Buffer.from(sign);
      for (let cut = 1; cut < bytes.length; cut++) {
        const halves = [bytes.subarray(0, cut), bytes.subarray(cut)] as const;
        const event = (type: SessionEvent['type'], content: Buffer, time = 0) => ({ time, type, content });
        const others = [event('i', Buffer.from('input')), event('e', halves[0])];
        expect(
          await render(
            [event('o', halves[0]), ...others, event('o', halves[1]), event('e', halves[1])],
            'utf8',
          ),
        ).toEqual({ elements: [`input${sign}${sign}`], size: 5 + 2 * bytes.length });
        // Output and error output end within a character. Each input is decoded as a message of its own.
        expect(
          await render(
            [event('i', halves[0]), event('i', halves[1], 1), ...others, event('o', halves[0])],
            'utf8',
          ),
        ).toEqual({
          elements: [`${decode(halves[0])}${decode(halves[1])}input${decode(halves[0])}${decode(halves[0])}`],
          size: expect.any(Number),
        });
      }
    },
  );

  it.each([undefined, 'raw-queries' as const])('as triples (%s) keeps each event as it is', async (parse) => {
    await fc.assert(
      fc.asyncProperty(cutBytes, async ({ bytes, events }) => {
        const { elements, size } = await render(events, parse);
        expect(elements).toEqual(events.map(({ time, content }) => [time, 'o', content.toString('base64')]));
        // Without `parse` the stream reports no size, because the session keeps its stored size.
        expect(size).toBe(parse === undefined ? undefined : bytes.length);
      }),
    );
  });

  it('of an empty recording is empty, in each form its own way', async () => {
    expect(await render([], undefined)).toEqual({ elements: [], size: undefined });
    expect(await render([], 'utf8')).toEqual({ elements: [''], size: 0 });
    expect(await render([], 'base64')).toEqual({ elements: [''], size: 0 });
  });
});
