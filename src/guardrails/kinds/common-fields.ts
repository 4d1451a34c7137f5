import type { EntryFields, ValuesOf } from './entry-fields';

export const ACTIONS = ['block', 'mask'] as const;
export const MAX_KEEP_LAST = 64;

/** Fields that entries of every kind may have: what the entry is called and says. */
export const labelFields = {
  name: { form: 'text', description: 'Name of the entry.', minLength: 0, maxLength: 128, isName: true },
  message: { form: 'text', description: 'Text shown to the user when this entry is hit.', maxLength: 1024 },
} as const satisfies EntryFields;

/** Fields that entries of every kind may have: what becomes of what the entry finds. */
export const actionFields = {
  action: {
    form: 'choice',
    description: 'Output only: `mask` replaces matches instead of stopping the stream. Default: `block`.',
    choices: ACTIONS,
  },
  keep_last: {
    form: 'integer',
    description: 'With `mask`: number of characters at the end that stay readable. Default: 0.',
    min: 0,
    max: MAX_KEEP_LAST,
  },
} as const satisfies EntryFields;

export type CommonValues = ValuesOf<typeof labelFields> & ValuesOf<typeof actionFields>;
