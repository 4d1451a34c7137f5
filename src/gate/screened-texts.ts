import { type MaybePromise, thenMaybe } from '../kernel/async/maybe-promise';
import { piecesOf } from '../kernel/text/pieces';
import { renderRow } from '../kernel/text/tabular-text';
import { inSlices, TimeSlice } from '../kernel/async/time-slice';
import type { GuardedTrail } from './guarded-trail';
import type { PendingEvents } from './pending-events';
import type { OutputScreen, Screened } from './ports/guardrails';
import { type ScreenedPieces, screenPieces } from './screened-pieces';

/**
 * Maximum length of a text that is screened in one step, in UTF-16 code units. Longer texts are screened in
 * pieces, in time slices.
 */
export const LARGE_TEXT = 256 * 1024;
const PIECE = 16 * 1024;

/** The texts that may be delivered, or the recorded reason why no text may be delivered. */
export type ScreenedTexts = { readonly texts: readonly string[] } | { readonly blocked: string };

type ScreenedText = string | { readonly blocked: string };

/**
 * Screens whole texts separately, such as the fields of an error or the value of a parameter. If one text is
 * blocked, none of the texts may be delivered. The caller records the released texts (`Session.note`).
 */
export class TextScreening {
  constructor(
    private readonly guarded: GuardedTrail,
    private readonly events: PendingEvents,
  ) {}

  screen(texts: readonly string[]): MaybePromise<ScreenedTexts> {
    if (!this.guarded.screensOutput) return { texts };
    const isLarge = texts.some((text) => text.length > LARGE_TEXT);
    if (!isLarge && !this.guarded.mayTouch(Buffer.from(renderRow(texts)))) return { texts };
    return this.screenAll(texts);
  }

  /** Screens all texts in one turn of the event loop if possible, because most texts are few and short. */
  private screenAll(texts: readonly string[]): MaybePromise<ScreenedTexts> {
    const slice = new TimeSlice();
    const done: string[] = [];
    for (const text of texts) {
      const screened = this.screenText(text);
      if (screened instanceof Promise) return this.screenRest(texts, done, screened);
      if (typeof screened !== 'string') return screened;
      done.push(screened);
      if (slice.isOver) return slice.next().then(() => this.screenRest(texts, done));
    }
    return { texts: done };
  }

  /**
   * Screens the remaining texts in time slices.
   * @param done the texts that were screened so far; the remaining ones are added to it.
   * @param first the result for the first remaining text, if its screening has begun.
   */
  private async screenRest(
    texts: readonly string[],
    done: string[],
    first?: Promise<ScreenedText>,
  ): Promise<ScreenedTexts> {
    const slice = new TimeSlice();
    let next: MaybePromise<ScreenedText> | undefined = first;
    for (const text of texts.slice(done.length)) {
      next ??= this.screenText(text);
      const screened: ScreenedText = next instanceof Promise ? await next : next;
      if (typeof screened !== 'string') return screened;
      done.push(screened);
      next = undefined;
      if (slice.isOver) await slice.next();
    }
    return { texts: done };
  }

  private screenText(text: string): MaybePromise<ScreenedText> {
    const screen = this.guarded.openScreen();
    if (text.length > LARGE_TEXT) return this.screenLarge(screen, text);
    return thenMaybe(screen.push(text), (first) => {
      if (first.kind === 'block') return this.blockedBy(first);
      return thenMaybe(screen.finish(), (last) => {
        if (last.kind === 'block') return this.blockedBy(last);
        this.guarded.trail.masked([...first.masks, ...last.masks]);
        return first.text + last.text;
      });
    });
  }

  private async screenLarge(screen: OutputScreen, text: string): Promise<ScreenedText> {
    const screened = await screenPieces(screen, piecesOf(text, PIECE), true);
    if (screened.kind === 'block') return this.blockedBy(screened);
    await inSlices(this.countMasks(screened));
    return screened.text;
  }

  private *countMasks(screened: ScreenedPieces): Generator<undefined, void> {
    for (const { masks } of screened.pieces()) {
      this.guarded.trail.masked(masks);
      yield;
    }
  }

  private blockedBy({ hit }: Screened & { readonly kind: 'block' }): { readonly blocked: string } {
    return { blocked: this.guarded.block(hit, this.events).message };
  }
}
