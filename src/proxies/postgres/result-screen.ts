import { isUtf8 } from 'node:buffer';
import type { ClientSession } from '../../gate/client-session';
import type { OutputScreen, Screened } from '../../gate/ports/guardrails';
import { type Eventual, whenThere } from '../../kernel/eventual';
import { renderRow } from '../../kernel/tabular-text';
import { inSlices } from '../../kernel/time-slice';
import { textOf } from '../../kernel/utf8';
import type { UnreadableCell } from './binary/cell-text';
import { HeldRun, type RunShape } from './held-run';
import { LARGE_ROW, LargeRow } from './large-row';
import { MaskColumns } from './mask-columns';
import type { PendingRecords } from './pending-records';
import { type Refused, unreadable } from './refusals';
import { type ScreenedPieces, screenPieces } from './screened-pieces';
import type { Message } from './wire/client-messages';
import { HEAD_BYTES } from './wire/message';
import { PLAIN, type RowShape, RowText } from './wire/row-text';
import type { Spans } from './wire/spans';

const NOTHING: Buffer = Buffer.alloc(0);
const LINE_FEED = 0x0a;

const UNREADABLE: Refused = {
  // character_not_in_repertoire
  code: '22021',
  message: 'The result holds bytes that are not valid UTF8, so the rules for output cannot be applied to it.',
};

/**
 * The rows of one result after the other as text: screened where a rule looks at output, and recorded. A row goes on
 * once its text was let go and is recorded: as it came, or with masks applied.
 */
export class ResultScreen {
  private screen: OutputScreen | undefined;
  private readonly text = new RowText();
  private gathered: HeldRun[] = [];
  private held: HeldRun[] = [];
  private masks = new MaskColumns();
  /** Length of the stream so far, in UTF-16 code units. */
  private units = 0;
  /** What was looked at so far ended with a line's end. */
  private isAtLineStart = true;
  isOpen = false;
  /** It had text of its own: there is more to record of it than how it ended. */
  hasText = false;

  constructor(
    private readonly session: ClientSession,
    private readonly out: Spans,
    private readonly recorded: PendingRecords,
  ) {}

  /** Whether a rule looks at the result. */
  get isScreened(): boolean {
    return this.screen !== undefined;
  }

  /** @param described the RowDescription, where the client is about to get it. */
  begin(names: readonly string[] | undefined, described?: Message): void {
    this.isOpen = true;
    this.hasText = false;
    this.units = 0;
    // Places of the result before mean nothing in this one.
    this.masks = new MaskColumns();
    this.isAtLineStart = true;
    this.screen = this.session.screensOutput ? this.session.openScreen() : undefined;
    if (names === undefined) return;
    this.text.addText(renderRow(names));
    const { bytes, start, end } = described ?? { bytes: NOTHING, start: 0, end: 0 };
    this.gather(bytes, start, end, 'names');
  }

  /** The reason, if it may not go on: known at once only of a large one. @throws (or rejects) see `cellText` */
  row(bytes: Buffer, start: number, end: number, shape: RowShape): Eventual<Refused | undefined> {
    if (end - start > LARGE_ROW) return this.large(bytes, start, end, shape);
    this.text.addRow(bytes, start, end, shape);
    this.gather(bytes, start, end, shape);
    return undefined;
  }

  /** COPY data that are text, or that no rule looks at. */
  copyData(bytes: Buffer, start: number, end: number): Eventual<Refused | undefined> {
    if (end - start > LARGE_ROW) return this.large(bytes, start, end, 'text');
    this.text.addBytes(bytes, start + HEAD_BYTES, end);
    this.gather(bytes, start, end, 'text');
    return undefined;
  }

  /** A row that is looked at by itself, behind all that came before, while others have their turns. */
  private async large(...place: ConstructorParameters<typeof LargeRow>): Promise<Refused | undefined> {
    const row = new LargeRow(...place);
    this.recorded.flush();
    const refused = await this.look();
    if (refused !== undefined) return refused;
    const { screen } = this;
    if (screen === undefined) {
      await inSlices(this.recordingOf(row.contents()));
      this.hold(row, 0);
      return this.letGo(Number.POSITIVE_INFINITY);
    }
    if (!row.isUtf8) return this.refuse(UNREADABLE);
    const screened = await screenPieces(screen, row.texts());
    if (screened.kind === 'block') return this.release(screened);
    await inSlices(this.releasing(screened));
    this.hold(row, screened.units);
    return this.letGo(screened.upTo);
  }

  private *recordingOf(contents: Iterable<Buffer>): Generator<undefined, void> {
    for (const content of contents) {
      this.recorded.keep(this.session.record([{ type: 'o', content }]));
      yield;
    }
  }

  private *releasing(screened: ScreenedPieces): Generator<undefined, void> {
    for (const piece of screened.pieces()) {
      this.recorded.keep(this.session.release('o', piece).recorded);
      yield;
    }
    this.masks.addAll(screened.masks);
  }

  private hold({ bytes, start, end, shape, endsLine }: LargeRow, units: number): void {
    const run = new HeldRun(bytes, start, shape);
    run.add(end, units);
    run.placeAt(this.units, this.units + units);
    this.units = run.textEnd;
    this.held.push(run);
    this.hasText = true;
    this.isAtLineStart = endsLine;
  }

  /** What comes between rows keeps its place; true if it was taken. */
  takes(bytes: Buffer, start: number, end: number): boolean {
    if (this.gathered.length === 0 && this.held.length === 0) return false;
    this.gather(bytes, start, end, undefined);
    return true;
  }

  /** Looks at what was gathered. The reason, if nothing of it may go on. */
  look(): Eventual<Refused | undefined> {
    if (this.gathered.length === 0) return undefined;
    const { screen } = this;
    const bytes = this.text.view();
    if (screen !== undefined && !isUtf8(bytes)) return this.refuse(UNREADABLE);
    const areLines = this.isAtLineStart && bytes.at(-1) === LINE_FEED;
    this.place(bytes);
    if (screen === undefined) return this.pass(bytes);
    if (bytes.length === 0) return undefined;
    const screened = areLines ? screen.pushLines(bytes) : screen.push(textOf(bytes));
    if (screened instanceof Promise) {
      // A notice may come meanwhile, and takes its place behind: the bytes are the screen's.
      this.text.handOver();
      return screened.then((late) => this.release(late));
    }
    const refused = this.release(screened);
    this.text.clear();
    return refused;
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
        return this.release(screened);
      });
    });
  }

  /** Lets all of it go as it is. */
  private pass(bytes: Buffer): Eventual<Refused | undefined> {
    if (bytes.length > 0) this.recorded.keep(this.session.record([{ type: 'o', content: bytes }]));
    this.text.clear();
    return this.letGo(Number.POSITIVE_INFINITY);
  }

  private gather(bytes: Buffer, start: number, end: number, shape: RunShape | undefined): void {
    let run = this.gathered.at(-1);
    if (run === undefined || !run.goesOn(bytes, start, shape)) {
      run = new HeldRun(bytes, start, shape ?? PLAIN);
      this.gathered.push(run);
    }
    run.add(end, this.text.length);
  }

  private place(text: Buffer): void {
    if (text.length > 0) {
      this.hasText = true;
      this.isAtLineStart = text.at(-1) === LINE_FEED;
    }
    let at = 0;
    for (const run of this.gathered) {
      at = run.place(text, at, this.units);
      this.units = run.textEnd;
      this.held.push(run);
    }
    this.gathered = [];
  }

  private release(screened: Screened<Buffer | string>): Eventual<Refused | undefined> {
    const release = this.session.release('o', screened);
    this.recorded.keep(release.recorded);
    if (release.kind === 'blocked') return this.stop({ code: '42501', message: release.message });
    this.masks.add(release.masks);
    return this.letGo(release.upTo);
  }

  private letGo(upTo: number): Eventual<Refused | undefined> {
    for (let run = this.held[0]; run !== undefined; run = this.held[0]) {
      const unchanged = run.release(upTo, this.masks, this.out);
      if (unchanged instanceof Promise)
        return unchanged.then((late) => (late === undefined ? this.letGo(upTo) : this.refuseCell(late)));
      if (unchanged !== undefined) return this.refuseCell(unchanged);
      if (!run.isEmpty) break;
      this.held.shift();
    }
    // A row that is held may begin before `upTo`, and its masks with it.
    if (!this.masks.isEmpty) this.masks.forgetUpTo(this.held[0]?.textStart ?? upTo);
    return undefined;
  }

  /** Nothing more of the result may go on, because nobody can look at that cell. */
  refuseCell(cell: UnreadableCell): Refused {
    const { column, type } = cell;
    const names = [column?.name ?? '', type ?? ''];
    // A name may be made of data, and must not tell what the cell may not.
    const isTelling = this.session.mayTouch(Buffer.from(renderRow(names)));
    return this.refuse(unreadable(cell, isTelling ? undefined : column?.name, isTelling ? undefined : type));
  }

  /** Nothing more of the result may go on. */
  refuse(refused: Refused): Refused {
    this.recorded.flush();
    this.recorded.keep(this.session.record([{ type: 'e', content: `${refused.message}\n` }]));
    return this.stop(refused);
  }

  private stop(refused: Refused): Refused {
    for (const run of this.held) run.drop();
    this.held = [];
    this.gathered = [];
    this.text.clear();
    this.screen = undefined;
    this.isOpen = false;
    return refused;
  }
}
