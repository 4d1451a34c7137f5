import * as fc from '../../../../test/support/fast-check';
import type { Mask } from '../../../gate/ports/guardrails';
import { HeldBytes } from './held-bytes';

/** Bytes of texts with colors, and bytes that are no UTF-8. */
const output = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\x1b[31m', '\x1b[0m', '\r\n', '\x1b(B', '\x1b]0;title\x07', '\x1b')
        .map((code) => Buffer.from(code)),
    ),
  )
  .map((pieces) => Buffer.concat(pieces));

/** Cuts bytes at random places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

describe('HeldBytes', () => {
  const places = fc.array(fc.nat(500), { maxLength: 8 });

  it('releases the very bytes, wherever they are cut and released', () => {
    fc.assert(
      fc.property(output, places, fc.boolean(), (bytes, at, isTerminal) => {
        const held = new HeldBytes(isTerminal);
        let units = 0;
        const released: Buffer[] = [];
        for (const [index, chunk] of cut(bytes, at).entries()) {
          units += held.push(chunk).length;
          released.push(held.release(index % 2 === 0 ? units : Math.floor(units / 2), []));
        }
        units += held.finish().length;
        released.push(held.release(units, []));
        expect(Buffer.concat(released).equals(bytes)).toBe(true);
      }),
    );
  });

  it('shows rules the same text wherever the bytes are cut', () => {
    fc.assert(
      fc.property(output, places, fc.boolean(), (bytes, at, isTerminal) => {
        const textOf = (chunks: readonly Buffer[]): string => {
          const held = new HeldBytes(isTerminal);
          return chunks.map((chunk) => held.push(chunk)).join('') + held.finish();
        };
        expect(textOf(cut(bytes, at))).toBe(textOf([bytes]));
      }),
    );
  });

  it('replaces what is masked, and keeps the codes within it', () => {
    const held = new HeldBytes(true);
    const text = held.push(Buffer.from('a ä \x1b[31mca\x1b[1mnary\x1b[0m 😀 b'));
    expect(text).toBe('a ä canary 😀 b');
    const mask: Mask = { start: 4, end: 10, replacement: '****', ruleId: '1', label: 'x', bytes: 6 };
    expect(held.release(text.length, [mask]).toString()).toBe('a ä \x1b[31m****\x1b[1m\x1b[0m 😀 b');
  });

  it('shows rules what a code of a terminal carries, unless it only changes how a text looks', () => {
    const textOf = (text: string): string => {
      const held = new HeldBytes(true);
      return held.push(Buffer.from(text)) + held.finish();
    };
    expect(textOf('\x1b]52;c;Y2FuYXJ5\x07')).toContain('Y2FuYXJ5');
    expect(textOf('\x1b]8;;https://canary\x1b\\link')).toContain('canary');
    expect(textOf('\x1bPcanary\x1b\\')).toContain('canary');
    expect(textOf(`\x1b[${'1234567890'.repeat(4)}m`)).toContain('1234567890');
    expect(textOf('\x1b[38;2;255;100;255mx\x1b[0m\x1b(B\x0f\r\n')).toBe('x\n');
    expect(textOf('sec\x1b[38;2;255;255;255;48;2;255;255;255mret')).toBe('secret');
  });

  it('decodes bytes that are no UTF-8 at once, not part by part', () => {
    const bytes = Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 167) % 256));
    const held = new HeldBytes(false);
    const decoded = jest.spyOn(Buffer.prototype, 'toString');
    const text = held.push(bytes);
    const calls = decoded.mock.calls.length;
    jest.restoreAllMocks();
    expect(text.split('\ufffd').length).toBeGreaterThan(3_000);
    expect(calls).toBeLessThan(5);
  });
});
