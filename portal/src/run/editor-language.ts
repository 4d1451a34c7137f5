import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { Compartment, EditorState, type Extension, type StateEffect } from '@codemirror/state';
import { type Tables, columnsInText, defaultSchemaOf, namespaceOf } from './completion';

/**
 * Maximum length, in characters, of a text that is parsed as SQL. Longer texts are plain text, because each
 * key press parses a string literal as a whole.
 */
const LONGEST_READ = 1_000_000;

/** Facts of the connection for an editor: whether it takes SQL, and its tables for completion. */
export interface Known {
  readonly isSql: boolean;
  readonly tables: Tables | undefined;
}

/** SQL support of an editor, with the tables of the connection for completion. */
export class EditorLanguage {
  private readonly place = new Compartment();
  private known: Known = { isSql: true, tables: undefined };

  /** @param length length of the text, in characters */
  of(length: number): Extension {
    return [
      this.place.of(this.read(length)),
      EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) =>
        docChanged && isRead(startState.doc.length) !== isRead(newDoc.length)
          ? { effects: this.place.reconfigure(this.read(newDoc.length)) }
          : null,
      ),
    ];
  }

  /** Sets the facts of the connection. Returns the effect that the editor has to dispatch. */
  learn(known: Known, length: number): StateEffect<unknown> {
    this.known = known;
    return this.place.reconfigure(this.read(length));
  }

  private read(length: number): Extension {
    const { isSql, tables } = this.known;
    return isSql && isRead(length) ? languageWith(tables) : [];
  }
}

const isRead = (length: number): boolean => length <= LONGEST_READ;

function languageWith(tables: Tables | undefined): Extension {
  const known = { dialect: PostgreSQL, upperCaseKeywords: true };
  if (tables === undefined) return sql(known);
  const defaultSchema = defaultSchemaOf(tables);
  return [
    sql({
      ...known,
      schema: namespaceOf(tables),
      ...(defaultSchema === undefined ? {} : { defaultSchema }),
    }),
    PostgreSQL.language.data.of({ autocomplete: columnsInText(tables) }),
  ];
}
