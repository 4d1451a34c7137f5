import { Injectable } from '@nestjs/common';
import type { JudgedFor } from '../../gate/ports/guardrails';
import type { ParsedSql } from '../../languages/postgresql/facts/facts';
import { languageNamed } from '../../languages/languages';
import { targetKind } from '../../targets/kinds';
import { AnalysisTimeout } from '../analysis/analysis-errors';
import { AnalysisPool } from '../analysis/analysis-pool';

export type { ParsedSql, StatementFacts } from '../../languages/postgresql/facts/facts';

/** Exported service: finds what the statements of an input do, with the parser of the guardrail rules. */
@Injectable()
export class StatementReader {
  constructor(private readonly pool: AnalysisPool) {}

  /**
   * @param subtype subtype of the connection that the input is for
   * @returns undefined if inputs of this subtype have no SQL statements
   */
  async read(subtype: string, text: string, owner: JudgedFor): Promise<ParsedSql | undefined> {
    const language = targetKind(subtype)?.language ?? '';
    const reader = languageNamed(language);
    if (reader.parse === undefined || reader.facts !== 'sql') return undefined;
    if (reader.fitsInline?.(text) !== false) return reader.parse(text) as ParsedSql;
    try {
      return (await this.pool.run({ kind: 'facts', language, text }, owner)) as ParsedSql;
    } catch (error) {
      if (!(error instanceof AnalysisTimeout)) throw error;
      return { kind: 'unparseable', reason: 'it takes too long to parse' };
    }
  }
}
