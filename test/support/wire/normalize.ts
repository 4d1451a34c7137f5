import type { WireMessage } from './messages';

const KEY_DATA = 'K';
const NOTIFICATION = 'A';
const PID_BYTES = 4;

/** The message without what differs by its nature: keys of the connection, and who sent a notification. */
export function normalized(message: WireMessage): WireMessage {
  if (message.type === KEY_DATA) return { type: KEY_DATA, body: Buffer.alloc(0) };
  if (message.type !== NOTIFICATION) return message;
  const body = Buffer.from(message.body);
  body.fill(0, 0, PID_BYTES);
  return { type: NOTIFICATION, body };
}

/** For people: the type and the readable part of the body. */
export function shown(message: WireMessage | undefined): string {
  if (message === undefined) return '(nothing)';
  const text = message.body.toString('utf8').replace(/[^\x20-\x7e]+/g, '·');
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return `${message.type}[${message.body.length}] ${cut}`;
}
