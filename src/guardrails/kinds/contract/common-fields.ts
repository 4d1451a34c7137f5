import type { EntryFields, ValuesOf } from './entry-fields';

export const ACTIONS = ['block', 'mask'] as const;
export const MAX_KEEP_LAST = 64;
export const MAX_POINTERS = 20;
const MAX_POINTER = 256;

/** Fields that entries of every kind may have: the name and the message of the entry. */
export const labelFields = {
  name: { form: 'text', description: 'Name of the entry.', minLength: 0, maxLength: 128, isName: true },
  message: { form: 'text', description: 'Text shown to the user when this entry is hit.', maxLength: 1024 },
} as const satisfies EntryFields;

/** Fields that entries of every kind may have: the action on each match. */
export const actionFields = {
  action: {
    form: 'choice',
    description:
      'Output only: `mask` replaces matches instead of stopping the stream. A mask does not keep data from a person who writes their own ' +
      'queries (encodings, one character in a row, counts): grants, views, `tables` entries and approvals do. Default: `block`.',
    choices: ACTIONS,
  },
  keep_last: {
    form: 'integer',
    description: 'With `mask`: number of characters at the end that stay readable. Default: 0.',
    min: 0,
    max: MAX_KEEP_LAST,
  },
} as const satisfies EntryFields;

/** Fields that entries of every kind may have: the parts of a call that the entry reads. */
export const scopeFields = {
  arguments: {
    form: 'texts',
    description:
      'Input only: the entry reads only these arguments of the calls of tools: JSON pointers (RFC 6901), where `*` stands for any name or index. ' +
      '`sql_statement` reads each text there as PostgreSQL. The entry has no effect on connections without calls, such as those to PostgreSQL. ' +
      'Default: everything that is called for; `sql_statement` reads each text that is valid SQL.',
    maxItems: MAX_POINTERS,
    maxLength: MAX_POINTER,
    example: ['/sql', '/queries/*'],
  },
} as const satisfies EntryFields;

export type CommonValues = ValuesOf<typeof labelFields> &
  ValuesOf<typeof actionFields> &
  ValuesOf<typeof scopeFields>;
