import type { Rewriter } from './rewriter';

/**
 * A place in a text that moves from left to right. A backslash before a line break joins two lines, also
 * inside words and operators, so the cursor never stops at one: `advance` and `settle` skip it. In single
 * quotes and comments lines are not joined; there callers move `at` themselves.
 */
export class TextCursor {
  constructor(
    readonly text: string,
    readonly rewriter?: Rewriter,
    public at = 0,
  ) {
    this.settle();
  }

  /** The current character; empty at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  /** The character after the current one. */
  get following(): string {
    return this.text.charAt(this.afterJoins(this.at + 1));
  }

  advance(): void {
    this.at += 1;
    this.settle();
  }

  /** Skips the joins of lines at the current place. */
  settle(): void {
    const end = this.afterJoins(this.at);
    if (end === this.at) return;
    this.rewriter?.replace(this.at, end, '');
    this.at = end;
  }

  /** Moves to a place that was found in `text`. */
  jump(at: number): void {
    this.at = at;
    this.settle();
  }

  /** Whether these characters follow, each after possible joins of lines. Moves after them if they do. */
  take(characters: string): boolean {
    let at = this.at;
    for (const character of characters) {
      if (this.text.charAt(at) !== character) return false;
      at = this.afterJoins(at + 1);
    }
    for (const _ of characters) this.advance();
    return true;
  }

  private afterJoins(at: number): number {
    let end = at;
    while (this.text.charAt(end) === '\\' && this.text.charAt(end + 1) === '\n') end += 2;
    return end;
  }
}
