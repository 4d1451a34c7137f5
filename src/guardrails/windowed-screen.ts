import type { OutputScreen, Screened, Verdict } from '../gate/ports/guardrails';

/** Characters held back: a hit of up to this length is found whole, wherever the stream is cut. */
export const LOOK_BACK = 4_096;

/**
 * Screens a stream with a bounded look-back: the last `LOOK_BACK` characters wait until what follows them
 * is known, so no cut hides a hit and nothing of a hit is released. Memory is bounded by the window and
 * one chunk.
 */
export class WindowedScreen implements OutputScreen {
  private held = '';

  constructor(
    private readonly judge: (text: string) => Verdict,
    private readonly hasRules: boolean,
  ) {}

  push(chunk: string): Screened {
    if (!this.hasRules) return { kind: 'pass', text: chunk };
    const text = this.held + chunk;
    const verdict = this.judge(text);
    if (verdict.kind === 'block') return this.block(verdict);
    const cut = cutBefore(text, text.length - LOOK_BACK);
    this.held = text.slice(cut);
    return { kind: 'pass', text: text.slice(0, cut) };
  }

  finish(): Screened {
    // What is held was judged with the chunk that brought it.
    const text = this.held;
    this.held = '';
    return { kind: 'pass', text };
  }

  private block(verdict: Verdict & { kind: 'block' }): Screened {
    this.held = '';
    return verdict;
  }
}

/** Never between the halves of a surrogate pair: each half alone would be recorded as U+FFFD. */
function cutBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  const isHighSurrogate = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isHighSurrogate ? at - 1 : at;
}
