import type { Text } from '../../../kernel/text/long-text';
import type { ParsedSql, SessionObject, StatementFacts } from '../../../languages/postgresql/facts/facts';
import { fitsInline } from '../../../languages/postgresql/parsing/parse-cost';
import { parseSql } from '../../../languages/postgresql/parser';

/** Maximum total length of the texts that are kept for a session, in UTF-16 code units. */
const KEPT = 256 * 1024;
/** Maximum length of a kept text. Longer texts, and texts that are expensive to parse, count as forgotten. */
const KEPT_TEXT = 32 * 1024;
const SEARCHED = 1024 * 1024;

/**
 * Matches keywords that may make an object. Plain words suffice, because a keyword cannot be escaped or
 * quoted.
 */
const MAKES = /\b(?:create|declare|prepare|do)\b/i;
const CURSOR_ONLY = /\bdeclare\b/i;
const MORE_THAN_A_CURSOR = /\b(?:create|prepare|do|hold|into|insert|update|merge|copy)\b/i;
const SELECT = /\bselect\b/i;
const INTO = /\binto\b/gi;
const WRITES = /\b(?:insert|update|merge|copy)\b/i;
const READS = /\b(?:select|table|from|using|execute)\b/i;
/** Matches code blocks that may make an object that lasts. Functions that a block calls are not examined. */
const CODE_THAT_MAKES = /create|execute|cursor|open|prepare|language|u&|\be'/i;

function selectsInto(text: string): boolean {
  const start = text.search(SELECT);
  INTO.lastIndex = start;
  return start !== -1 && INTO.test(text);
}

/** Whether the text makes only a cursor that ends with its transaction. */
function isOfTransaction(text: string): boolean {
  return CURSOR_ONLY.test(text) && !MORE_THAN_A_CURSOR.test(text);
}

/** A text that made an object of the session. It is parsed only when another text uses the object. */
export class KeptText {
  private parsed: ParsedSql | undefined;

  constructor(
    readonly text: string,
    /** The rules that last admitted the text. */
    readonly rules: object | undefined,
  ) {}

  get facts(): ParsedSql {
    return (this.parsed ??= parseSql(this.text));
  }

  /** Whether some effects of the text cannot be determined. */
  get isUnclear(): boolean {
    const { facts } = this;
    if (facts.kind !== 'facts') return true;
    return facts.statements.some(
      ({ kinds, hidden }) =>
        (kinds.includes('do') && CODE_THAT_MAKES.test(this.text)) ||
        (kinds.includes('execute') && hidden.length > 0),
    );
  }

  makes({ kind, name }: SessionObject): boolean {
    return this.statements.some(({ makes }) =>
      makes.some((made) => made.kind === kind && made.name === name),
    );
  }

  /**
   * Whether the text made or wrote one of the given tables, or made one of the given functions. `names` are
   * in lower case.
   */
  touches(names: ReadonlySet<string>): boolean {
    return this.statements.some(
      ({ makes, tables }) =>
        makes.some(
          ({ kind, name }) => (kind === 'table' || kind === 'function') && names.has(name.toLowerCase()),
        ) || tables.some(({ name, write }) => write && names.has(name.toLowerCase())),
    );
  }

  private get statements(): readonly StatementFacts[] {
    return this.facts.kind === 'facts' ? this.facts.statements : [];
  }
}

/**
 * Keeps the texts of a session that made lasting objects. Their total size is limited. For a forgotten text,
 * only the rules that admitted it are kept.
 */
export class SessionTexts {
  private readonly kept = new Map<string, KeptText>();
  /** Number of kept texts for each set of rules that admitted them. */
  private readonly counts = new Map<object | undefined, number>();
  /** Kept texts that made only cursors, which end with the transaction. */
  private readonly cursors = new Set<string>();
  private readonly forgotten = new Set<object | undefined>();
  private size = 0;
  /** Whether the session may have made tables. From then on, texts that write rows are kept too. */
  private hasTables = false;

  add(text: Text, rules: object | undefined): void {
    if (typeof text !== 'string' || text.length > KEPT_TEXT) {
      if (typeof text !== 'string' || text.length > SEARCHED || this.isMaking(text))
        this.forgotten.add(rules);
      return;
    }
    if (!this.isMaking(text)) return;
    if (!fitsInline(text)) {
      this.forgotten.add(rules);
      return;
    }
    this.remove(text);
    this.kept.set(text, new KeptText(text, rules));
    this.counts.set(rules, (this.counts.get(rules) ?? 0) + 1);
    if (isOfTransaction(text)) this.cursors.add(text);
    this.size += text.length;
    for (const oldest of this.kept.keys()) {
      if (this.size <= KEPT) break;
      this.forgotten.add(this.kept.get(oldest)?.rules);
      this.remove(oldest);
    }
  }

  making(object: SessionObject): KeptText[] {
    return [...this.kept.values()].filter((kept) => kept.makes(object));
  }

  hasOthersThan(rules: object): boolean {
    for (const before of this.counts.keys()) if (before !== rules) return true;
    return this.forgotOthersThan(rules);
  }

  othersThan(rules: object): KeptText[] {
    return [...this.kept.values()].filter((kept) => kept.rules !== rules);
  }

  forgotOthersThan(rules: object): boolean {
    for (const before of this.forgotten) if (before !== rules) return true;
    return false;
  }

  transactionEnded(): void {
    if (this.cursors.size > 0) for (const text of this.cursors) this.remove(text);
  }

  private isMaking(text: string): boolean {
    if (MAKES.test(text) || selectsInto(text)) {
      this.hasTables ||= !isOfTransaction(text);
      return true;
    }
    return this.hasTables && WRITES.test(text) && READS.test(text);
  }

  private remove(text: string): void {
    const { rules } = this.kept.get(text) ?? {};
    if (!this.kept.delete(text)) return;
    this.cursors.delete(text);
    this.size -= text.length;
    const count = (this.counts.get(rules) ?? 0) - 1;
    if (count > 0) this.counts.set(rules, count);
    else this.counts.delete(rules);
  }
}
