import { isUtf8 } from 'node:buffer';
import { textAt } from './message';

/** Maximum size of a start-up packet without its length field, as in PostgreSQL. */
export const MAX_START_UP_BYTES = 10_000;
/** Maximum size of a cancel request's secret key: 4 bytes in protocol 3.0, up to 256 from 3.2 on. */
const MAX_CANCEL_KEY_BYTES = 256;

const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;
const GSSENC_REQUEST = 80_877_104;
/** Prefix of protocol options. Other names are parameters of the server. */
const PROTOCOL_OPTION = '_pq_.';

/** A first message of a client. It has no type byte, only a length, a code, and the content. */
export type StartUpPacket =
  | { readonly kind: 'ssl-request' }
  | { readonly kind: 'gssenc-request' }
  | { readonly kind: 'cancel-request'; readonly processId: number; readonly key: Buffer }
  | { readonly kind: 'start-up'; readonly start: StartUp }
  | { readonly kind: 'unspoken'; readonly version: string }
  | { readonly kind: 'malformed'; /** One sentence. */ readonly why: string };

/** A StartupMessage of protocol 3. */
export interface StartUp {
  readonly minor: number;
  /** Parameters by name. If a name occurs twice, the last value applies, as in PostgreSQL. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly protocolOptions: readonly string[];
}

/** Reads the length field. Returns the length of the body; undefined if it is impossible. */
export function startUpLength(head: Buffer): number | undefined {
  const length = head.readInt32BE() - 4;
  return length >= 4 && length <= MAX_START_UP_BYTES ? length : undefined;
}

/** Parses a packet without its length field. The body must have at least 4 bytes. */
export function parseStartUpPacket(body: Buffer): StartUpPacket {
  const code = body.readInt32BE();
  if (code === SSL_REQUEST && body.length === 4) return { kind: 'ssl-request' };
  if (code === GSSENC_REQUEST && body.length === 4) return { kind: 'gssenc-request' };
  if (code === CANCEL_REQUEST) return cancelRequest(body);
  const major = body.readUInt16BE();
  const minor = body.readUInt16BE(2);
  if (major !== 3) return { kind: 'unspoken', version: `${major}.${minor}` };
  return startUp(minor, body);
}

function cancelRequest(body: Buffer): StartUpPacket {
  const key = body.subarray(8);
  if (key.length === 0 || key.length > MAX_CANCEL_KEY_BYTES)
    return { kind: 'malformed', why: 'The cancel request has a key of a wrong length.' };
  return { kind: 'cancel-request', processId: body.readInt32BE(4), key: Buffer.from(key) };
}

/** Parses pairs of a name and a value, each with a NUL after it, and the final NUL. */
function startUp(minor: number, body: Buffer): StartUpPacket {
  // The gateway and the target could read invalid UTF-8 differently.
  if (!isUtf8(body.subarray(4))) return { kind: 'malformed', why: 'The start-up packet is not valid UTF8.' };
  const parameters = new Map<string, string>();
  const protocolOptions: string[] = [];
  let at = 4;
  while (at < body.length && body[at] !== 0) {
    const name = textAt(body, at);
    const value = name === undefined ? undefined : textAt(body, name.end + 1);
    if (name === undefined || value === undefined)
      return { kind: 'malformed', why: 'The start-up packet has a name without a value.' };
    if (name.value.startsWith(PROTOCOL_OPTION)) protocolOptions.push(name.value);
    else {
      parameters.delete(name.value);
      parameters.set(name.value, value.value);
    }
    at = value.end + 1;
  }
  if (at !== body.length - 1)
    return { kind: 'malformed', why: 'The start-up packet does not end after its parameters.' };
  return { kind: 'start-up', start: { minor, parameters, protocolOptions } };
}
