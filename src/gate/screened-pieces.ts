import type { OutputScreen, Screened } from './ports/guardrails';
import { TimeSlice } from '../kernel/async/time-slice';
import { MaskColumns } from './mask-columns';

type Passed = Screened & { readonly kind: 'pass' };
type Blocked = Screened & { readonly kind: 'block' };

/** The parts of a long text that the output screen released for delivery. */
export class ScreenedPieces {
  readonly kind = 'pass';
  readonly masks = new MaskColumns();
  private readonly passed: { readonly text: string; readonly upTo: number }[] = [];
  /** Length of the screened text in UTF-16 code units. */
  units = 0;
  /** Offset up to which the stream has been released; 0 while nothing has been released. */
  upTo = 0;

  add({ text, upTo, masks }: Passed): void {
    this.passed.push({ text, upTo });
    this.masks.add(masks);
    this.upTo = upTo;
  }

  /** Yields the released text in the same pieces in which the screen released it. */
  *pieces(): Generator<Passed> {
    let from = -Infinity;
    for (const { text, upTo } of this.passed) {
      yield { kind: 'pass', text, upTo, masks: this.masks.between(from, upTo) };
      from = upTo;
    }
  }

  get text(): string {
    return this.passed.map(({ text }) => text).join('');
  }
}

/**
 * Screens a text in pieces, and lets the event loop turn between the pieces. Returns the released text only
 * at the end, so that nothing of a blocked text is recorded or delivered.
 * @param isAll whether the stream ends with this text.
 */
export async function screenPieces(
  screen: OutputScreen,
  pieces: Iterable<string>,
  isAll = false,
): Promise<ScreenedPieces | Blocked> {
  const slice = new TimeSlice();
  const found = new ScreenedPieces();
  for (const piece of pieces) {
    found.units += piece.length;
    const screened = await screen.push(piece);
    if (screened.kind === 'block') return screened;
    found.add(screened);
    if (slice.isOver) await slice.next();
  }
  if (!isAll) return found;
  const last = await screen.finish();
  if (last.kind === 'block') return last;
  found.add(last);
  return found;
}
