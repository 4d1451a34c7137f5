import type { MoneyStyle } from './numbers';

/** What the gateway knows of a type of the target. */
export interface TypeEntry {
  readonly name: string;
  /** The function that makes its binary form: the name of its code, which is the same under every name in SQL. */
  readonly send: string;
  /** Between its values in an array. */
  readonly delimiter: string;
  /** Object id of what its values are made of: elements, bounds of a range, ranges of a multirange. */
  readonly of?: number;
}

/** What a target tells of its types, by object id. */
export interface TypeTable {
  find(oid: number): TypeEntry | undefined;
  /** How it writes money; undefined where its samples could not be read. */
  readonly money: MoneyStyle | undefined;
}
