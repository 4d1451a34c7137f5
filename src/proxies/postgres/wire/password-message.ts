import { textAt } from './message';

/** Type `p` of PasswordMessage and of SASL responses. Only the preceding request shows which one it is. */
export const PASSWORD_TYPE = 'p'.charCodeAt(0);

/** Reads a clear-text password. Returns undefined if the body is not exactly one text. */
export function parsePassword(body: Buffer): string | undefined {
  const password = textAt(body, 0);
  return password?.end === body.length - 1 ? password.value : undefined;
}

export interface SaslInitialResponse {
  readonly mechanism: string;
  /** First data of the client; undefined if the client waits for a challenge first. */
  readonly data: Buffer | undefined;
}

/** Reads mechanism · NUL · length (int32, −1: no data) · data. Returns undefined for any other body. */
export function parseSaslInitialResponse(body: Buffer): SaslInitialResponse | undefined {
  const mechanism = textAt(body, 0);
  if (mechanism === undefined || mechanism.end + 5 > body.length) return undefined;
  const length = body.readInt32BE(mechanism.end + 1);
  const data = body.subarray(mechanism.end + 5);
  if (length === -1 && data.length === 0) return { mechanism: mechanism.value, data: undefined };
  return length === data.length ? { mechanism: mechanism.value, data } : undefined;
}
