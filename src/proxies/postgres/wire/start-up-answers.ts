import { int32, message, text } from './message';

/** I: idle, T: in a transaction, E: in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value));
}

/** The key is 4 bytes in protocol 3.0 and up to 256 from 3.2 on. */
export function backendKeyData(processId: number, key: Buffer): Buffer {
  return message('K', int32(processId), key);
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return message('Z', Buffer.from(status, 'latin1'));
}

/**
 * Sends the client the supported version and the unknown options. The documentation speaks of the minor
 * version, but servers send the whole version, and clients from 18 on expect that.
 */
export function negotiateProtocolVersion(minor: number, unknownOptions: readonly string[]): Buffer {
  return message('v', int32((3 << 16) | minor), int32(unknownOptions.length), ...unknownOptions.map(text));
}
