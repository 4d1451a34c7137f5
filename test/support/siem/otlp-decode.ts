import { type Decoded, type MessageName, fieldsOf, isMessage } from './otlp-schema';

const WIRE_TYPES: Readonly<Record<string, number>> = {
  varint: 0,
  bool: 0,
  fixed64: 1,
  double: 1,
  fixed32: 5,
};

/**
 * Decodes protobuf by the schema of OTLP.
 * @throws on an unknown field, a wrong wire type, or truncated bytes
 */
export function decodeProtobuf(bytes: Buffer, message: MessageName): Decoded {
  const fields = fieldsOf(message);
  const decoded: Decoded = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error(`${message}: a number is cut off`);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error(`${message}: a number is too long`);
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error(`${message}: cut off`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const [name, type, repeated] = fields[tag >> 3] ?? [];
    if (name === undefined || type === undefined) throw new Error(`${message} has no field ${tag >> 3}`);
    if ((tag & 7) !== (WIRE_TYPES[type] ?? 2))
      throw new Error(`${message}.${name} has the wire type ${tag & 7}`);
    const value = valueOf(type, varint, take);
    const known = decoded[name];
    if (repeated === undefined) {
      if (known !== undefined) throw new Error(`${message}.${name} is there twice`);
      decoded[name] = value;
    } else decoded[name] = [...((known as Decoded[] | undefined) ?? []), value as Decoded];
  }
  return decoded;
}

function valueOf(
  type: string,
  varint: () => bigint,
  take: (length: number) => Buffer,
): Decoded | string | number | boolean {
  if (type === 'bool') return varint() === 1n;
  if (type === 'varint') return Number(BigInt.asIntN(64, varint()));
  if (type === 'fixed32') return take(4).readUInt32LE();
  if (type === 'fixed64') return String(take(8).readBigUInt64LE());
  if (type === 'double') return take(8).readDoubleLE();
  const content = take(Number(varint()));
  if (isMessage(type)) return decodeProtobuf(content, type);
  return type === 'bytes'
    ? content.toString('hex')
    : new TextDecoder('utf-8', { fatal: true }).decode(content);
}

/** Checks OTLP's JSON against the schema. @throws on an unknown name or a wrong type */
export function checkJson(value: unknown, message: MessageName): Decoded {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${message} is no object`);
  const fields = Object.values(fieldsOf(message));
  for (const [name, content] of Object.entries(value)) {
    const [, type = '', repeated] = fields.find(([known]) => known === name) ?? [];
    if (type === '') throw new Error(`${message} has no field ${name}`);
    if ((repeated !== undefined) !== Array.isArray(content))
      throw new Error(`${message}.${name}: a list or none`);
    for (const one of Array.isArray(content) ? (content as unknown[]) : [content])
      checkValue(one, type, `${message}.${name}`);
  }
  return value as Decoded;
}

const JSON_TYPES: Readonly<Record<string, readonly string[]>> = {
  string: ['string'],
  bytes: ['string'],
  bool: ['boolean'],
  varint: ['number', 'string'],
  double: ['number'],
  fixed32: ['number'],
  fixed64: ['string'],
};

function checkValue(value: unknown, type: string, where: string): void {
  if (isMessage(type)) checkJson(value, type);
  else if (JSON_TYPES[type]?.includes(typeof value) !== true)
    throw new Error(`${where} is a ${typeof value}`);
}

/** Returns the value that an OTLP AnyValue represents. */
export function plainValue(value: Decoded | undefined): unknown {
  const [[kind, content] = ['none', undefined]] = Object.entries(value ?? {});
  if (kind === 'arrayValue') return listOf(content as Decoded, 'values').map(plainValue);
  if (kind === 'kvlistValue') return plainPairs(listOf(content as Decoded, 'values'));
  return kind === 'intValue' ? Number(content) : content;
}

export function plainPairs(pairs: readonly Decoded[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key as string, plainValue(value as Decoded)]));
}

export function listOf(message: Decoded, name: string): Decoded[] {
  return (message[name] as Decoded[] | undefined) ?? [];
}

/** Returns the text of a field; empty if the field is absent. */
export function textIn(message: Decoded | undefined, name: string): string {
  const text = message?.[name] ?? '';
  if (typeof text !== 'string') throw new Error(`${name} is no text`);
  return text;
}
