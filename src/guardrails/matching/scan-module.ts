/**
 * A WebAssembly module that reads 16 bytes at a time. It is assembled here, because the source is short and a
 * compiler would be a large tool to trust. It exports its memory `m` and two functions that read a range
 * [from, to) of the memory. Each returns the start of the next block of 16 bytes that needs a closer look, or
 * -1:
 *
 * - `scan` finds four consecutive bytes that one of the eight buckets accepts: the tables must allow both
 *   halves of each byte. It also finds a single byte that the tables for single bytes allow.
 * - `runs` finds the end of a run of 13 digits, or of a run of 14 characters in which a space or dash after a
 *   digit counts as a digit. 13 digits with a separator make at least 14. A date with a time, such as
 *   `2026-01-01 00:00`, has a run of 13 characters, so it does not match. This matters because many database
 *   tables have a date with a time in each row.
 *
 * Both functions read up to 18 bytes past the end of the range. The tables must not allow the bytes there.
 */

/** Bytes of one table. */
export const TABLE_BYTES = 16;
/** Number of tables: a lower-half and an upper-half table for each of four bytes and for single bytes. */
export const TABLES = 10;

type Code = readonly number[];

const leb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
const vector = (items: readonly Code[]): number[] => [...leb(items.length), ...items.flat()];
const section = (id: number, content: Code): number[] => [id, ...leb(content.length), ...content];
const name = (text: string): number[] => [...leb(text.length), ...Buffer.from(text)];

const I32 = 0x7f;
const V128 = 0x7b;
const get = (local: number): Code => [0x20, ...leb(local)];
const set = (local: number, value: Code): Code => [...value, 0x21, ...leb(local)];
/**
 * Constant from 0 to 127 as signed LEB128. From 64 on it needs two bytes: bit 6 of the last byte is the sign.
 */
const number = (value: number): Code => [0x41, ...(value < 0x40 ? [value] : [value | 0x80, 0])];
const operation =
  (...code: number[]) =>
  (...operands: readonly Code[]): Code => [...operands.flat(), ...code];
const simd = (opcode: number) => operation(0xfd, ...leb(opcode));

const i32 = {
  atLeast: operation(0x4e),
  add: operation(0x6a),
  and: operation(0x71),
  or: operation(0x72),
  shl: operation(0x74),
  shrU: operation(0x76),
};
const bytes = {
  load: (address: Code, offset = 0): Code => [...address, 0xfd, 0x00, 0, ...leb(offset)],
  swizzle: simd(0x0e),
  splat: simd(0x0f),
  equal: simd(0x23),
  lessU: simd(0x26),
  and: simd(0x4e),
  or: simd(0x50),
  any: simd(0x53),
  bitmask: simd(0x64),
  shrU: simd(0x6d),
  subtract: simd(0x71),
};

const RETURN = 0x0f;
const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];
const END = -1 & 0x7f;
const giveUp: Code = [0x41, END, RETURN];

const FROM = 0;
const TO = 1;

/** Returns the code of a loop over the blocks. `body` returns from inside the loop. */
function overBlocks(before: Code, body: Code): Code {
  const step = set(FROM, i32.add(get(FROM), number(16)));
  const loop = [
    0x03,
    0x40,
    ...when(i32.atLeast(get(FROM), get(TO)), giveUp),
    ...body,
    ...step,
    0x0c,
    0,
    0x0b,
  ];
  return [...before, ...loop, ...giveUp, 0x0b];
}

function scan(): Code {
  const [table, low, block] = [2, 2 + TABLES, 3 + TABLES];
  const tables = Array.from({ length: TABLES }, (_, index) =>
    set(table + index, bytes.load(number(0), index * TABLE_BYTES)),
  );
  const fits = (index: number): Code =>
    bytes.and(
      bytes.swizzle(get(table + 2 * index), bytes.and(get(block), get(low))),
      bytes.swizzle(get(table + 2 * index + 1), bytes.shrU(get(block), number(4))),
    );
  const fitsAt = (offset: number): Code => [...set(block, bytes.load(get(FROM), offset)), ...fits(offset)];
  const inRow = bytes.and(bytes.and(bytes.and(fitsAt(3), fitsAt(2)), fitsAt(1)), fitsAt(0));
  // `fits(4)` reads the block that was loaded last, which is the block at offset 0.
  const single = fits(4);
  return [
    ...vector([[2 + TABLES, V128]]),
    ...overBlocks(
      [...tables.flat(), ...set(low, bytes.splat(number(15)))],
      when(bytes.any(bytes.or(inRow, single)), [...get(FROM), RETURN]),
    ),
  ];
}

function runs(): Code {
  const [digits, run, before, both, digitsBefore, onlyDigits, block] = [2, 3, 4, 5, 6, 7, 8];
  const isByte = (character: string): Code =>
    bytes.equal(get(block), bytes.splat(number(character.charCodeAt(0))));
  const isDigitAt = bytes.lessU(
    bytes.subtract(get(block), bytes.splat(number('0'.charCodeAt(0)))),
    bytes.splat(number(10)),
  );
  // A mask has one bit per byte; the lowest bit is the first byte. `before` holds the run of the previous
  // block; its bit 16 is set when that block ends with a digit.
  const afterDigit = i32.or(i32.shl(get(digits), number(1)), i32.shrU(get(before), number(16)));
  const separators = bytes.bitmask(bytes.or(isByte(' '), isByte('-')));
  const narrow = (bits: number, by: number): Code =>
    set(bits, i32.and(get(bits), i32.shrU(get(bits), number(by))));
  return [
    ...vector([
      [6, I32],
      [1, V128],
    ]),
    ...overBlocks(
      [],
      [
        ...set(block, bytes.load(get(FROM))),
        ...set(digits, bytes.bitmask(isDigitAt)),
        ...set(run, i32.or(get(digits), i32.and(separators, afterDigit))),
        ...set(both, i32.or(i32.shl(get(run), number(16)), i32.and(get(before), [0x41, 0xff, 0xff, 3]))),
        ...set(onlyDigits, i32.or(i32.shl(get(digits), number(16)), get(digitsBefore))),
        // Each step keeps only longer runs: of 2, of 4, of 8, of 13 and of 14.
        ...[1, 2, 4, 5, 1].flatMap((by) => narrow(both, by)),
        ...[1, 2, 4, 5].flatMap((by) => narrow(onlyDigits, by)),
        ...when(i32.or(get(both), get(onlyDigits)), [...get(FROM), RETURN]),
        ...set(digitsBefore, get(digits)),
        ...set(before, i32.or(get(run), i32.shl(i32.shrU(get(digits), number(15)), number(16)))),
      ],
    ),
  ];
}

const MAGIC: Code = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

/** @param pages size of the memory in pages of 64 KiB */
export function scanModule(pages: number): Uint8Array<ArrayBuffer> {
  const functions = [scan(), runs()];
  return Uint8Array.from([
    ...MAGIC,
    ...section(1, vector([[0x60, ...vector([[I32], [I32]]), ...vector([[I32]])]])),
    ...section(3, vector(functions.map(() => [0]))),
    ...section(5, vector([[0, ...leb(pages)]])),
    ...section(
      7,
      vector([
        [...name('m'), 2, 0],
        [...name('scan'), 0, 0],
        [...name('runs'), 0, 1],
      ]),
    ),
    ...section(10, vector(functions.map((body) => [...leb(body.length), ...body]))),
  ]);
}
