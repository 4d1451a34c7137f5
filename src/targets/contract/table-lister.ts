/** Filter of the tables to list. A connection leads to one database: for another one the list is empty. */
export interface WantedTables {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
}

/** A column as the target's catalog describes it. */
export interface ListedColumn {
  readonly name: string;
  /** In the words of the target. */
  readonly type: string;
  readonly isRequired: boolean;
}

export interface ListedTable {
  readonly schema: string;
  /** Whether a name without a schema means this one. */
  readonly isInDefaultSchema: boolean;
  readonly name: string;
  readonly columns: readonly ListedColumn[];
}

/** Tables of a target, within the limits below. */
export interface ListedTables {
  readonly tables: readonly ListedTable[];
  /** Whether there are more tables or columns. */
  readonly isCut: boolean;
}

export const MOST_TABLES = 1_000;
/** Limit for all tables together. */
export const MOST_COLUMNS = 10_000;

/**
 * Lists the tables of one kind of target by a script, because a script is judged, recorded and screened like
 * everything else that reaches a target.
 */
export interface TableLister {
  /** It lists tables that its login may use, those of the default schema first. */
  script(wanted: WantedTables): string;
  /**
   * Reads the output of the script. Rules may have masked parts of it, so lines that do not fit are left out.
   */
  read(output: string): ListedTables;
}
