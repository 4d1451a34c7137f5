import type { Session } from '../../../gate/session';
import { TimeSlice } from '../../../kernel/async/time-slice';

/** Error: a rule blocked a text. The error's message replaces the answer and is already recorded. */
export class BlockedText extends Error {}

/**
 * Maximum number of texts screened together. Large enough that one check passes most messages, and small
 * enough to screen the texts one by one after a match.
 */
const BATCH_TEXTS = 64;
const BATCH_UNITS = 64 * 1024;

/** Screens texts and remembers the results, so that equal texts are screened once. */
export class ScreenedLeaves {
  /** Masked texts by their originals. Unchanged texts are missing. */
  private readonly masked = new Map<string, string>();
  private readonly known = new Set<string>();

  constructor(private readonly session: Pick<Session, 'screenTexts'>) {}

  get areUnchanged(): boolean {
    return this.masked.size === 0;
  }

  isMasked(text: string): boolean {
    return this.masked.has(text);
  }

  /** Returns the text with its masks. */
  of(text: string): string {
    return this.masked.get(text) ?? text;
  }

  /** @throws BlockedText; also the errors of `Session.screenTexts` */
  async screen(texts: Iterable<string>): Promise<void> {
    const slice = new TimeSlice();
    let batch: string[] = [];
    let units = 0;
    let looks = 0;
    for (const text of texts) {
      if ((looks += 1) % BATCH_TEXTS === 0 && slice.isOver) await slice.next();
      if (text === '' || this.known.has(text)) continue;
      this.known.add(text);
      batch.push(text);
      units += text.length;
      if (batch.length < BATCH_TEXTS && units < BATCH_UNITS) continue;
      await this.screenBatch(batch);
      [batch, units] = [[], 0];
      if (slice.isOver) await slice.next();
    }
    if (batch.length > 0) await this.screenBatch(batch);
  }

  private async screenBatch(batch: readonly string[]): Promise<void> {
    const screened = await this.session.screenTexts(batch);
    if ('blocked' in screened) throw new BlockedText(screened.blocked);
    for (const [index, text] of batch.entries()) {
      const after = screened.texts[index];
      if (after === undefined) throw new Error('a text was not screened');
      if (after !== text) this.masked.set(text, after);
    }
  }
}
