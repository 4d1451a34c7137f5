import { LRUCache } from 'lru-cache';
import {
  type AskCatalog,
  BrokenRule,
  type Direction,
  type Finding,
  type GuardrailSet,
  type JudgedFor,
  type JudgedAs,
  type OutputScreen,
  type Verdict,
} from '../../gate/ports/guardrails';
import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import { LongText, type Text } from '../../kernel/text/long-text';
import type { Language } from '../../languages/language';
import { hasArguments, readsFacts } from '../entries/entries-without-effect';
import { plainText } from '../../languages/plain';
import type { Place } from '../../languages/tool-call/json-leaves';
import type { SearchMode } from '../analysis/analysis';
import type { AnalysisPool } from '../analysis/analysis-pool';
import { type CompiledEntry, EntryFault, compileRule } from '../entries/compile-entry';
import { findingsOf } from '../analysis/findings';
import type { RuleDefinition } from '../entries/rule-entry';
import { findInStatements, mayAskCatalog } from './statement-search';
import type { StatementTest, TextTest } from '../kinds/contract/kind';
import { LineScreen } from './line-screen';
import { TextSearch } from './text-search';

/** Maximum length of a text whose verdict is cached, and size of the cache in characters. */
const REMEMBERED_TEXT = 16 * 1024;
const REMEMBERED = 4 * 1024 * 1024;
/**
 * Size in characters of the cache for values, such as bound parameters. This cache is smaller, because nearly
 * every value is new.
 */
const REMEMBERED_VALUES = 512 * 1024;
const PASS: Verdict = { kind: 'pass' };

type StatementEntry = CompiledEntry<StatementTest>;

/** Everything one entry finds in a text. */
export interface EntryFindings {
  readonly entry: CompiledEntry;
  readonly findings: readonly Finding[];
}

/** The rules of one target, compiled into one search for each direction. */
export class GuardrailEngine implements GuardrailSet {
  private readonly input: readonly CompiledEntry[];
  private readonly statements: readonly StatementEntry[];
  private readonly statementsAlongside: readonly StatementEntry[];
  private readonly inputSearch: TextSearch;
  /** Entries that read only some arguments of a tool call, grouped by these arguments. */
  private readonly scoped: readonly { readonly places: readonly Place[]; readonly search: TextSearch }[];
  private readonly outputSearch: TextSearch;
  private readonly decisions: Readonly<Record<'input' | 'value', LRUCache<string, Decision>>> = {
    input: decisionsUpTo(REMEMBERED),
    value: decisionsUpTo(REMEMBERED_VALUES),
  };

  /**
   * @param language the language of inputs. Statement entries apply only if it has the facts that they read.
   * Entries that name arguments apply only if its inputs have arguments.
   * @throws BrokenRule
   */
  constructor(
    rules: readonly RuleDefinition[],
    private readonly language: Language,
    private readonly pool: Pick<AnalysisPool, 'run'>,
  ) {
    this.input = entriesOf(rules, 'input').filter(
      ({ places }) => places === undefined || hasArguments(language),
    );
    const statements = this.input.filter(isStatementEntry);
    const { alongside } = language;
    this.statements = statements.filter(({ type }) => readsFacts(type, language));
    this.statementsAlongside = statements.filter(
      ({ type }) => alongside !== undefined && readsFacts(type, alongside),
    );
    const texts = this.input.filter(isTextEntry);
    this.inputSearch = new TextSearch(
      texts.filter(({ places }) => places === undefined),
      pool,
    );
    this.scoped = scopesOf(texts).map(({ places, entries }) => ({
      places,
      search: new TextSearch(entries, pool),
    }));
    this.outputSearch = new TextSearch(entriesOf(rules, 'output').filter(isTextEntry), pool);
  }

  get judgesInput(): boolean {
    return this.input.length > 0;
  }

  get screensOutput(): boolean {
    return this.outputSearch.entries.length > 0;
  }

  judge(
    text: Text,
    as: JudgedAs = 'input',
    known: readonly string[] = [],
    ask?: AskCatalog,
    owner?: JudgedFor,
  ): MaybePromise<Verdict> {
    if (as === 'alongside') return thenMaybe(this.inspectAlongside(text, owner), verdictOf);
    const inspect = (): MaybePromise<EntryFindings[]> =>
      as === 'input' ? this.inspect(text, known, ask, owner) : this.inspectValue(text, owner);
    if (text instanceof LongText) return thenMaybe(inspect(), verdictOf);
    // The verdict is not cached, because it also depends on the objects of the session (`known`).
    if (known.length > 0) return thenMaybe(this.inspect(text, known, ask, owner), verdictOf);
    // The prefilter is faster than the cache for most values, because they are many and nearly all new.
    if (as === 'value' && !this.inputSearch.mayHoldInText(text)) return PASS;
    const decisions = this.decisions[as];
    const before = decisions.get(text);
    const mayAsk = ask !== undefined && as === 'input' && (before?.mayAsk ?? mayAskCatalog(text));
    // The verdict is not cached, because it also depends on the catalog of the target.
    if (mayAsk) return thenMaybe(this.inspect(text, known, ask, owner), verdictOf);
    if (before !== undefined) return before.verdict;
    return thenMaybe(inspect(), (found) => {
      const verdict = verdictOf(found);
      decisions.set(text, { verdict, mayAsk: as === 'input' && mayAskCatalog(text) });
      return verdict;
    });
  }

  mayTouch(lines: Buffer): boolean {
    return this.outputSearch.touchedLines(lines).length > 0;
  }

  openScreen(owner?: JudgedFor, before = ''): OutputScreen {
    return new LineScreen(this.outputSearch, owner, before);
  }

  /** Returns the findings of each entry in an input, in the order of the rules. */
  inspect(
    text: Text,
    known: readonly string[] = [],
    ask?: AskCatalog,
    owner?: JudgedFor,
  ): MaybePromise<EntryFindings[]> {
    return thenMaybe(this.inspectTexts(text, 0, [], owner), (inText) =>
      thenMaybe(this.inspectStatements(text, known, ask, owner), (inStatements) =>
        [...inText, ...inStatements].sort(
          (a, b) => this.input.indexOf(a.entry) - this.input.indexOf(b.entry),
        ),
      ),
    );
  }

  /** Returns the findings of each entry in a complete output, for both masking and blocking entries. */
  inspectOutput(text: string, owner?: JudgedFor): MaybePromise<EntryFindings[]> {
    return inspectText(this.outputSearch, text, { as: 'stream', from: 0 }, owner);
  }

  /** Returns the findings of the text entries in a value, in the order of the rules. */
  private inspectValue(text: Text, owner: JudgedFor | undefined): MaybePromise<EntryFindings[]> {
    return inspectText(this.inputSearch, text, { as: 'input', language: plainText.name }, owner);
  }

  /**
   * Returns the findings of the text entries: first of entries that read the whole input, then of entries
   * that read only some arguments.
   */
  private inspectTexts(
    text: Text,
    from: number,
    found: EntryFindings[],
    owner: JudgedFor | undefined,
  ): MaybePromise<EntryFindings[]> {
    const scope = from === 0 ? { search: this.inputSearch, places: undefined } : this.scoped[from - 1];
    if (scope === undefined) return found;
    const look = { as: 'input', language: this.language.name, places: scope.places } as const;
    return thenMaybe(inspectText(scope.search, text, look, owner), (more) =>
      this.inspectTexts(text, from + 1, [...found, ...more], owner),
    );
  }

  private inspectStatements(
    text: Text,
    known: readonly string[],
    ask: AskCatalog | undefined,
    owner: JudgedFor | undefined,
  ): MaybePromise<EntryFindings[]> {
    const { statements } = this;
    if (statements.length === 0) return [];
    const tests = statements.map((entry) => entry.test);
    return thenMaybe(findInStatements(this.language, text, tests, this.pool, known, ask, owner), (found) =>
      withFindings(statements, found),
    );
  }

  /** Returns the findings of each statement entry in an input of the language alongside. */
  private inspectAlongside(text: Text, owner: JudgedFor | undefined): MaybePromise<EntryFindings[]> {
    const statements = this.statementsAlongside;
    const { alongside } = this.language;
    if (statements.length === 0 || alongside === undefined) return [];
    const tests = statements.map((entry) => entry.test);
    return thenMaybe(findInStatements(alongside, text, tests, this.pool, [], undefined, owner), (found) =>
      withFindings(statements, found),
    );
  }
}

function withFindings(statements: readonly StatementEntry[], found: readonly Finding[][]): EntryFindings[] {
  return statements.flatMap((entry, index) => {
    const findings = found[index] ?? [];
    return findings.length === 0 ? [] : [{ entry, findings }];
  });
}

function verdictOf([first]: readonly EntryFindings[]): Verdict {
  return first === undefined ? PASS : { kind: 'block', hit: first.entry.hit(first.findings) };
}

function inspectText(
  search: TextSearch,
  text: Text,
  look: SearchMode,
  owner: JudgedFor | undefined,
): MaybePromise<EntryFindings[]> {
  return thenMaybe(search.find(text, look, owner), (found) => {
    if (found.length === 0) return [];
    // For a long text, each occurrence contains the matched text, because only the thread decodes the text.
    const written = text instanceof LongText ? '' : text;
    return search.entries.flatMap((entry, test) => {
      const occurrences = found.filter((occurrence) => occurrence.test === test);
      return occurrences.length === 0 ? [] : [{ entry, findings: findingsOf(occurrences, written) }];
    });
  });
}

type TextEntry = CompiledEntry<TextTest>;

/** Groups the entries that name arguments by these arguments. */
function scopesOf(entries: readonly TextEntry[]): { places: readonly Place[]; entries: TextEntry[] }[] {
  const scopes = new Map<string, { places: readonly Place[]; entries: TextEntry[] }>();
  for (const entry of entries) {
    if (entry.places === undefined) continue;
    const key = JSON.stringify(entry.places);
    const scope = scopes.get(key) ?? { places: entry.places, entries: [] };
    scopes.set(key, scope);
    scope.entries.push(entry);
  }
  return [...scopes.values()];
}

/** A cached verdict. */
interface Decision {
  /** The verdict that follows from the text alone. */
  readonly verdict: Verdict;
  /** Whether the verdict may differ when the target's catalog can be queried. */
  readonly mayAsk: boolean;
}

function decisionsUpTo(maxSize: number): LRUCache<string, Decision> {
  return new LRUCache({
    maxSize,
    maxEntrySize: REMEMBERED_TEXT,
    sizeCalculation: ({ verdict }, text) =>
      text.length + 200 + (verdict.kind === 'block' ? 300 * verdict.hit.findings.length : 0),
  });
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
