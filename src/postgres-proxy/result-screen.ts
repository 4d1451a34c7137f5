import { isAscii, isUtf8 } from 'node:buffer';
import type { ClientSession } from '../gate/client-session';
import type { Mask, OutputScreen, Screened } from '../gate/ports/guardrails';
import { type Eventual, whenThere } from '../kernel/eventual';
import { renderRow } from '../kernel/tabular-text';
import { type HeldRow, masked } from './masked-row';
import type { Refused } from './refusals';
import type { Message } from './wire/client-messages';
import { textOf } from './wire/fields';
import { HEAD_BYTES } from './wire/message';
import { type RowShape, RowText, unitsOf } from './wire/row-text';
import type { Spans } from './wire/spans';

const NOTHING: Buffer = Buffer.alloc(0);

const IN_BINARY: Refused = {
  code: '42501',
  message: 'A value that has to be masked was asked for in binary form; ask for it as text.',
};

const UNREADABLE: Refused = {
  // character_not_in_repertoire
  code: '22021',
  message: 'The result is no text in UTF8, so the gateway cannot look at it; leave client_encoding as it is.',
};

/** A message that is held, with its text's end in the bytes that are gathered. */
interface Gathered extends Omit<HeldRow, 'from' | 'to'> {
  readonly textEnd: number;
}

/**
 * The rows of one result after the other as text: screened where a rule looks at output, and recorded. A row goes on
 * once its text was let go and is recorded: as it came, or with masks applied.
 */
export class ResultScreen {
  private screen: OutputScreen | undefined;
  private readonly text = new RowText();
  private gathered: Gathered[] = [];
  private held: HeldRow[] = [];
  private masks: Mask[] = [];
  private units = 0;
  /** Its bytes are no text, and are looked at as if they were. */
  private isBinary = false;
  isOpen = false;
  /** It had text of its own: there is more to record of it than how it ended. */
  hasText = false;

  constructor(
    private readonly session: ClientSession,
    private readonly out: Spans,
    /** What has to be durable before what is in `out` goes on. */
    private readonly keep: (recorded: Promise<void> | undefined) => void,
  ) {}

  /** @param described the RowDescription, where the client is about to get it. */
  begin(names: readonly string[] | undefined, described?: Message): void {
    this.isOpen = true;
    this.hasText = false;
    this.units = 0;
    // Places of the result before mean nothing in this one.
    this.masks = [];
    this.isBinary = false;
    this.screen = this.session.screensOutput ? this.session.openScreen() : undefined;
    if (names === undefined) return;
    this.hasText = true;
    this.text.addText(renderRow(names));
    const { bytes, start, end } = described ?? { bytes: NOTHING, start: 0, end: 0 };
    const shape = described === undefined ? undefined : 'names';
    this.gathered.push({ bytes, start, end, shape, textEnd: this.text.length });
  }

  row(bytes: Buffer, start: number, end: number, shape: RowShape): void {
    this.hasText = true;
    this.text.addRow(bytes, start, end, shape);
    this.gathered.push({ bytes, start, end, shape, textEnd: this.text.length });
  }

  copyData(bytes: Buffer, start: number, end: number, isBinary: boolean): void {
    this.hasText = true;
    this.text.addBytes(bytes.subarray(start + HEAD_BYTES, end));
    const shape = isBinary ? 'binary' : 'text';
    this.isBinary = isBinary;
    this.gathered.push({ bytes, start, end, shape, textEnd: this.text.length });
  }

  /** What comes between rows keeps its place; true if it was taken. */
  takes(bytes: Buffer, start: number, end: number): boolean {
    if (this.gathered.length === 0 && this.held.length === 0) return false;
    this.gathered.push({ bytes, start, end, shape: undefined, textEnd: this.text.length });
    return true;
  }

  /** Looks at what was gathered. The reason, if nothing of it may go on. */
  look(): Eventual<Refused | undefined> {
    if (this.text.length === 0) return this.screen === undefined ? this.letGo(undefined) : undefined;
    const bytes = this.text.take();
    this.place(bytes);
    if (this.screen === undefined) {
      this.keep(this.session.record([{ type: 'o', content: bytes }]));
      return this.letGo(undefined);
    }
    if (!this.isBinary && !isUtf8(bytes)) return this.refuse(UNREADABLE);
    const text = textOf(bytes);
    return whenThere(this.screen.push(text), (screened) => this.letGo(screened));
  }

  /** The result is over. The reason, if the rest of it may not go on. */
  finish(): Eventual<Refused | undefined> {
    return whenThere(this.look(), (refused) => {
      const { screen } = this;
      this.isOpen = false;
      if (refused !== undefined || screen === undefined) return refused;
      // Until it has said its last, what is held stays held: without a screen, `look` lets everything go.
      return whenThere(screen.finish(), (screened) => {
        this.screen = undefined;
        this.place(NOTHING);
        return this.letGo(screened);
      });
    });
  }

  /** Gives the messages that were gathered their places in the stream. */
  private place(bytes: Buffer): void {
    const isPlain = isAscii(bytes);
    let from = this.units;
    let start = 0;
    for (const message of this.gathered) {
      const size = isPlain ? message.textEnd - start : unitsOf(bytes.subarray(start, message.textEnd));
      this.held.push({ ...message, from, to: from + size });
      from += size;
      start = message.textEnd;
    }
    this.gathered = [];
    this.units = from + (isPlain ? bytes.length - start : unitsOf(bytes.subarray(start)));
  }

  private letGo(screened: Screened | undefined): Refused | undefined {
    let upTo = Number.POSITIVE_INFINITY;
    if (screened === undefined) this.place(NOTHING);
    else {
      const release = this.session.release('o', screened);
      this.keep(release.recorded);
      if (release.kind === 'blocked') return this.stop({ code: '42501', message: release.message });
      upTo = release.upTo;
      if (release.masks.length > 0) this.masks.push(...release.masks);
    }
    let done = 0;
    for (const row of this.held) {
      if (row.to > upTo) break;
      if (!this.emit(row)) return this.refuse(IN_BINARY);
      done += 1;
    }
    if (done === this.held.length) this.held = [];
    else this.held.splice(0, done);
    return undefined;
  }

  /** False when it holds a masked value in a form that cannot be changed. */
  private emit(row: HeldRow): boolean {
    if (this.masks.length > 0 && row.shape !== undefined) {
      this.masks = this.masks.filter((mask) => mask.end > row.from);
      const masks = this.masks.filter((mask) => mask.start < row.to);
      if (masks.length > 0) {
        const changed = masked(row, masks);
        if (changed !== undefined) this.out.insert(changed);
        return changed !== undefined;
      }
    }
    if (row.end > row.start) this.out.add(row.bytes, row.start, row.end);
    return true;
  }

  private refuse(refused: Refused): Refused {
    this.keep(this.session.record([{ type: 'e', content: `${refused.message}\n` }]));
    return this.stop(refused);
  }

  private stop(refused: Refused): Refused {
    this.held = [];
    this.gathered = [];
    this.masks = [];
    this.screen = undefined;
    this.isOpen = false;
    return refused;
  }
}
