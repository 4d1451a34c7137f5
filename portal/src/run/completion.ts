import { type Completion, type CompletionSource, ifNotIn } from '@codemirror/autocomplete';
import type { SQLNamespace } from '@codemirror/lang-sql';
import type { components } from '../api/schema';
import { withNames } from '../parts/hidden-characters';

export type Tables = components['schemas']['TablesView'];
type Schema = Tables['schemas'][number];
type Column = Schema['table_columns'][number]['columns'][number];

/**
 * Words that need quotes when they are used as names. PostgreSQL documentation, appendix C: "reserved" and
 * "reserved (can be function or type)".
 */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently
  constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default
  deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect
  into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
  overlaps placing primary references returning right select session_user similar some symmetric system_user table tablesample then to
  trailing true union unique user using variadic verbose when where window with`.split(/\s+/),
);

/** Maximum length of a text that is searched for table names, because each key press searches it. */
const LONGEST_SEARCHED = 100_000;

/** Returns a name as SQL, in quotes where it needs them. */
export function identifierOf(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function completionOf(name: string, type: 'namespace' | 'type' | 'property', detail?: string): Completion {
  return {
    label: name,
    displayLabel: withNames(name),
    apply: identifierOf(name),
    type,
    // Screen readers need the space to separate the detail from the name.
    ...(detail === undefined ? {} : { detail: ` ${withNames(detail)}` }),
  };
}

const columnsOf = (columns: readonly Column[], table?: string): Completion[] =>
  columns.map(({ column_name: name, column_type: of }) =>
    completionOf(name, 'property', table === undefined ? of : `${table} · ${of}`),
  );

/** Escapes dots, because the library separates a schema from a table by a dot. */
const escaped = (name: string): string => name.replaceAll('.', '\\.');

/**
 * Whether completion offers a name. Names with a quote are not offered, because the library does not escape
 * the quote when it completes a quoted name.
 */
const isOffered = (name: string): boolean => !name.includes('"');

/** Schemas with their tables and columns, for `lang-sql`. */
export function namespaceOf({ schemas }: Tables): SQLNamespace {
  return Object.fromEntries(
    schemas
      .filter(({ name }) => isOffered(name))
      .map(({ name, table_columns: tables }) => {
        const children = tables
          .filter(({ table }) => isOffered(table))
          .map(({ table, columns }) => {
            const offered = columns.filter(({ column_name: column }) => isOffered(column));
            return [escaped(table), { self: completionOf(table, 'type'), children: columnsOf(offered) }];
          });
        return [
          escaped(name),
          { self: completionOf(name, 'namespace'), children: Object.fromEntries(children) },
        ];
      }),
  );
}

/** Returns the schema that applies to table names without a schema. */
export function defaultSchemaOf({ schemas }: Tables): string | undefined {
  return schemas.find(({ is_default: isDefault }) => isDefault)?.name;
}

/** Syntax nodes in which `lang-sql` completes no names. */
const ELSEWHERE = ['QuotedIdentifier', 'String', 'LineComment', 'BlockComment', '.'];
const WORD = /[\p{L}\p{N}_$]*/u;
const AFTER_DOT = /\.[\p{L}\p{N}_$]*/u;
const NAMES = /"((?:[^"]|"")+)"|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * Completes columns of all tables whose names occur in the text. Offers nothing after a dot, because the
 * library then completes the columns of the table before the dot.
 */
export function columnsInText({ schemas }: Tables): CompletionSource {
  const tables = schemas.flatMap((schema) => schema.table_columns);
  return ifNotIn(ELSEWHERE, (context) => {
    const { doc } = context.state;
    const word = context.matchBefore(WORD);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    if (doc.length > LONGEST_SEARCHED || context.matchBefore(AFTER_DOT) !== null) return null;
    const named = new Set(
      Array.from(doc.toString().matchAll(NAMES), ([text, quoted]) =>
        quoted === undefined ? text.toLowerCase() : quoted.replaceAll('""', '"'),
      ),
    );
    const options = tables
      .filter(({ table }) => named.has(table))
      .flatMap(({ table, columns }) => columnsOf(columns, table));
    return options.length === 0 ? null : { from: word.from, options, validFor: /^[\p{L}\p{N}_$]*$/u };
  });
}
