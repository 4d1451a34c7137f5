import { texts } from '../texts';

/**
 * Characters of the longest texts that the gateway takes, for fields of many
 * lines and those into which one pastes.
 */
export const LONGEST = {
  rejectionReason: 2_500,
  forceReason: 2_500,
  note: 2_500,
  webhookDescription: 4_096,
  webhookSecret: 128,
  userSearch: 128,
  clientUser: 256,
} as const;

/**
 * Properties of a field for a text that may be too long: the field shows by how much, and keeps all of it.
 * With `maxLength`, a browser cuts pasted text without a message.
 */
export function withLimit(text: string, most: number) {
  return {
    error: text.length > most ? texts.editing.tooLong(text.length, most) : undefined,
    errorProps: { role: 'alert' },
  };
}
