import type { JudgedFor, Mask, OutputScreen, Screened } from '../../gate/ports/guardrails';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { textOf, unitsOf } from '../../kernel/text/utf8';
import { StreamScreen } from './stream-screen';
import type { TextSearch } from './text-search';
import type { LineRange } from '../analysis/touched-lines';

const NOTHING: Buffer = Buffer.alloc(0);
const NO_MASKS: readonly Mask[] = [];

/** A run of whole lines that are all searched, or all released unsearched. */
interface Part {
  readonly bytes: Buffer;
  readonly isTouched: boolean;
}

/** The released text and its masks. */
interface LetGo {
  readonly texts: Buffer[];
  readonly masks: Mask[];
}

/**
 * Screens a stream, but searches only the lines that may be part of a match. At a line that cannot be part of
 * a match, the stream is split: the text held before the line is released, and screening starts again after
 * the line.
 */
export class LineScreen implements OutputScreen {
  private readonly screen: StreamScreen;
  /**
   * Buffer that is reused for the released bytes, because allocating one for each chunk of a long result
   * keeps the garbage collector busy.
   */
  private room = NOTHING;

  constructor(
    private readonly search: TextSearch,
    owner?: JudgedFor,
    before = '',
  ) {
    this.screen = new StreamScreen(search, owner, before);
  }

  get before(): string {
    return this.screen.before;
  }

  push(chunk: string): MaybePromise<Screened> {
    return this.screen.push(chunk);
  }

  pushLines(lines: Buffer): MaybePromise<Screened<Buffer>> {
    const touched = this.search.touchedLines(lines);
    // The common case: nothing is held, and no line can be part of a match.
    if (touched.length === 0 && this.screen.isAtRest) {
      if (lines.length > 0) this.screen.begin(unitsOf(lines));
      return { kind: 'pass', text: lines, upTo: this.screen.upTo, masks: NO_MASKS };
    }
    return this.screenParts(partsOf(lines, touched), 0, { texts: [], masks: [] });
  }

  finish(): MaybePromise<Screened> {
    return this.screen.finish();
  }

  flush(): MaybePromise<Screened> {
    return this.screen.flush();
  }

  private screenParts(parts: readonly Part[], from: number, letGo: LetGo): MaybePromise<Screened<Buffer>> {
    for (let index = from; index < parts.length; index += 1) {
      const part = parts[index] as Part;
      const screened = part.isTouched ? this.screen.push(textOf(part.bytes)) : this.screen.finish();
      if (screened instanceof Promise)
        return screened.then(
          (late) => this.taken(part, late, letGo) ?? this.screenParts(parts, index + 1, letGo),
        );
      const blocked = this.taken(part, screened, letGo);
      if (blocked !== undefined) return blocked;
    }
    return { kind: 'pass', text: this.joined(letGo.texts), upTo: this.screen.upTo, masks: letGo.masks };
  }

  private joined(texts: readonly Buffer[]): Buffer {
    const [first] = texts;
    if (first === undefined || texts.length === 1) return first ?? NOTHING;
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    if (size > this.room.length) this.room = Buffer.allocUnsafe(size + (size >> 2));
    let at = 0;
    for (const text of texts) at += text.copy(this.room, at);
    return this.room.subarray(0, at);
  }

  /** Adds the result for a part to the released parts. @returns the result if it is a block */
  private taken(
    { bytes, isTouched }: Part,
    screened: Screened,
    { texts, masks }: LetGo,
  ): (Screened & { kind: 'block' }) | undefined {
    if (screened.kind === 'block') return screened;
    if (screened.text !== '') texts.push(Buffer.from(screened.text));
    for (const mask of screened.masks) masks.push(mask);
    if (isTouched) return undefined;
    this.screen.begin(unitsOf(bytes));
    texts.push(bytes);
    return undefined;
  }
}

function partsOf(lines: Buffer, touched: readonly LineRange[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of touched) {
    if (start > at) parts.push({ bytes: lines.subarray(at, start), isTouched: false });
    parts.push({ bytes: lines.subarray(start, end), isTouched: true });
    at = end;
  }
  if (at < lines.length) parts.push({ bytes: lines.subarray(at), isTouched: false });
  return parts;
}
