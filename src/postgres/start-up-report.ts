import { TargetFault } from './postgres-faults';

const HEAD_BYTES = 5;
/** Kinds of Authentication: PostgreSQL documentation, "Message Formats". */
const AUTHENTICATION_OK = 0;
const SASL = 10;
const SASL_FINAL = 12;
/** Those, password, MD5 and the middle of SASL; not Kerberos, GSSAPI or SSPI. */
const SPOKEN = new Set([AUTHENTICATION_OK, 3, 5, SASL, 11, SASL_FINAL]);

/** `I` idle, `T` in a transaction, `E` in a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E';

/** What a server tells of the session that it begins. */
export class StartUpReport {
  /** The last ParameterStatus of each name. */
  readonly parameters = new Map<string, string>();
  /** NoticeResponse messages as they came, each with its head. */
  readonly notices: Buffer[] = [];
  /** Of BackendKeyData, as signed numbers; both 0 from a server that has none. */
  processId = 0;
  secretKey = 0;
  transactionStatus: TransactionStatus = 'I';
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
        this.secretKey = message.readInt32BE(HEAD_BYTES + 4);
        return;
      case 'E':
        return requireFields(message);
      case 'N':
        requireFields(message);
        // A copy: the message is a part of what was read at once, which would be held as a whole.
        this.notices.push(Buffer.from(message));
        return;
      case 'Z':
        this.transactionStatus = statusOf(message[HEAD_BYTES]);
    }
  }

  /** A server that was asked for SCRAM has to prove that it knows the password too, and an impostor would leave that out. */
  private noteAuthentication(kind: number): void {
    if (!SPOKEN.has(kind)) throw new TargetFault('NO_METHOD');
    if (kind === SASL) this.proofDue = true;
    if (kind === SASL_FINAL) this.proofDue = false;
    if (kind === AUTHENTICATION_OK && this.proofDue) throw new TargetFault('NOT_POSTGRES');
  }

  private noteParameter(message: Buffer): void {
    const [name, value] = message.toString('utf8', HEAD_BYTES).split('\0');
    if (name === undefined || value === undefined) throw new TargetFault('NOT_POSTGRES');
    this.parameters.set(name, value);
  }
}

function statusOf(byte: number | undefined): TransactionStatus {
  const status = String.fromCharCode(byte ?? 0);
  if (status !== 'I' && status !== 'T' && status !== 'E') throw new TargetFault('NOT_POSTGRES');
  return status;
}

/** Fields of a type and a text each, and a zero at the end; without it the driver would look for it for ever. */
function requireFields(message: Buffer): void {
  let at = HEAD_BYTES;
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1);
    at = end === -1 ? message.length : end + 1;
  }
  if (at >= message.length) throw new TargetFault('NOT_POSTGRES');
}
