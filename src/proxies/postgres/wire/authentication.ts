import { int32, message, text } from './message';

/** Creates AuthenticationOk. Source of this file's messages: PostgreSQL documentation, "Message Formats". */
export function authenticationOk(): Buffer {
  return message('R', int32(0));
}

export function authenticationCleartextPassword(): Buffer {
  return message('R', int32(3));
}

export function authenticationSasl(mechanisms: readonly string[]): Buffer {
  return message('R', int32(10), ...mechanisms.map(text), text(''));
}

export function authenticationSaslContinue(data: string): Buffer {
  return message('R', int32(11), Buffer.from(data));
}

export function authenticationSaslFinal(data: string): Buffer {
  return message('R', int32(12), Buffer.from(data));
}
