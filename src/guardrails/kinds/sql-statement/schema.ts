import { STATEMENT_KINDS } from '../../../languages/postgresql/facts/statement-kinds';
import type { EntryFields, ValuesOf } from '../contract/entry-fields';

const MAX_NAME = 255;
/** Maximum number of tables. More do not fit into the 64 KiB that a rule may have. */
const MAX_TABLES = 2_500;

export const TABLE_ACCESS = ['read', 'write', 'any'] as const;
export type TableAccess = (typeof TABLE_ACCESS)[number];
export const UNPARSEABLE = ['refuse', 'allow'] as const;

export const statementFields = {
  kinds: {
    form: 'choices',
    description: 'kinds of statements that are denied, wherever in the text they stand.',
    choices: STATEMENT_KINDS,
  },
  without_where: { form: 'flag', description: 'deny UPDATE and DELETE without WHERE.' },
  tables: {
    form: 'objects',
    description: 'tables that are denied.',
    schemaName: 'TableConditionBody',
    maxItems: MAX_TABLES,
    fields: {
      name: {
        form: 'text',
        description: '`table` or `schema.table`, as SQL writes it.',
        minLength: 1,
        maxLength: MAX_NAME,
      },
      access: { form: 'choice', description: 'Which access is denied.', choices: TABLE_ACCESS },
    },
  },
  functions: {
    form: 'texts',
    description: 'functions that are denied, as `function` or `schema.function`.',
    maxLength: MAX_NAME,
  },
  unparseable: {
    form: 'choice',
    description: 'what becomes of a text that cannot be parsed or hides its effect. `refuse` unless given.',
    choices: UNPARSEABLE,
  },
} as const satisfies EntryFields;

/** Values of a `sql_statement` entry. */
export type StatementValues = ValuesOf<typeof statementFields>;
