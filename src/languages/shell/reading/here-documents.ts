import type { TextCursor } from './cursor';
import type { HereDocument } from './simple-command';

/** Offsets at which the body of a here-document ends, and at which the text goes on after its delimiter. */
export interface Body {
  readonly end: number;
  readonly next: number;
  /** Whether shells disagree on where it ends, because lines of it are joined to the delimiter. */
  readonly isUnclear: boolean;
}

/** Finds the end of a here-document whose body begins at the cursor. */
export function findBody({ text, at: start }: TextCursor, document: HereDocument): Body {
  const { delimiter, isQuoted, stripsTabs } = document;
  let isUnclear = false;
  let isJoined = false;
  /** Joined lines up to here, as long as they can still be the delimiter. */
  let joined = '';
  for (let at = start; at < text.length;) {
    const found = text.indexOf('\n', at);
    const lineEnd = found === -1 ? text.length : found;
    const next = Math.min(lineEnd + 1, text.length);
    const from: number = stripsTabs && !isJoined ? afterTabs(text, at) : at;
    const isShort = lineEnd - from <= delimiter.length + 1;
    const line = isShort ? text.slice(from, lineEnd) : '';
    if (!isJoined && isShort && line === delimiter) return { end: at, next, isUnclear };
    const joins: boolean = !isQuoted && found !== -1 && endsInEscape(text, from, lineEnd);
    if (isJoined && isShort && joined + line === delimiter) isUnclear = true;
    joined = joins && isShort ? (isJoined ? joined : '') + line.slice(0, -1) : joins ? '\n' : '';
    isJoined = joins;
    at = next;
  }
  return { end: text.length, next: text.length, isUnclear };
}

function afterTabs(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === '\t') end += 1;
  return end;
}

function endsInEscape(text: string, from: number, end: number): boolean {
  let start = end;
  while (start > from && text.charAt(start - 1) === '\\') start -= 1;
  return (end - start) % 2 === 1;
}
