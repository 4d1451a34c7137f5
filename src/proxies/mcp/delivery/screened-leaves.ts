import type { Session } from '../../../gate/session';
import { TimeSlice } from '../../../kernel/async/time-slice';

/** A rule blocked a text. The message replaces the answer, and was recorded. */
export class BlockedText extends Error {}

/** Screened together: enough to rule most out at once, and few enough to be gone through one by one. */
const BATCH_TEXTS = 64;
const BATCH_UNITS = 64 * 1024;

/** Texts after the rules were applied. The same text is screened once. */
export class ScreenedLeaves {
  /** Only texts that changed, with what they became. */
  private readonly masked = new Map<string, string>();
  private readonly known = new Set<string>();

  constructor(private readonly session: Pick<Session, 'screenTexts'>) {}

  get areUnchanged(): boolean {
    return this.masked.size === 0;
  }

  isMasked(text: string): boolean {
    return this.masked.has(text);
  }

  /** The text with its masks. */
  of(text: string): string {
    return this.masked.get(text) ?? text;
  }

  /** @throws BlockedText; and what `Session.screenTexts` throws */
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
