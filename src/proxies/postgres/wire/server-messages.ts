import { textOf } from '../../../kernel/text/utf8';
import { FieldReader } from './fields';
import { HEAD_BYTES, message, text } from './message';
import type { Message } from './client-messages';

function fieldsOf({ bytes, start, end }: Message): FieldReader {
  return new FieldReader(bytes, start + HEAD_BYTES, end);
}

/** Returns the tag of a CommandComplete, such as `INSERT 0 1`. */
export function commandTag({ bytes, start, end }: Message): string {
  return bytes.toString('latin1', start + HEAD_BYTES, end - 1);
}

export function parameterOf(of: Message): { name: string; value: string } {
  const fields = fieldsOf(of);
  return { name: textOf(fields.text()), value: textOf(fields.text()) };
}

export function notificationOf(of: Message): { processId: number; channel: string; payload: string } {
  const fields = fieldsOf(of);
  return { processId: fields.int32(), channel: textOf(fields.text()), payload: textOf(fields.text()) };
}

/**
 * Fields of an ErrorResponse or NoticeResponse, by their letters. Source: PostgreSQL documentation, "Error
 * and Notice Message Fields".
 */
export type FaultFields = ReadonlyMap<string, string>;

export function faultOf(of: Message): FaultFields {
  return new Map([...rawFaultOf(of)].map(([letter, value]) => [letter, textOf(value)]));
}

/** Like `faultOf`, but returns the values as bytes. */
export function rawFaultOf(of: Message): ReadonlyMap<string, Buffer> {
  const fields = fieldsOf(of);
  const found = new Map<string, Buffer>();
  for (;;) {
    const letter = fields.byte();
    if (letter === 0) return found;
    found.set(String.fromCharCode(letter), fields.text());
  }
}

export function faultMessage(type: 'E' | 'N', fault: FaultFields): Buffer {
  return message(type, ...[...fault].map(([letter, value]) => text(letter + value)), text(''));
}

/** Returns the error without its position, because the position refers to a text of the gateway. */
export function withoutPosition(of: Message): Message {
  const fault = new Map(faultOf(of));
  fault.delete('P');
  const bytes = faultMessage('E', fault);
  return { bytes, start: 0, end: bytes.length };
}

export function notificationMessage(processId: number, channel: string, payload: string): Buffer {
  const id = Buffer.alloc(4);
  id.writeInt32BE(processId);
  return message('A', id, text(channel), text(payload));
}

/** Returns the object ids of the types in a ParameterDescription. */
export function parametersOf(of: Message): number[] {
  return fieldsOf(of).oids();
}

/** Returns the value of a DataRow that has a single text cell; undefined for NULL. */
export function onlyCellOf(of: Message): string | undefined {
  const fields = fieldsOf(of);
  fields.int16();
  const value = fields.value();
  return value === null ? undefined : textOf(value);
}

/** Returns the format and the number of columns of a CopyInResponse or a CopyOutResponse. */
export function copyResponse(of: Message): { readonly isBinary: boolean; readonly columns: number } {
  const fields = fieldsOf(of);
  return { isBinary: fields.byte() === 1, columns: fields.int16() };
}
