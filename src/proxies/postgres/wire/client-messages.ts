import { BoundFields, type BoundValue, type BoundValues } from './bound-fields';
import { FieldReader } from './fields';
import { HEAD_BYTES, message, text } from './message';

/** A message within a buffer. */
export interface Message {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Copies the position of a message, because the reader may move to the next message while this one is
 * handled.
 */
export function currentMessage({ bytes, start, end }: Message): Message {
  return { bytes, start, end };
}

function fieldsOf({ bytes, start, end }: Message): FieldReader {
  return new FieldReader(bytes, start + HEAD_BYTES, end);
}

export function queryOf(message: Message): Buffer {
  return fieldsOf(message).text();
}

/** Reads a Parse message. @returns also the client's parameter types; a type is 0 or missing if not given. */
export function parseOf(message: Message): { name: Buffer; query: Buffer; parameters: number[] } {
  const fields = fieldsOf(message);
  return { name: fields.text(), query: fields.text(), parameters: fields.oids() };
}

export type { BoundValue, BoundValues };

export interface Bind {
  readonly portal: Buffer;
  readonly statement: Buffer;
  readonly values: BoundValues;
  /** Format codes of the result's columns. */
  readonly formats: readonly number[];
}

export function bindOf(message: Message): Bind {
  const fields = fieldsOf(message);
  const portal = fields.text();
  const statement = fields.text();
  const given = fields.int16s();
  const count = fields.int16();
  const values = count > FEW_VALUES ? manyValues(fields, given, count) : fewValues(fields, given, count);
  return { portal, statement, values, formats: fields.int16s() };
}

/** Maximum number of values that are turned into objects at once. */
const FEW_VALUES = 100;

function fewValues(fields: FieldReader, given: readonly number[], count: number): BoundValue[] {
  const values: BoundValue[] = [];
  while (values.length < count) {
    const format = given.length === 1 ? given[0] : given[values.length];
    values.push({ bytes: fields.value(), isBinary: format === 1 });
  }
  return values;
}

function manyValues(fields: FieldReader, given: readonly number[], count: number): BoundFields {
  const places = new Int32Array(count);
  for (let index = 0; index < count; index += 1) places[index] = fields.skipValue();
  return new BoundFields(fields.bytes, places, given);
}

/** Returns the statement or portal that a Describe or Close message names. */
export function namedOf(message: Message): { isPortal: boolean; name: Buffer } {
  const fields = fieldsOf(message);
  return { isPortal: fields.byte() === PORTAL, name: fields.text() };
}

export function portalOf(message: Message): Buffer {
  return fieldsOf(message).text();
}

const PORTAL = 0x50;

/**
 * Invalid SQL that is sent in place of a refused statement. The server answers it with an error, and then
 * handles the following messages as after any error.
 */
const NO_STATEMENT = 'refused by the access gateway';
/** A name that no client uses by chance. With it, a failing Parse does not remove the unnamed statement. */
const NO_NAME = 'refused by the access gateway';

export const failingQuery: Buffer = message('Q', text(NO_STATEMENT));
export const failingParse: Buffer = message('P', text(NO_NAME), text(NO_STATEMENT), Buffer.alloc(2));
/** A failing Parse of the unnamed statement, which also removes the statement. */
export const failingUnnamedParse: Buffer = message('P', text(''), text(NO_STATEMENT), Buffer.alloc(2));

/** Creates a Describe message. @param kind S for a statement, P for a portal. */
export function describe(kind: 'S' | 'P', name: Buffer): Buffer {
  return message('D', Buffer.from(kind), name, Buffer.of(0));
}

/** Creates a Parse message for a statement without parameters. */
export function parse(name: Buffer, query: string): Buffer {
  return message('P', name, Buffer.of(0), text(query), Buffer.alloc(2));
}

/** Creates a Bind message for a statement without parameters, with all results in text form. */
export function bind(portal: Buffer, statement: Buffer): Buffer {
  return message('B', portal, Buffer.of(0), statement, Buffer.of(0), Buffer.alloc(6));
}

/** Creates an Execute message that runs a portal to its end. */
export function execute(portal: Buffer): Buffer {
  return message('E', portal, Buffer.alloc(5));
}

/** Creates a Close message. @param kind S for a statement, P for a portal. */
export function close(kind: 'S' | 'P', name: Buffer): Buffer {
  return message('C', Buffer.from(kind), name, Buffer.of(0));
}

export const flush: Buffer = message('H');

export const sync: Buffer = message('S');

export function copyFail(reason: string): Buffer {
  return message('f', text(reason));
}
