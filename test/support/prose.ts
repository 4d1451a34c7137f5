/** A comment of a source file: its lines as one text, without the marks. */
export interface Comment {
  /** Of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The classes of sentences that are read twice (docs/glossary.md, "Sentences"). Each expression is tried on
 * the whole text of a comment.
 */
export const CLASSES = {
  /** "Of a line of the audit log.": what it is about is the subject of the sentence. */
  'no subject': /^(?:Of|As|Who|Whose|Those|What|Where|How|That|Which)\b(?![^.?!]*\?)/,
  /** "When a gateway last said so.": programs send, report, log, answer. */
  'machines that speak': /\b(?:says?|said|tells?|told)\b/i,
  /** A role has a name: the caller, the owner, any user. */
  'nobody in particular': /\b(?:somebody|someone|whom?ever)\b/i,
} as const;

export type ProseClass = keyof typeof CLASSES;

const LINE = /^\s*\/\/ ?(.*)$/;
/** Directives for tools are no sentences. */
const DIRECTIVE = /^\s*\/\/ ?(?:promises:|oxlint-|@ts-|eslint-)/;
const BLOCK = /^\s*\/\*\*?(?<one>.*?)(?<end>\*\/)?\s*$/;

/** The comments that have lines of their own. */
export function commentsIn(source: string): Comment[] {
  const comments: Comment[] = [];
  const lines = source.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const parts: string[] = [];
    const opened = BLOCK.exec(lines[at] ?? '');
    if (opened !== null) {
      parts.push(opened.groups?.['one'] ?? '');
      if (opened.groups?.['end'] === undefined)
        while (++at < lines.length && !(lines[at] ?? '').includes('*/'))
          parts.push((lines[at] ?? '').replace(/^\s*\* ?/, ''));
    } else {
      for (; isLineComment(lines[at]); at += 1) parts.push(LINE.exec(lines[at] ?? '')?.[1] ?? '');
      if (parts.length > 0) at -= 1;
    }
    const text = parts.join(' ').replace(/\s+/g, ' ').trim();
    if (text !== '') comments.push({ line, text });
  }
  return comments;
}

function isLineComment(line = ''): boolean {
  return LINE.test(line) && !DIRECTIVE.test(line);
}

/** The class of each comment that is in one, with its line. */
export function faultsOfProse(source: string): { readonly kind: ProseClass; readonly line: number }[] {
  return commentsIn(source).flatMap(({ line, text }) =>
    Object.entries(CLASSES).flatMap(([kind, pattern]) =>
      pattern.test(withoutQuotes(text)) ? [{ kind: kind as ProseClass, line }] : [],
    ),
  );
}

/** Code and quoted words in a comment are examples, no sentences of it. */
function withoutQuotes(text: string): string {
  return text.replace(/`[^`]*`|"[^"]*"/g, '');
}
