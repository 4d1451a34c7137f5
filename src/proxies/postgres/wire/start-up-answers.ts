import { int32, message, text } from './message';

/** Status of a session: I: idle, T: in a transaction, E: in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value));
}

/** Creates BackendKeyData. The key has 4 bytes in protocol 3.0, and up to 256 bytes from 3.2 on. */
export function backendKeyData(processId: number, key: Buffer): Buffer {
  return message('K', int32(processId), key);
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return message('Z', Buffer.from(status, 'latin1'));
}

/**
 * Creates NegotiateProtocolVersion, with the supported version and the unknown options. The documentation
 * names only the minor version, but servers send the whole version, and clients from version 18 on expect the
 * whole version.
 */
export function negotiateProtocolVersion(minor: number, unknownOptions: readonly string[]): Buffer {
  return message('v', int32((3 << 16) | minor), int32(unknownOptions.length), ...unknownOptions.map(text));
}
