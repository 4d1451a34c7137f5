import type { ParsedFileOperation } from './file-operation/facts';
import type { ParsedSql } from './postgresql/facts/facts';
import type { ParsedShell } from './shell/facts/facts';

/** Results of parsing an input, by the name of the facts. Each can also be `unparseable`. */
export interface ParsedInputs {
  readonly sql: ParsedSql;
  readonly shell: ParsedShell;
  readonly files: ParsedFileOperation;
}

export type FactsName = keyof ParsedInputs;

export type ParsedInput = ParsedInputs[FactsName];
