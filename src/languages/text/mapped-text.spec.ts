import * as fc from '../../../test/support/fast-check';
import { MappedText, MappedTextBuilder } from './mapped-text';

function sample(): MappedText {
  const builder = new MappedTextBuilder('drop/*x*/table ﬁn');
  builder.replace(4, 9, ' ');
  builder.replace(15, 16, 'fi');
  return builder.build();
}

describe('MappedText', () => {
  it('maps an unchanged text to itself', () => {
    const text = MappedText.unchanged('select 1');
    expect(text.sourceRange(2, 5)).toEqual({ start: 2, end: 5 });
    expect(text.offsetOf(3)).toBe(3);
  });

  it('maps copied pieces unit by unit and changed pieces as a whole', () => {
    const text = sample();
    expect(text.text).toBe('drop table fin');
    expect(text.sourceRange(1, 3)).toEqual({ start: 1, end: 3 });
    expect(text.sourceRange(0, 10)).toEqual({ start: 0, end: 14 });
    expect(text.sourceRange(4, 5)).toEqual({ start: 4, end: 9 });
    expect(text.sourceRange(11, 12)).toEqual({ start: 15, end: 16 });
    expect(text.sourceRange(12, 14)).toEqual({ start: 15, end: 17 });
  });

  it('maps an empty range to an empty range', () => {
    const text = sample();
    expect(text.sourceRange(6, 6)).toEqual({ start: 10, end: 10 });
    expect(text.sourceRange(14, 14)).toEqual({ start: 17, end: 17 });
    const emptied = new MappedTextBuilder('x');
    emptied.replace(0, 1, '');
    expect(emptied.build().text).toBe('');
    expect(emptied.build().sourceRange(0, 0)).toEqual({ start: 0, end: 0 });
  });

  it('finds the place that an offset of the source has become', () => {
    const text = sample();
    expect([0, 3, 4, 6, 9, 10, 15, 16, 17].map((at) => text.offsetOf(at))).toEqual([
      0, 3, 4, 4, 5, 6, 11, 13, 14,
    ]);
  });

  it('leaves out what is replaced by nothing, and covers it inside a range', () => {
    const builder = new MappedTextBuilder('a-b');
    builder.replace(1, 2, '');
    const text = builder.build();
    expect(text.text).toBe('ab');
    expect(text.sourceRange(0, 2)).toEqual({ start: 0, end: 3 });
    expect(text.sourceRange(0, 1)).toEqual({ start: 0, end: 1 });
    expect(text.sourceRange(1, 2)).toEqual({ start: 2, end: 3 });
  });

  it('is without some characters as a builder leaves them out one by one', () => {
    const long = fc.string({ unit: fc.constantFrom('a', '-', '\u{1f600}', 'ä', '\ud800'), maxLength: 40 });
    fc.assert(
      fc.property(long, fc.constantFrom(1, 500), (piece, times) => {
        const source = piece.repeat(times);
        const builder = new MappedTextBuilder(source);
        for (const { 0: found, index } of source.matchAll(/-|\u{1f600}/gu))
          builder.replace(index, index + found.length, '');
        const removedAt = (at: number): number => {
          if (source[at] === '-') return 1;
          return source.startsWith('\u{1f600}', at) ? 2 : 0;
        };
        expect(MappedText.without(source, removedAt)).toEqual(builder.build());
      }),
    );
  });

  it('takes in a text that was made from a part of the source', () => {
    const part = new MappedTextBuilder('b--c');
    part.replace(1, 3, ' + ');
    const builder = new MappedTextBuilder('a(b--c)d');
    builder.insert(2, 6, part.build());
    builder.replace(6, 7, ']');
    const text = builder.build();
    expect(text.text).toBe('a(b + c]d');
    expect(text.sourceRange(4, 5)).toEqual({ start: 3, end: 5 });
    expect(text.sourceRange(6, 9)).toEqual({ start: 5, end: 8 });
    expect([2, 3, 4, 5, 7].map((at) => text.offsetOf(at))).toEqual([2, 3, 3, 6, 8]);
  });

  it('is its own source where a change changes nothing', () => {
    const builder = new MappedTextBuilder('a b');
    builder.replace(1, 2, ' ');
    const text = builder.build();
    expect(text.text).toBe('a b');
    expect(text.from(sample().slice(0, 3))).toEqual(sample().slice(0, 3));
  });

  it('keeps the map of what is left after a cut at either end', () => {
    const text = sample().slice(5, 12);
    expect(text.text).toBe('table f');
    expect(text.sourceRange(0, 5)).toEqual({ start: 9, end: 14 });
    expect(text.sourceRange(7, 7)).toEqual({ start: 16, end: 16 });
    const head = sample().slice(0, 4);
    expect(head.sourceRange(0, 4)).toEqual({ start: 0, end: 4 });
    expect(head.sourceRange(4, 4)).toEqual({ start: 4, end: 4 });
    expect(head.offsetOf(12)).toBe(4);
  });

  it('maps through two steps as through each of them in turn', () => {
    const step = (source: string, widths: readonly number[]): MappedText => {
      const builder = new MappedTextBuilder(source);
      let at = 0;
      for (const [index, width] of widths.entries()) {
        const end = Math.min(source.length, at + width);
        if (index % 3 > 0) builder.replace(at, end, index % 3 === 1 ? 'xy' : '');
        at = end;
      }
      return builder.build();
    };
    const widths = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), widths, widths, (source, first, second) => {
        const earlier = step(source, first);
        const later = step(earlier.text, second);
        const both = later.from(earlier);
        expect(both.text).toBe(later.text);
        const ends = Array.from({ length: both.text.length }, (_, at) => both.sourceRange(at, at + 1).end);
        for (let at = 0; at <= source.length; at++) {
          const first = ends.findIndex((end) => end > at);
          expect(both.offsetOf(at)).toBe(first === -1 ? both.text.length : first);
        }
        for (let start = 0; start < both.text.length; start++) {
          const middle = later.sourceRange(start, both.text.length);
          if (middle.start === middle.end) continue;
          expect(both.sourceRange(start, both.text.length)).toEqual(
            earlier.sourceRange(middle.start, middle.end),
          );
        }
      }),
    );
  });
});
