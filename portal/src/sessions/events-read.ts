import { cutAt, linesIn, partsOf } from '../parts/text-parts';
import type { SessionEvent } from './session';

/** Characters of content that a page keeps. When there are more, the oldest are dropped. */
const KEPT_CHARACTERS = 4 * 1024 * 1024;

/** A piece of an event, as the gateway sends it. `continues`: the next piece belongs to the same event. */
export type Told = readonly [...SessionEvent, continues?: boolean];

/** A part of an event, as the page shows it. Most events have only one part. */
export interface ShownPart {
  readonly number: number;
  readonly milliseconds: number;
  readonly type: SessionEvent[1];
  readonly isFirst: boolean;
  readonly text: string;
  readonly lines: number;
}

/** Joins the pieces of events that arrive, and splits long events into parts. */
export class EventsRead {
  private parts: ShownPart[] = [];
  private characters = 0;
  private next = 0;
  private count = 0;
  private isCut = false;
  private open = false;
  /** Last characters of a piece that continues. They wait for the next piece, which may complete an emoji. */
  private rest = '';
  /** One decoder for each type of event, because the bytes of a character may be split between two pieces. */
  private readonly decoders = { i: new TextDecoder(), o: new TextDecoder(), e: new TextDecoder() };

  /** @returns the number of characters added */
  add([milliseconds, type, content, continues = false]: Told): number {
    const came = this.rest + this.decoders[type].decode(bytesOf(content), { stream: true });
    const end = continues ? cutAt(came, Math.max(0, came.length - 1)) : came.length;
    const text = came.slice(0, end);
    this.rest = came.slice(end);
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
    if (this.characters > KEPT_CHARACTERS) this.drop(KEPT_CHARACTERS * 0.9);
    return text.length;
  }

  shown() {
    return { parts: [...this.parts], count: this.count, isCut: this.isCut };
  }

  /** Removes all parts, to make room for the next portion of the recording. */
  clear(): void {
    this.parts = [];
    this.characters = 0;
    this.isCut = true;
  }

  /** Drops the oldest parts. Drops more than necessary, so that the list is not copied for every event. */
  private drop(left: number): void {
    let gone = 0;
    for (; this.characters > left && gone < this.parts.length - 1; gone++)
      this.characters -= this.parts[gone]?.text.length ?? 0;
    this.parts = this.parts.slice(gone);
    this.isCut = true;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
