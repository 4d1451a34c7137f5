import type { CanonicalInput, CanonicalStatement } from '../../text/canonical-input';
import { MappedText, MappedTextBuilder, type TextRange } from '../../text/mapped-text';
import { normalizePlain } from '../../text/plain-text';
import { TextCursor } from '../reading/cursor';
import { Reading, TooDeepScript } from '../reading/reading';
import { ScriptReader } from '../reading/script-reader';
import type { Rewriter } from '../reading/rewriter';

/** Maximum depth of quoted texts in one another that are resolved. */
const MAX_LEVELS = 8;

/**
 * Maximum number of characters that are resolved, and that the ranges of commands have together: so many
 * times the length of the text, and `ALWAYS`. Scripts that people write need less than twice their length.
 */
const MAX_TIMES = 8;
const ALWAYS = 16 * 1024;

/** Matches what the shell may remove, or replace. */
const RESOLVABLE = /['"\\]|\$IFS|\$\{IFS\}/;

/**
 * Brings a shell script into the form that text rules read: without quotes, escapes, joins of lines and
 * comments, as Bash reads it. What stands in quotes is resolved again, because `sh -c` or `eval` may run it.
 * README.md has the rules. Never fails; takes linear time. Offsets are UTF-16 code units.
 */
export function canonicalShell(source: string): CanonicalInput {
  const most = source.length * MAX_TIMES + ALWAYS;
  const resolver = new Resolver(most);
  const { text, commands } = resolver.resolve(source, 0);
  const whole = trim(normalizePlain(text));
  let length = 0;
  const statements = commands
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end }) => {
      length += end - start;
      return length > most ? [] : statementOf(whole, start, end);
    });
  return { whole, statements, complete: resolver.isComplete && length <= most };
}

function statementOf(whole: MappedText, start: number, end: number): CanonicalStatement[] {
  const { start: canonicalStart, end: canonicalEnd } = trimmed(
    whole.text,
    whole.offsetOf(start),
    whole.offsetOf(end),
  );
  return canonicalStart < canonicalEnd ? [{ start, end, canonicalStart, canonicalEnd }] : [];
}

/** Resolves a text, and the texts in its quotes. */
class Resolver {
  isComplete = true;
  private resolved = 0;

  constructor(private readonly most: number) {}

  resolve(source: string, level: number): { text: MappedText; commands: readonly TextRange[] } {
    this.resolved += source.length;
    if (level === MAX_LEVELS || this.resolved > this.most) {
      this.isComplete = false;
      return { text: MappedText.unchanged(source), commands: [] };
    }
    const edits = new Edits(source, level > 0, (text) => this.inside(text, level + 1));
    const reading = new Reading();
    try {
      new ScriptReader(new TextCursor(source, edits), 'bash', reading).readAll();
    } catch (error) {
      if (!(error instanceof TooDeepScript)) throw error;
      this.isComplete = false;
    }
    return { text: edits.finish(), commands: reading.commands };
  }

  private inside(text: MappedText, level: number): MappedText {
    return RESOLVABLE.test(text.text) ? this.resolve(text.text, level).text.from(text) : text;
  }
}

interface Edit extends TextRange {
  readonly text: string | MappedText;
}

/** Collects what replaces pieces of the source while it is read. */
class Edits implements Rewriter {
  private readonly edits: Edit[] = [];
  /** Texts within the text that are not closed yet, each with the number of edits before it. */
  private readonly openTexts: { readonly start: number; readonly before: number }[] = [];

  constructor(
    private readonly source: string,
    private readonly keepsComments: boolean,
    private readonly inside: (text: MappedText) => MappedText,
  ) {}

  replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text });
  }

  /** In quotes a comment may be data, so there it stays. */
  comment(start: number, end: number): void {
    if (!this.keepsComments) this.replace(start, end, ' ');
  }

  open(start: number): void {
    this.openTexts.push({ start, before: this.edits.length });
  }

  close(end: number, mayBeCode: boolean): void {
    const { start, before } = this.openTexts.pop()!;
    if (!mayBeCode) return;
    this.edits.push({ start, end, text: this.inside(this.apply(start, end, before)) });
  }

  /** Closes what is still open, and returns the whole text. */
  finish(): MappedText {
    while (this.openTexts.length > 0) this.close(this.source.length, true);
    return this.apply(0, this.source.length, 0);
  }

  /** Makes [start, end) of the canonical text from the edits after the first `before` ones. */
  private apply(start: number, end: number, before: number): MappedText {
    const builder = new MappedTextBuilder(this.source.slice(start, end));
    for (const edit of this.edits.splice(before)) {
      const { text } = edit;
      if (typeof text === 'string') builder.replace(edit.start - start, edit.end - start, text);
      else builder.insert(edit.start - start, edit.end - start, text);
    }
    return builder.build();
  }
}

function trim(mapped: MappedText): MappedText {
  const { start, end } = trimmed(mapped.text, 0, mapped.text.length);
  return start === 0 && end === mapped.text.length ? mapped : mapped.slice(start, end);
}

/** Leaves out the spaces at both ends. Other white space is folded to spaces before. */
function trimmed(text: string, from: number, to: number): TextRange {
  let start = from;
  let end = to;
  while (start < end && text.charAt(start) === ' ') start += 1;
  while (start < end && text.charAt(end - 1) === ' ') end -= 1;
  return { start, end };
}
