import type { Text } from '../../../kernel/text/long-text';
import type { ParsedSql, SessionObject, StatementFacts } from '../../../languages/postgresql/facts/facts';
import { fitsInline } from '../../../languages/postgresql/parsing/parse-cost';
import { parseSql } from '../../../languages/postgresql/parser';

/** UTF-16 code units of the texts that are kept for a session. */
const KEPT = 256 * 1024;
/** Longer texts, and those that are expensive to parse, are not kept, and count as forgotten at once. */
const KEPT_TEXT = 32 * 1024;
const SEARCHED = 1024 * 1024;

/** Keywords have no other spelling: no escapes, no quotes. */
const MAKES = /\b(?:create|declare|prepare|do)\b/i;
const CURSOR_ONLY = /\bdeclare\b/i;
const MORE_THAN_A_CURSOR = /\b(?:create|prepare|do|hold|into|insert|update|merge|copy)\b/i;
const SELECT = /\bselect\b/i;
const INTO = /\binto\b/gi;
const WRITES = /\b(?:insert|update|merge|copy)\b/i;
const READS = /\b(?:select|table|from|using|execute)\b/i;
/** A code block without any of these words makes nothing that lasts, unless it calls a function that does. */
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

/** A text that made an object of the session. It is parsed only when another text refers to the object. */
export class KeptText {
  private parsed: ParsedSql | undefined;

  constructor(
    readonly text: string,
    /** The rules under which it last passed. */
    readonly rules: object | undefined,
  ) {}

  get facts(): ParsedSql {
    return (this.parsed ??= parseSql(this.text));
  }

  /** Whether part of its effects cannot be determined. */
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
   * Whether it made or wrote one of these tables, or made one of these functions. Names are in lower case.
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
 * The texts of a session that made something that outlives them. Their size is limited; of forgotten texts
 * only the rules are kept under which they passed.
 */
export class SessionTexts {
  private readonly kept = new Map<string, KeptText>();
  /** Number of kept texts by the rules under which they passed. */
  private readonly counts = new Map<object | undefined, number>();
  /** Kept texts that made only cursors of their transaction. */
  private readonly cursors = new Set<string>();
  private readonly forgotten = new Set<object | undefined>();
  private size = 0;
  /** Tables were made; from then on texts that write rows are kept too. */
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
