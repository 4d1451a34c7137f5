import { type Cursor, Unprintable, malformedValue } from '../wire/cursor';

const DIGITS = 4;
const POSITIVE = 0x0000;
const NEGATIVE = 0x4000;
const SPECIAL: Readonly<Record<number, string>> = { 0xc000: 'NaN', 0xd000: 'Infinity', 0xf000: '-Infinity' };

/**
 * Prints numeric: digits in base 10000. Source: PostgreSQL, numeric_send and get_str_from_var in numeric.c.
 */
export function numeric(cursor: Cursor): string {
  const count = cursor.uint16();
  const weight = cursor.int16();
  const sign = cursor.uint16();
  const scale = cursor.uint16();
  const special = SPECIAL[sign];
  if (special !== undefined) return special;
  if (sign !== POSITIVE && sign !== NEGATIVE) throw malformedValue();
  const groups: string[] = [];
  for (let group = 0; group < count; group += 1) groups.push(String(cursor.uint16()).padStart(DIGITS, '0'));
  // Number of digits before the decimal point; negative if the fraction begins with zeros.
  const before = (weight + 1) * DIGITS;
  const digits = groups.join('');
  const whole =
    before <= 0
      ? '0'
      : digits
          .slice(0, before)
          .padEnd(before, '0')
          .replace(/^0+(?=\d)/, '');
  const part = (before < 0 ? '0'.repeat(-before) + digits : digits.slice(Math.max(before, 0)))
    .padEnd(scale, '0')
    .slice(0, scale);
  return `${sign === NEGATIVE ? '-' : ''}${whole}${scale > 0 ? `.${part}` : ''}`;
}

/**
 * Smallest exponents for which the server uses scientific notation. Source: PostgreSQL, src/common/d2s.c and
 * f2s.c.
 */
const EXPONENT_FROM = { float4: 6, float8: 15 } as const;
const EXPONENT_BELOW = -4;

/**
 * Prints a float8 with the fewest digits that identify it, as the server does by default
 * (`extra_float_digits` above 0). Ignores a lower setting of the session, because rules must see all digits
 * that the client receives.
 */
export function float8(value: number): string {
  return special(value) ?? shaped(shortestDouble(value), EXPONENT_FROM.float8);
}

export function float4(value: number): string {
  return special(value) ?? shaped(shortestSingle(value), EXPONENT_FROM.float4);
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return undefined;
}

/** @param written a number in the form of `toExponential`. */
function shaped(written: string, exponentFrom: number): string {
  const [, sign = '', digits = '', power = ''] = /^(-?)([\d.]+)e([+-]\d+)$/.exec(written) ?? [];
  const exponent = Number(power);
  const plain = digits.replace('.', '').replace(/0+$/, '') || '0';
  if (exponent < EXPONENT_BELOW || exponent >= exponentFrom) {
    const part = plain.length > 1 ? `.${plain.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${plain[0]}${part}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${plain}`;
  const whole = plain.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return plain.length > exponent + 1 ? `${sign}${whole}.${plain.slice(exponent + 1)}` : `${sign}${whole}`;
}

const EXACT_BELOW = 2 ** 52;

/**
 * Returns the shortest text of a float8, as the server writes it. JavaScript also uses a text that lies
 * exactly halfway between two neighboring floats, but the server then writes one more digit.
 */
function shortestDouble(value: number): string {
  let written = value.toExponential();
  if (Math.abs(value) < EXACT_BELOW) return written;
  while (isMiddle(written, value)) written = value.toExponential(digitsOf(written));
  return written;
}

function digitsOf(written: string): number {
  return written.replace(/e.*$/, '').replaceAll(/[^\d]/g, '').length;
}

/** Whether a whole number's text lies exactly halfway between the value and a neighboring float. */
function isMiddle(written: string, value: number): boolean {
  const size = Math.abs(value);
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, size);
  const next = (step: bigint): bigint => {
    const neighbour = new DataView(new ArrayBuffer(8));
    neighbour.setBigUint64(0, bits.getBigUint64(0) + step);
    return BigInt(neighbour.getFloat64(0));
  };
  const [, digits = '', power = ''] = /^-?([\d.]+)e\+(\d+)$/.exec(written) ?? [];
  const plain = digits.replace('.', '');
  const zeros = Number(power) + 1 - plain.length;
  if (zeros < 0 || size >= Number.MAX_VALUE) return false;
  const twice = BigInt(plain) * 10n ** BigInt(zeros) * 2n;
  return twice === BigInt(size) + next(1n) || twice === BigInt(size) + next(-1n);
}

const SINGLE_DIGITS = 9;

function shortestSingle(value: number): string {
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, Math.abs(value));
  const own = bits.getUint32(0);
  const neighbour = (step: number): number => {
    bits.setUint32(0, own + step);
    return bits.getFloat32(0);
  };
  const size = Math.abs(value);
  const above = neighbour(1);
  const below = neighbour(-1);
  const low = (size + below) / 2;
  // Uses the distance to the lower neighbor for the largest float, which has no upper neighbor.
  const high = size + ((Number.isFinite(above) ? above : 2 * size - below) - size) / 2;
  for (let digits = 0; digits < SINGLE_DIGITS; digits += 1) {
    const written = roundedToEven(value, digits);
    const read = Math.abs(Number(written));
    if (read > low && read < high) return written;
  }
  return value.toExponential(SINGLE_DIGITS - 1);
}

/**
 * Number of digits that is enough to write a float4 exactly, if it lies halfway between two shorter numbers.
 */
const ALL_DIGITS = 60;

/** Like `toExponential`, but rounds half to even. */
function roundedToEven(value: number, digits: number): string {
  const exact = /^(-?\d)\.(\d+)e(.*)$/.exec(value.toExponential(ALL_DIGITS));
  const [, whole = '', part = '', power = ''] = exact ?? [];
  const kept = part.slice(0, digits);
  const isEven = Number((whole + kept).at(-1)) % 2 === 0;
  if (!isEven || !/^50*$/.test(part.slice(digits))) return value.toExponential(digits);
  return `${whole}${kept === '' ? '' : `.${kept}`}e${power}`;
}

/** The format in which the target prints money (its `lc_monetary`), learned from sample values. */
export interface MoneyStyle {
  readonly positive: readonly [string, string];
  readonly negative: readonly [string, string];
  readonly decimals: number;
  readonly point: string;
  readonly separator: string;
  readonly group: number;
}

/**
 * Sample amount of money. Each digit occurs once, so that its position in the printed sample is unambiguous.
 */
export const MONEY_SAMPLE = '1234567890';

/**
 * Finds the target's format of money from two samples.
 * @param positive text that the target prints for the amount `MONEY_SAMPLE`
 * @param negative text that the target prints for the same amount below zero
 * @returns undefined if the samples cannot be parsed
 */
export function moneyStyleOf(positive: string, negative: string): MoneyStyle | undefined {
  const one = /^(\D*)(\d.*\d)(\D*)$/s.exec(positive);
  const other = /^(\D*)(\d.*\d)(\D*)$/s.exec(negative);
  if (one === null || other === null || one[2] !== other[2]) return undefined;
  const [, before = '', body = '', after = ''] = one;
  const digits = body.replaceAll(/\D/g, '');
  const decimals = digits.length - MONEY_SAMPLE.length;
  if (decimals < 0 || !digits.startsWith(MONEY_SAMPLE)) return undefined;
  const runs = body.split(/\d+/).filter((text) => text !== '');
  const point = decimals > 0 ? (runs.at(-1) ?? '') : '';
  const whole = decimals > 0 ? body.slice(0, body.length - decimals - point.length) : body;
  const separator = /^\d+(\D+)/.exec(whole)?.[1] ?? '';
  const group = separator === '' ? 0 : (whole.split(separator).at(-1)?.length ?? 0);
  const style: MoneyStyle = {
    positive: [before, after],
    negative: [other[1] ?? '', other[3] ?? ''],
    decimals,
    point,
    separator,
    group,
  };
  const value = BigInt(digits);
  return money(value, style) === positive && money(-value, style) === negative ? style : undefined;
}

export function money(value: bigint, style: MoneyStyle | undefined): string {
  if (style === undefined) throw new Unprintable('the gateway could not learn the lc_monetary of the target');
  const digits = String(value < 0n ? -value : value).padStart(style.decimals + 1, '0');
  let whole = digits.slice(0, digits.length - style.decimals);
  if (style.group > 0) {
    const groups: string[] = [];
    for (; whole.length > style.group; whole = whole.slice(0, -style.group))
      groups.unshift(whole.slice(-style.group));
    whole = [whole, ...groups].join(style.separator);
  }
  const part = style.decimals > 0 ? style.point + digits.slice(-style.decimals) : '';
  const [before, after] = value < 0n ? style.negative : style.positive;
  return `${before}${whole}${part}${after}`;
}
