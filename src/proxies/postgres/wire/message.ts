/**
 * Size of a message header: type (1 byte), then length (int32, big-endian; includes itself but not the type).
 * Source: PostgreSQL documentation, "Message Formats".
 */
export const HEAD_BYTES = 5;

/** Creates a message of this type with the given fields. */
export function message(type: string, ...fields: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(type, 'latin1');
  head.writeInt32BE(
    fields.reduce((sum, field) => sum + field.length, HEAD_BYTES - 1),
    1,
  );
  return Buffer.concat([head, ...fields]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/**
 * Encodes a text with a final NUL. Removes NULs inside, because a NUL would end the field early and shift all
 * later fields.
 */
export function text(value: string): Buffer {
  return Buffer.from(`${value.replaceAll('\0', '')}\0`);
}

/** Reads the text that begins at `start`. Returns it with the offset of its NUL; undefined without a NUL. */
export function textAt(bytes: Buffer, start: number): { value: string; end: number } | undefined {
  const end = bytes.indexOf(0, start);
  return end === -1 ? undefined : { value: bytes.toString('utf8', start, end), end };
}
