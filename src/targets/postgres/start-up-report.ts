import { TargetFault } from './postgres-faults';

const HEAD_BYTES = 5;
const MIN_KEY_BYTES = 4;
const MAX_KEY_BYTES = 256;
/** Kinds of Authentication: PostgreSQL documentation, "Message Formats". */
const AUTHENTICATION_OK = 0;
const SASL = 10;
const SASL_FINAL = 12;
/** Supported: these, clear text, MD5, and the SASL continuation; not Kerberos, GSSAPI or SSPI. */
const SPOKEN = new Set([AUTHENTICATION_OK, 3, 5, SASL, 11, SASL_FINAL]);

/** `I` idle, `T` in a transaction, `E` in a failed one. */
export type ReportedStatus = 'I' | 'T' | 'E';

/** Server's report about a session at its start. */
export class StartUpReport {
  /** The last value of ParameterStatus for each name. */
  readonly parameters = new Map<string, string>();
  /** NoticeResponse messages, each with its head. */
  readonly notices: Buffer[] = [];
  /** From BackendKeyData, as a signed number; 0 from a server that sends none. */
  processId = 0;
  /** From BackendKeyData: 4 bytes in protocol 3.0, 4 to 256 in 3.2. Empty from a server that sends none. */
  secretKey: Buffer = Buffer.alloc(0);
  /** The version in NegotiateProtocolVersion; undefined when the server accepted the requested version. */
  negotiatedMinor: number | undefined;
  transactionStatus: ReportedStatus = 'I';
  private proofDue = false;

  /** @throws TargetFault `NOT_POSTGRES` or `NO_METHOD`, RangeError for a message that is too short. */
  note(message: Buffer): void {
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'R':
        return this.noteAuthentication(message.readInt32BE(HEAD_BYTES));
      case 'S':
        return this.noteParameter(message);
      case 'K':
        this.processId = message.readInt32BE(HEAD_BYTES);
        this.noteSecretKey(message.subarray(HEAD_BYTES + 4));
        return;
      case 'v':
        // Servers send the whole version, though the documentation calls it the minor version.
        this.negotiatedMinor = message.readInt32BE(HEAD_BYTES) & 0xffff;
        return;
      case 'E':
        return requireFields(message);
      case 'N':
        requireFields(message);
        // A copy: the message is part of a larger read buffer, which it would keep alive.
        this.notices.push(Buffer.from(message));
        return;
      case 'Z':
        this.transactionStatus = statusOf(message[HEAD_BYTES]);
    }
  }

  /**
   * With SCRAM the server must prove that it knows the password too. An impostor would leave the proof out.
   */
  private noteAuthentication(kind: number): void {
    if (!SPOKEN.has(kind)) throw new TargetFault('NO_METHOD');
    if (kind === SASL) this.proofDue = true;
    if (kind === SASL_FINAL) this.proofDue = false;
    if (kind === AUTHENTICATION_OK && this.proofDue) throw new TargetFault('NOT_POSTGRES');
  }

  private noteSecretKey(key: Buffer): void {
    if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) throw new TargetFault('NOT_POSTGRES');
    // A copy: the message is part of a larger read buffer.
    this.secretKey = Buffer.from(key);
  }

  private noteParameter(message: Buffer): void {
    const [name, value] = message.toString('utf8', HEAD_BYTES).split('\0');
    if (name === undefined || value === undefined) throw new TargetFault('NOT_POSTGRES');
    this.parameters.set(name, value);
  }
}

function statusOf(byte: number | undefined): ReportedStatus {
  const status = String.fromCharCode(byte ?? 0);
  if (status !== 'I' && status !== 'T' && status !== 'E') throw new TargetFault('NOT_POSTGRES');
  return status;
}

/**
 * Requires fields of a type and a text each, and a final zero; without it the
 * driver would search without end.
 */
function requireFields(message: Buffer): void {
  let at = HEAD_BYTES;
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1);
    at = end === -1 ? message.length : end + 1;
  }
  if (at >= message.length) throw new TargetFault('NOT_POSTGRES');
}
