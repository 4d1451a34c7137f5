import { CompletionContext } from '@codemirror/autocomplete';
import { PostgreSQL, schemaCompletionSource } from '@codemirror/lang-sql';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import {
  type Tables,
  columnsInText,
  defaultSchemaOf,
  identifierOf,
  namespaceOf,
} from '../../portal/src/run/completion';

const column = (column_name: string, column_type = 'text') => ({ column_name, column_type, not_null: false });
const table = (name: string, ...columns: string[]) => ({
  table: name,
  columns: columns.map((each) => column(each)),
});
const schema = (name: string, is_default: boolean, ...tables: ReturnType<typeof table>[]) => ({
  name,
  is_default,
  tables: tables.map((each) => each.table),
  table_columns: tables,
});

const HOSTILE = 'a"; DROP TABLE x; --';
const TABLES: Tables = {
  schemas: [
    schema(
      'public',
      true,
      table('customers', 'id', 'email'),
      table('order', 'at'),
      table('Shelf', 'what is it'),
      table(HOSTILE, 'x'),
      table('turned\u202Eround', 'y'),
      table('__proto__', 'z'),
      table('self', 'w'),
    ),
    schema('with.dot', false, table('in.side', 'deep')),
  ],
  truncated: false,
  session_id: '',
};

/** Returns the editor state with its whole syntax tree, which an editor computes later, while it is idle. */
function parsed(state: EditorState): EditorState {
  expect(ensureSyntaxTree(state, state.doc.length, 60_000)).not.toBeNull();
  const { state: whole } = state.update({});
  expect(syntaxTree(whole).length).toBe(state.doc.length);
  return whole;
}

async function offered(text: string, by: 'schema' | 'text') {
  const state = parsed(EditorState.create({ doc: text, extensions: [PostgreSQL] }));
  const defaultSchema = defaultSchemaOf(TABLES) ?? '';
  const source =
    by === 'text'
      ? columnsInText(TABLES)
      : schemaCompletionSource({ dialect: PostgreSQL, schema: namespaceOf(TABLES), defaultSchema });
  const result = await source(new CompletionContext(state, text.length, false));
  return result?.options ?? [];
}
const labels = async (text: string, by: 'schema' | 'text' = 'schema') =>
  (await offered(text, by)).map(({ label }) => label);

describe('completion of SQL', () => {
  it('offers schemas, the tables of the default schema, and columns after a table', async () => {
    expect(await labels('SELECT * FROM c')).toEqual(
      expect.arrayContaining(['public', 'with.dot', 'customers', 'order', 'Shelf', '__proto__', 'self']),
    );
    expect(await labels('SELECT customers.e')).toEqual(['id', 'email']);
    expect(await labels('SELECT public.customers.e')).toEqual(['id', 'email']);
    expect(await labels('SELECT * FROM "with.dot".i')).toEqual(['in.side']);
    expect(await labels('SELECT "with.dot"."in.side".d')).toEqual(['deep']);
    expect(await labels('SELECT c.e FROM customers AS c WHERE c.e')).toEqual(['id', 'email']);
  });

  it('offers columns of tables that the text names', async () => {
    expect(await labels('SELECT * FROM customers WHERE e', 'text')).toEqual(['id', 'email']);
    expect(await labels('SELECT * FROM "Shelf", CUSTOMERS WHERE w', 'text')).toEqual([
      'id',
      'email',
      'what is it',
    ]);
    expect(await labels('SELECT * FROM shelf WHERE w', 'text')).toEqual([]);
    expect(await labels('SELECT customers.e', 'text')).toEqual([]);
  });

  it('writes names as SQL reads them, and shows what is hidden in them', async () => {
    expect(['a1', 'order', 'Shelf', 'what is it', 'größe', HOSTILE].map(identifierOf)).toEqual([
      'a1',
      '"order"',
      '"Shelf"',
      '"what is it"',
      '"größe"',
      '"a""; DROP TABLE x; --"',
    ]);
    const tables = await offered('SELECT * FROM c', 'schema');
    const turned = tables.find(({ label }) => label.includes('\u202E'));
    expect(turned).toMatchObject({
      displayLabel: 'turnedU+202Eround',
      apply: '"turned\u202Eround"',
    });
    // If the person has typed the opening quote, no offered name contains a quote, which would end the name.
    for (const { label } of await offered('SELECT * FROM "a', 'schema'))
      expect(label.slice(1, -1)).not.toContain('"');
  });
});
