/** Receives, from left to right, what the canonical text has in place of pieces of the source. */
export interface Rewriter {
  replace(start: number, end: number, text: string): void;
  comment(start: number, end: number): void;
  /** Begins a text within the text: a word, the body of a here-document, or what stands in backquotes. */
  open(start: number): void;
  /** Ends the last text that began. @param mayBeCode whether it is resolved again, as code in turn */
  close(end: number, mayBeCode: boolean): void;
}
