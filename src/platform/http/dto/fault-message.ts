/** Maximum number of faults in a message. Otherwise the message could become as large as the request body. */
export const MAX_FAULTS = 10;
const MAX_MESSAGE_BYTES = 2_000;
const MAX_NAME = 64;

/**
 * A name from the caller, in a form that is safe in a message: short, and
 * without characters that change how it is displayed.
 */
export function quotedName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
  return plain.length <= MAX_NAME ? plain : `${plain.slice(0, MAX_NAME).toWellFormed()}…`;
}

/** Returns one sentence with the first ten faults and the number of the others. */
export function faultSentence(faults: readonly string[], total = faults.length): string {
  const named = faults.slice(0, MAX_FAULTS);
  const others = total - named.length;
  return bounded([...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; '));
}

/** Cuts a message to less than 2 kB of UTF-8. */
export function bounded(message: string): string {
  if (Buffer.byteLength(message) < MAX_MESSAGE_BYTES) return message;
  const cut = Buffer.from(message.slice(0, MAX_MESSAGE_BYTES)).subarray(0, MAX_MESSAGE_BYTES - 10);
  return `${new TextDecoder('utf-8').decode(cut).replace(/\u{FFFD}+$/u, '')}…`;
}
