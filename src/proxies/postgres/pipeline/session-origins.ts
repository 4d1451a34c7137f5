import type { Judged, JudgedText } from '../../../gate/command';
import type { AskCatalog, GuardrailSet } from '../../../gate/ports/guardrails';
import type { Text } from '../../../kernel/text/long-text';
import type { ParsedSql, SessionObject, StatementFacts } from '../../../languages/postgresql/facts/facts';
import { fitsInline } from '../../../languages/postgresql/parsing/parse-cost';
import { parseSql } from '../../../languages/postgresql/parser';
import { sessionKey } from '../../../languages/postgresql/facts/session-objects';
import { type KeptText, SessionTexts } from './session-texts';

/**
 * Maximum length of a text that is parsed to find its origins (earlier texts that made the objects that it
 * uses), in UTF-16 code units. Longer texts, and texts that are expensive to parse, are not parsed, and are
 * refused where their origins matter.
 */
const EXAMINED = 32 * 1024;
/**
 * Maximum length of a text whose `Words` are cached, in UTF-16 code units. A session caches at most
 * `REMEMBERED` texts.
 */
const SHORT = 1024;
const REMEMBERED = 32;
/**
 * Matches keywords that use a cursor or a prepared statement made earlier. Plain words suffice, because a
 * keyword cannot be escaped or quoted.
 */
const GOES_ON = /\b(?:fetch|move|execute)\b/i;
/**
 * Matches statements that may change the catalog, and with it the tables that a view or function uses.
 * Functions that change the catalog are not detected.
 */
const CHANGES_CATALOG = /\b(?:create|alter|drop|do|call|execute|import|reassign|into|comment)\b/i;
/**
 * Text that represents all forgotten texts. Statement rules refuse it unless they allow unparseable
 * statements.
 */
const FORGOTTEN = 'FETCH ALL FROM "what this session made and is not remembered any more"';

/**
 * Returns the texts that the client prepared or bound under a name by protocol messages. SQL statements use
 * these objects by the same names.
 */
type Prepared = (object: SessionObject) => readonly Text[];

/**
 * Finds the origins of the texts of a session: for a FETCH its DECLARE, for an EXECUTE its PREPARE, and for a
 * read of a table, view or function of this session the text that created it. Each origin was judged when the
 * client sent it. If the rules have changed since, the origins are judged again, together with the text that
 * uses them.
 */
export class SessionOrigins {
  private readonly texts = new SessionTexts();
  /**
   * Texts that may have changed the catalog in this transaction. Until it is committed, other sessions may
   * see a different catalog. Keeps at most two, because `judged` needs only to know whether there is one
   * besides the judged text.
   */
  private readonly changing = new Set<Text>();
  private readonly words = new Map<string, Words>();

  /** @param ask queries the catalog of the target; see `GuardrailSet.judge`. */
  constructor(
    private readonly prepared: Prepared,
    private readonly ask?: AskCatalog,
  ) {}

  /** Prepares a text of the client for judging. The caller must call `passed` if the text is admitted. */
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

  /** Prepares admitted texts for being judged again. */
  again(texts: readonly JudgedText[]): Judged {
    for (const { text } of texts) this.mayChange(text, this.wordsOf(text));
    const [only] = texts;
    if (only !== undefined && texts.length === 1)
      return (rules) => this.judged(only.text, rules, this.wordsOf(only.text));
    return (rules) => texts.flatMap(({ text }) => this.judged(text, rules));
  }

  private mayChange(text: Text, { changesCatalog } = wordsOf(text)): void {
    if (changesCatalog && this.changing.size < 2) this.changing.add(text);
  }

  /** Caches the words of short texts, because a session executes the same few statements many times. */
  private wordsOf(text: Text): Words {
    if (typeof text !== 'string' || text.length > SHORT) return wordsOf(text);
    const known = this.words.get(text);
    if (known !== undefined) return known;
    if (this.words.size >= REMEMBERED) this.words.clear();
    const words = wordsOf(text);
    this.words.set(text, words);
    return words;
  }

  /** Must be called when a transaction ended and nothing is in flight. Forgets its cursors without HOLD. */
  transactionEnded(): void {
    if (this.changing.size > 0) this.changing.clear();
    this.texts.transactionEnded();
  }

  /** Returns the text together with those of its origins that `rules` have not judged yet. */
  judged(
    text: Text,
    rules: Pick<GuardrailSet, 'judgesInput'>,
    { goesOn }: Pick<Words, 'goesOn'> = { goesOn: isExamined(text) && GOES_ON.test(text) },
  ): JudgedText[] {
    // Does not count the text itself, which `changing` may contain because a text is parsed before it is
    // executed.
    const isChanged = this.changing.size > (this.changing.has(text) ? 1 : 0);
    const ask = isChanged ? undefined : this.ask;
    if (!rules.judgesInput) return [{ text, as: 'input' }];
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

/** Facts that the words of a text show without parsing. They are used to find origins. */
interface Words {
  /** Whether the text may use an object that another text of the session made. */
  readonly goesOn: boolean;
  /**
   * Whether the text may change the catalog. Until its transaction is committed, other sessions may see a
   * different catalog.
   */
  readonly changesCatalog: boolean;
}

function wordsOf(text: Text): Words {
  if (!isExamined(text)) return { goesOn: false, changesCatalog: true };
  return { goesOn: GOES_ON.test(text), changesCatalog: CHANGES_CATALOG.test(text) };
}

function isExamined(text: Text): text is string {
  return typeof text === 'string' && text.length <= EXAMINED;
}

function factsOf(text: Text): ParsedSql | undefined {
  return isExamined(text) && fitsInline(text) ? parseSql(text) : undefined;
}

/** Searches for all origins of one text. */
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

  /** Adds the origins of a parsed text. If a text cannot be parsed, every other text may be its origin. */
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

  /**
   * Adds the texts that made the tables and functions that a statement uses. This session may have made any
   * function, and any table without a schema or in the session's own schema.
   */
  private followNames({ tables, functions }: StatementFacts): void {
    const names = new Set(
      [...tables.filter(({ read }) => read), ...functions].map(({ name }) => name.toLowerCase()),
    );
    if (names.size === 0) return;
    for (const kept of this.others) if (kept.touches(names)) this.addOrigin(kept.text, kept.facts);
    this.addUnclear();
    if (this.isForgetful) this.origins.add(FORGOTTEN);
  }

  /** Adds each text whose effects are unclear, because it may have made any object. */
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
