import type { Judged, JudgedText } from '../../gate/command';
import type { AskCatalog, GuardrailSet } from '../../gate/ports/guardrails';
import type { Text } from '../../kernel/long-text';
import type { ParsedSql, SessionObject, StatementFacts } from '../../languages/postgresql/facts';
import { parseSql } from '../../languages/postgresql/parser';
import { sessionKey } from '../../languages/postgresql/session-objects';
import { type KeptText, SessionTexts } from './session-texts';

/** Longer texts are not asked what they use; then they are refused where that matters. UTF-16 code units, as for parsing here. */
const EXAMINED = 32 * 1024;
/** Keywords cannot be written otherwise: no escapes, no quotes. */
const GOES_ON = /\b(?:fetch|move|execute)\b/i;
/** Statements after which what hangs on what in the catalog may be otherwise; functions that do so by themselves are not seen. */
const CHANGES_CATALOG = /\b(?:create|alter|drop|do|call|execute|import|reassign|into|comment)\b/i;
/** Refused by every rule about statements that says nothing else of what cannot be told. */
const FORGOTTEN = 'FETCH ALL FROM "what this session made and is not remembered any more"';

/** What the client prepared or bound by messages, by the name under which SQL knows it too. */
type Prepared = (object: SessionObject) => readonly Text[];

/**
 * Tells where the texts of a session come from: a FETCH from its DECLARE, an EXECUTE from its PREPARE, a read of a table, view
 * or function that this session made from what made it. Those were judged by the rules of their time; where the rules are
 * others by now, they are judged again together with what goes on with them.
 */
export class SessionOrigins {
  private readonly texts = new SessionTexts();
  /** Texts of this transaction (two are enough) after which others may not see the catalog as this session does. */
  private readonly changing = new Set<Text>();

  /** @param ask the catalog of the target; see `GuardrailSet.judge`. */
  constructor(
    private readonly prepared: Prepared,
    private readonly ask?: AskCatalog,
  ) {}

  /** A text of the client as it is judged; `passed` has to be told when it may go on. */
  input(text: Text): { readonly judged: Judged; readonly passed: () => void } {
    let judgedBy: object | undefined;
    const judged: Judged = (rules) => {
      judgedBy = rules;
      return this.judged(text, rules);
    };
    const passed = (): void => {
      this.texts.add(text, judgedBy);
      this.mayChange(text);
    };
    return { judged, passed };
  }

  /** Texts that passed before, as they are judged again. */
  again(texts: readonly JudgedText[]): Judged {
    for (const { text } of texts) this.mayChange(text);
    return (rules) => texts.flatMap(({ text }) => this.judged(text, rules));
  }

  private mayChange(text: Text): void {
    if (this.changing.size < 2 && (!isExamined(text) || CHANGES_CATALOG.test(text))) this.changing.add(text);
  }

  /** A transaction ended, and nothing else is on its way: what was declared in it without HOLD is gone. */
  transactionEnded(): void {
    this.changing.clear();
    this.texts.transactionEnded();
  }

  /** The text, and those it comes from that these rules have not judged. */
  judged(text: Text, rules: Pick<GuardrailSet, 'judgesInput'>): JudgedText[] {
    // A text may have been parsed before it is run.
    const isChanged = this.changing.size > (this.changing.has(text) ? 1 : 0);
    const ask = isChanged ? undefined : this.ask;
    if (!rules.judgesInput) return [{ text, as: 'input' }];
    const goesOn = isExamined(text) && GOES_ON.test(text);
    if (!goesOn && !this.texts.hasOthersThan(rules)) return [{ text, as: 'input', ask }];
    const search = new Search(this.texts, this.prepared, rules);
    search.follow(factsOf(text));
    return [...new Set([text, ...search.origins])].map((each) => ({
      text: each,
      as: 'input',
      ask,
      ...(typeof each === 'string' && GOES_ON.test(each) && { known: search.known }),
    }));
  }
}

function isExamined(text: Text): text is string {
  return typeof text === 'string' && text.length <= EXAMINED;
}

function factsOf(text: Text): ParsedSql | undefined {
  return isExamined(text) ? parseSql(text) : undefined;
}

/** One walk from a text to all that it comes from. */
class Search {
  readonly origins = new Set<Text>();
  readonly known: string[] = [];
  private readonly others: readonly KeptText[];
  private readonly isForgetful: boolean;

  constructor(
    private readonly texts: SessionTexts,
    private readonly prepared: Prepared,
    rules: object,
  ) {
    this.others = texts.othersThan(rules);
    this.isForgetful = texts.forgotOthersThan(rules);
  }

  /** `undefined` and what cannot be parsed may come from anything. */
  follow(parsed: ParsedSql | undefined): void {
    if (parsed?.kind !== 'facts') return this.followAll();
    for (const statement of parsed.statements) {
      for (const object of statement.uses) this.followUse(object);
      this.followNames(statement);
    }
  }

  private followAll(): void {
    for (const kept of this.others) this.addOrigin(kept.text, kept.facts);
    if (this.isForgetful) this.origins.add(FORGOTTEN);
  }

  private followUse(object: SessionObject): void {
    const sources = this.texts.making(object);
    const messages = this.prepared(object);
    if (sources.length + messages.length === 0 || this.isForgetful) return;
    const key = sessionKey(object);
    if (!this.known.includes(key)) this.known.push(key);
    for (const { text, facts } of sources) if (this.isOther(text)) this.addOrigin(text, facts);
    for (const text of messages) this.addOrigin(text, factsOf(text));
    this.addUnclear();
  }

  /** Tables without a schema, or of the session's own, may be what it made; so may functions. */
  private followNames({ tables, functions }: StatementFacts): void {
    const names = new Set(
      [...tables.filter(({ read }) => read), ...functions].map(({ name }) => name.toLowerCase()),
    );
    if (names.size === 0) return;
    for (const kept of this.others) if (kept.touches(names)) this.addOrigin(kept.text, kept.facts);
    this.addUnclear();
    if (this.isForgetful) this.origins.add(FORGOTTEN);
  }

  /** What nobody can tell the makings of may have made anything. */
  private addUnclear(): void {
    for (const kept of this.others) if (kept.isUnclear) this.addOrigin(kept.text, kept.facts);
  }

  private isOther(text: string): boolean {
    return this.others.some((kept) => kept.text === text);
  }

  private addOrigin(text: Text, facts: ParsedSql | undefined): void {
    if (this.origins.has(text)) return;
    this.origins.add(text);
    this.follow(facts);
  }
}
