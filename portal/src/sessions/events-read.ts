import type { SessionEvent } from './session';

/** Characters of content that a page keeps. Of a longer recording it shows the last ones. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;
/** Characters of a part, more or less: only the parts in sight are laid out. */
const PART = 32 * 1024;

/** An event as the gateway tells it: an event that is continued comes in several. */
export type Told = readonly [...SessionEvent, continues?: boolean];

/** A part of an event. Most events have one. */
export interface ShownPart {
  readonly number: number;
  readonly milliseconds: number;
  readonly type: SessionEvent[1];
  readonly isFirst: boolean;
  readonly text: string;
  readonly lines: number;
}

/** Puts the pieces of events together, and takes long ones apart. */
export class EventsRead {
  private parts: ShownPart[] = [];
  private characters = 0;
  private next = 0;
  private count = 0;
  private isCut = false;
  private open = false;
  /** A character may be cut between two pieces. */
  private readonly decoders = { i: new TextDecoder(), o: new TextDecoder(), e: new TextDecoder() };

  add([milliseconds, type, content, continues = false]: Told): void {
    const text = this.decoders[type].decode(bytesOf(content), { stream: true });
    const isFirst = !this.open;
    if (isFirst) this.count++;
    for (const [at, part] of partsOf(text).entries())
      this.parts.push({
        number: this.next++,
        milliseconds,
        type,
        isFirst: isFirst && at === 0,
        text: part,
        lines: linesIn(part),
      });
    this.open = continues;
    this.characters += text.length;
    if (this.characters > KEPT_CHARACTERS) this.drop();
  }

  shown() {
    return { parts: [...this.parts], count: this.count, isCut: this.isCut };
  }

  /** More than has to go, so that not every event moves all others. */
  private drop(): void {
    let gone = 0;
    for (; this.characters > KEPT_CHARACTERS * 0.9 && gone < this.parts.length - 1; gone++)
      this.characters -= this.parts[gone]?.text.length ?? 0;
    this.parts = this.parts.slice(gone);
    this.isCut = true;
  }
}

/** Cut at the ends of lines, where there are any. */
function partsOf(text: string): readonly string[] {
  if (text.length <= PART) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.lastIndexOf('\n', from + PART);
    const to = text.length - from <= PART ? text.length : line > from ? line + 1 : from + PART;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}

/** A line break at the end begins no line. */
function linesIn(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
