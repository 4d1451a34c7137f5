import type { MoneyStyle } from './numbers';

/** A type of the target. */
export interface TypeEntry {
  readonly name: string;
  /** Internal name of the function that makes the binary form. It does not depend on the SQL name. */
  readonly send: string;
  /** Separator between its values in an array. */
  readonly delimiter: string;
  /** Object id of the type it contains: elements, bounds of a range, ranges of a multirange. */
  readonly of?: number;
  /** Object ids of the types of the fields of a composite type. */
  readonly fields?: readonly number[];
}

/** The types of a target, by object id. */
export interface TypeTable {
  find(oid: number): TypeEntry | undefined;
  /** The target's format of money; undefined if the samples that it printed could not be parsed. */
  readonly money: MoneyStyle | undefined;
}
