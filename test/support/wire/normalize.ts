import type { WireMessage } from './messages';

const KEY_DATA = 'K';
const NOTIFICATION = 'A';
const ERROR = 'E';
const PID_BYTES = 4;

/**
 * Source line and routine of an error that the server found in Bind, Describe or Execute. They may differ
 * through the gateway: if rules read binary values, the gateway sends a Describe first, and the server
 * reports the error in that message.
 */
const PLACE = /\0L\d+\0Rexec_(?:bind|execute|describe_portal|describe_statement)_message\0/;

/**
 * Source position of an error about a missing table or an aborted transaction. It may differ, because the
 * gateway queries the columns from the server before a COPY in binary form.
 */
const PLACE_OF_MISSING = /(\0C(?:42P01|25P02)\0.*?)\0F[^\0]*\0L\d+\0R[^\0]*\0/s;
/** Error about malformed binary COPY data. The gateway uses its own message for it. */
const MALFORMED_COPY = /\0C22P04\0.*/s;

function withoutPlace(body: Buffer): Buffer {
  const text = body.toString('latin1').replace(PLACE_OF_MISSING, '$1\0').replace(PLACE, '\0');
  return Buffer.from(text.replace(MALFORMED_COPY, '\0C22P04\0'), 'latin1');
}

/** Returns the message without parts that may differ: keys, process ids, and positions of errors. */
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
 * Whether the COPY data has two faults, and each answer reports a different one. The server reports the first
 * fault, a row that breaks a constraint. The gateway reports malformed binary data, because it cannot apply
 * rules to it.
 */
export function isOtherFaultOfCopy(direct: WireMessage, through: WireMessage): boolean {
  const errors = [direct, through].map(({ type, body }) => (type === ERROR ? body.toString('latin1') : ''));
  return CONSTRAINT.test(errors[0] ?? '') && MALFORMED_COPY.test(errors[1] ?? '');
}

/** Formats a message for people: the type and the readable part of the body. */
export function shown(message: WireMessage | undefined): string {
  if (message === undefined) return '(nothing)';
  const text = message.body.toString('utf8').replace(/[^\x20-\x7e]+/g, '·');
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return `${message.type}[${message.body.length}] ${cut}`;
}
