/** Filter of the tables to list. The list is empty for any database other than the connection's own. */
export interface WantedTables {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
}

/** A column as the target's catalog describes it. */
export interface ListedColumn {
  readonly name: string;
  /** Name of the type, as the target writes it. */
  readonly type: string;
  readonly isRequired: boolean;
}

export interface ListedTable {
  readonly schema: string;
  /** Whether a table name without a schema refers to this schema. */
  readonly isInDefaultSchema: boolean;
  readonly name: string;
  readonly columns: readonly ListedColumn[];
}

/** Tables of a target, within the limits below. */
export interface ListedTables {
  readonly tables: readonly ListedTable[];
  /** Whether the target has more tables or columns than are listed. */
  readonly isCut: boolean;
}

export const MOST_TABLES = 1_000;
/** Maximum number of columns of all tables together. */
export const MOST_COLUMNS = 10_000;

/**
 * Lists the tables of one kind of target by a script, because a script is judged, recorded and screened like
 * everything else that reaches a target.
 */
export interface TableLister {
  /**
   * Returns a script that lists the tables that its database user may use, those of the default schema first.
   */
  script(wanted: WantedTables): string;
  /**
   * Reads the output of the script. Rules may have masked parts of it, so lines that do not fit are left out.
   */
  read(output: string): ListedTables;
}
