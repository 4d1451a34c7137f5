import { texts } from '../texts';

/**
 * Maximum lengths of texts at the gateway, in characters, for multi-line fields and fields for pasted text.
 */
export const LONGEST = {
  rejectionReason: 2_500,
  forceReason: 2_500,
  note: 2_500,
  webhookDescription: 4_096,
  webhookSecret: 128,
  userSearch: 128,
  owner: 256,
  sshPublicKey: 20_000,
} as const;

/**
 * Properties of a field for a text that may be too long. The field keeps the whole text and shows an error
 * with its length. With `maxLength`, a browser would cut pasted text without a message.
 */
export function withLimit(text: string, most: number) {
  return {
    error: text.length > most ? texts.editing.tooLong(text.length, most) : undefined,
    errorProps: { role: 'alert' },
  };
}
