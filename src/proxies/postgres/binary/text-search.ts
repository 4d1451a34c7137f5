import { type Cursor, Unprintable, malformedValue } from '../wire/cursor';

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '$&$&')}'`;

/** Prints a tsvector. Source: PostgreSQL, tsvectorsend and tsvectorout in tsvector.c. */
export function vector(cursor: Cursor): string {
  const lexemes: string[] = [];
  for (let count = cursor.int32(); count > 0; count -= 1) {
    const lexeme = quoted(cursor.text());
    const places: string[] = [];
    for (let more = cursor.uint16(); more > 0; more -= 1) {
      const place = cursor.uint16();
      places.push(`${place & 0x3fff}${['', 'C', 'B', 'A'][place >> 14]}`);
    }
    lexemes.push(places.length === 0 ? lexeme : `${lexeme}:${places.join(',')}`);
  }
  return lexemes.join(' ');
}

const VALUE = 1;
const NOT = 1;
const AND = 2;
const OR = 3;
const PHRASE = 4;
const PRIORITY: Readonly<Record<number, number>> = { [NOT]: 4, [AND]: 2, [OR]: 1, [PHRASE]: 3 };
const MAX_DEPTH = 500;

/**
 * Prints a tsquery. In the binary form, operators precede their operands, and the right operand comes first.
 * Source: PostgreSQL, tsquerysend and infix in tsquery.c.
 */
export function query(cursor: Cursor): string {
  return cursor.int32() === 0 ? '' : infix(cursor, -1, false, 0);
}

function infix(cursor: Cursor, above: number, isRightOfPhrase: boolean, depth: number): string {
  if (depth > MAX_DEPTH) throw new Unprintable('it is nested too deeply');
  if (cursor.int8() === VALUE) return operand(cursor);
  const operator = cursor.int8();
  const distance = operator === PHRASE ? cursor.uint16() : 0;
  const priority = PRIORITY[operator];
  if (priority === undefined) throw malformedValue();
  const text = operation(cursor, operator, priority, distance, depth);
  const isBracketed = priority < above || (operator === PHRASE && isRightOfPhrase);
  return isBracketed ? `( ${text} )` : text;
}

function operation(
  cursor: Cursor,
  operator: number,
  priority: number,
  distance: number,
  depth: number,
): string {
  if (operator === NOT) return `!${infix(cursor, priority, false, depth + 1)}`;
  const right = infix(cursor, priority, operator === PHRASE, depth + 1);
  const left = infix(cursor, priority, false, depth + 1);
  const sign = operator === OR ? '|' : operator === AND ? '&' : distance === 1 ? '<->' : `<${distance}>`;
  return `${left} ${sign} ${right}`;
}

function operand(cursor: Cursor): string {
  const weight = cursor.uint8();
  const isPrefix = cursor.uint8() !== 0;
  const text = quoted(cursor.text());
  const letters = [8, 4, 2, 1].map((bit, index) => ((weight & bit) === 0 ? '' : 'ABCD'[index])).join('');
  return letters !== '' || isPrefix ? `${text}:${isPrefix ? '*' : ''}${letters}` : text;
}
