import { requireFields } from './message-checks';
import { TargetFault } from './postgres-faults';

const HEAD_BYTES = 5;
const MIN_KEY_BYTES = 4;
const MAX_KEY_BYTES = 256;
/** Kinds of Authentication: PostgreSQL documentation, "Message Formats". */
const AUTHENTICATION_OK = 0;
const SASL = 10;
const SASL_FINAL = 12;
/**
 * Supported kinds of Authentication, including clear text (3), MD5 (5) and SASL continuation (11). Kerberos,
 * GSSAPI and SSPI are not supported.
 */
const SPOKEN = new Set([AUTHENTICATION_OK, 3, 5, SASL, 11, SASL_FINAL]);

/** `I`: idle. `T`: in a transaction. `E`: in a failed transaction. */
export type ReportedStatus = 'I' | 'T' | 'E';

/** Collects the server's reports about a session at its start. */
export class StartUpReport {
  /** The last value of ParameterStatus for each name. */
  readonly parameters = new Map<string, string>();
  /** NoticeResponse messages, each with its type and length. */
  readonly notices: Buffer[] = [];
  /** Process id from BackendKeyData, as a signed number; 0 if the server sends none. */
  processId = 0;
  /** Key from BackendKeyData: 4 bytes in protocol 3.0, 4 to 256 in 3.2. Empty if the server sends none. */
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
        return requireFields(message.subarray(HEAD_BYTES));
      case 'N':
        requireFields(message.subarray(HEAD_BYTES));
        // Copied, because the message is part of a larger read buffer, which it would keep in memory.
        this.notices.push(Buffer.from(message));
        return;
      case 'Z':
        this.transactionStatus = statusOf(message[HEAD_BYTES]);
    }
  }

  /** With SCRAM, requires the server's proof that it knows the password. An impostor would send no proof. */
  private noteAuthentication(kind: number): void {
    if (!SPOKEN.has(kind)) throw new TargetFault('NO_METHOD');
    if (kind === SASL) this.proofDue = true;
    if (kind === SASL_FINAL) this.proofDue = false;
    if (kind === AUTHENTICATION_OK && this.proofDue) throw new TargetFault('NOT_POSTGRES');
  }

  private noteSecretKey(key: Buffer): void {
    if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) throw new TargetFault('NOT_POSTGRES');
    // Copied, because the message is part of a larger read buffer.
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
