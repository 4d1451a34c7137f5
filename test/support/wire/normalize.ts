import type { WireMessage } from './messages';

const KEY_DATA = 'K';
const NOTIFICATION = 'A';
const ERROR = 'E';
const PID_BYTES = 4;

/**
 * The place in the server's source at which an error was raised, if it was in the handling of Bind, Describe
 * or Execute: when rules read binary values the gateway sends a Describe first, and the same fault is found
 * there.
 */
const PLACE = /\0L\d+\0Rexec_(?:bind|execute|describe_portal|describe_statement)_message\0/;

/**
 * The same where a table is missing, or the transaction is aborted: before a COPY in binary form the gateway
 * asks for its columns.
 */
const PLACE_OF_MISSING = /(\0C(?:42P01|25P02)\0.*?)\0F[^\0]*\0L\d+\0R[^\0]*\0/s;
/** Data of COPY that are in no binary form are refused by the gateway in words of its own. */
const MALFORMED_COPY = /\0C22P04\0.*/s;

function withoutPlace(body: Buffer): Buffer {
  const text = body.toString('latin1').replace(PLACE_OF_MISSING, '$1\0').replace(PLACE, '\0');
  return Buffer.from(text.replace(MALFORMED_COPY, '\0C22P04\0'), 'latin1');
}

/** The message without what differs by its nature: keys of the connection, and who sent a notification. */
export function normalized(message: WireMessage): WireMessage {
  if (message.type === KEY_DATA) return { type: KEY_DATA, body: Buffer.alloc(0) };
  if (message.type === ERROR) return { type: ERROR, body: withoutPlace(message.body) };
  if (message.type !== NOTIFICATION) return message;
  const body = Buffer.from(message.body);
  body.fill(0, 0, PID_BYTES);
  return { type: NOTIFICATION, body };
}

const CONSTRAINT = /\0C23\d{3}\0/;

/**
 * Data of COPY with two faults, a row that breaks a constraint and bytes in no
 * binary form: the server names the one that comes first, the gateway the one that
 * keeps it from applying rules. Both refuse the whole COPY.
 */
export function isOtherFaultOfCopy(direct: WireMessage, through: WireMessage): boolean {
  const errors = [direct, through].map(({ type, body }) => (type === ERROR ? body.toString('latin1') : ''));
  return CONSTRAINT.test(errors[0] ?? '') && MALFORMED_COPY.test(errors[1] ?? '');
}

/** For people: the type and the readable part of the body. */
export function shown(message: WireMessage | undefined): string {
  if (message === undefined) return '(nothing)';
  const text = message.body.toString('utf8').replace(/[^\x20-\x7e]+/g, '·');
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return `${message.type}[${message.body.length}] ${cut}`;
}
