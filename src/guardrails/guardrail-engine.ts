import { LRUCache } from 'lru-cache';
import {
  BrokenRule,
  type Direction,
  type Finding,
  type GuardrailSet,
  type OutputScreen,
  type Verdict,
} from '../gate/ports/guardrails';
import type { AnalysisPool } from './analysis-pool';
import { type CompiledEntry, EntryFault, type TextTest, compileRule } from './compile-entry';
import { findingsOf } from './findings';
import type { RuleDefinition } from './rule-entry';
import { findInStatements } from './statement-search';
import type { StatementCondition } from './statement-condition';
import { StreamScreen } from './stream-screen';
import { TextSearch } from './text-search';

/** Decisions are remembered for texts of up to this length, and for so many characters altogether. */
const REMEMBERED_TEXT = 16 * 1024;
const REMEMBERED = 4 * 1024 * 1024;
const PASS: Verdict = { kind: 'pass' };

type StatementEntry = CompiledEntry<{ kind: 'statement'; condition: StatementCondition }>;

/** Everything one entry finds in a text. */
export interface EntryFindings {
  readonly entry: CompiledEntry;
  readonly findings: readonly Finding[];
}

/** The rules of one target, compiled into one machine for each direction. */
export class GuardrailEngine implements GuardrailSet {
  private readonly input: readonly CompiledEntry[];
  private readonly statements: readonly StatementEntry[];
  private readonly inputSearch: TextSearch;
  private readonly outputSearch: TextSearch;
  private readonly decisions = new LRUCache<string, Verdict>({
    maxSize: REMEMBERED,
    maxEntrySize: REMEMBERED_TEXT,
    sizeCalculation: (verdict, text) =>
      text.length + 200 + (verdict.kind === 'block' ? 300 * verdict.hit.findings.length : 0),
  });

  /**
   * @param isSql whether input is PostgreSQL's SQL: only then statement entries have a say.
   * @throws BrokenRule
   */
  constructor(
    rules: readonly RuleDefinition[],
    private readonly isSql: boolean,
    private readonly pool: Pick<AnalysisPool, 'run'>,
  ) {
    this.input = entriesOf(rules, 'input');
    this.statements = isSql ? this.input.filter(isStatementEntry) : [];
    this.inputSearch = new TextSearch(this.input.filter(isTextEntry), pool);
    this.outputSearch = new TextSearch(entriesOf(rules, 'output').filter(isTextEntry), pool);
  }

  async judge(text: string): Promise<Verdict> {
    const known = this.decisions.get(text);
    if (known !== undefined) return known;
    const [first] = await this.inspect(text);
    const verdict: Verdict =
      first === undefined ? PASS : { kind: 'block', hit: first.entry.hit(first.findings) };
    this.decisions.set(text, verdict);
    return verdict;
  }

  openScreen(): OutputScreen {
    return new StreamScreen(this.outputSearch);
  }

  /** What each entry finds in an input, in the order of the rules. */
  async inspect(text: string): Promise<EntryFindings[]> {
    const inText = await this.inspectText(this.inputSearch, text);
    const inStatements = await this.inspectStatements(text);
    return [...inText, ...inStatements].sort(
      (a, b) => this.input.indexOf(a.entry) - this.input.indexOf(b.entry),
    );
  }

  /** What each entry finds in an output that is there as a whole, masks and blocks alike. */
  async inspectOutput(text: string): Promise<EntryFindings[]> {
    return this.inspectText(this.outputSearch, text, { as: 'stream', from: 0 });
  }

  private async inspectText(
    search: TextSearch,
    text: string,
    look: Parameters<TextSearch['find']>[1] = { as: 'input', isSql: this.isSql },
  ): Promise<EntryFindings[]> {
    const found = await search.find(text, look);
    if (found.length === 0) return [];
    return search.entries.flatMap((entry, test) => {
      const occurrences = found.filter((occurrence) => occurrence.test === test);
      return occurrences.length === 0 ? [] : [{ entry, findings: findingsOf(occurrences, text) }];
    });
  }

  private async inspectStatements(text: string): Promise<EntryFindings[]> {
    if (this.statements.length === 0) return [];
    const conditions = this.statements.map((entry) => entry.test.condition);
    const found = await findInStatements(text, conditions, this.pool);
    return this.statements.flatMap((entry, index) => {
      const findings = found[index] ?? [];
      return findings.length === 0 ? [] : [{ entry, findings }];
    });
  }
}

function entriesOf(rules: readonly RuleDefinition[], direction: Direction): CompiledEntry[] {
  try {
    return rules.flatMap((rule) => compileRule(rule, direction));
  } catch (error) {
    if (error instanceof EntryFault) throw new BrokenRule(error.hit);
    throw error;
  }
}

function isTextEntry(entry: CompiledEntry): entry is CompiledEntry<TextTest> {
  return entry.test.kind !== 'statement';
}

function isStatementEntry(entry: CompiledEntry): entry is StatementEntry {
  return entry.test.kind === 'statement';
}
