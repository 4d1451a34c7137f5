import { textAt } from './message';

/**
 * PasswordMessage and the SASL responses share the type `p`; only the preceding request distinguishes them.
 */
export const PASSWORD_TYPE = 'p'.charCodeAt(0);

/** A clear-text password; undefined when the body is not exactly one text. */
export function parsePassword(body: Buffer): string | undefined {
  const password = textAt(body, 0);
  return password?.end === body.length - 1 ? password.value : undefined;
}

export interface SaslInitialResponse {
  readonly mechanism: string;
  /** undefined when the client waits for a challenge first. */
  readonly data: Buffer | undefined;
}

/** Mechanism · NUL · length (int32, −1: none) · data; undefined when the body is not exactly that. */
export function parseSaslInitialResponse(body: Buffer): SaslInitialResponse | undefined {
  const mechanism = textAt(body, 0);
  if (mechanism === undefined || mechanism.end + 5 > body.length) return undefined;
  const length = body.readInt32BE(mechanism.end + 1);
  const data = body.subarray(mechanism.end + 5);
  if (length === -1 && data.length === 0) return { mechanism: mechanism.value, data: undefined };
  return length === data.length ? { mechanism: mechanism.value, data } : undefined;
}
