const NONE: readonly Buffer[] = [];

/**
 * Bytes to send, in order. Adjacent ranges of one buffer are merged, so that unchanged bytes are neither
 * copied nor split.
 */
export class Spans {
  private pieces: Buffer[] = [];
  private bytes: Buffer | undefined;
  private start = 0;
  private end = 0;

  add(bytes: Buffer, start: number, end: number): void {
    if (bytes === this.bytes && start === this.end) {
      this.end = end;
      return;
    }
    this.close();
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  insert(piece: Buffer): void {
    this.add(piece, 0, piece.length);
  }

  get isEmpty(): boolean {
    return this.bytes === undefined && this.pieces.length === 0;
  }

  /** Removes and returns all pieces. */
  takePieces(): readonly Buffer[] {
    // Returns the only range directly, because there is usually only one.
    if (this.pieces.length === 0) return this.bytes === undefined ? NONE : [this.takeRange(this.bytes)];
    this.close();
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  private close(): void {
    if (this.bytes !== undefined) this.pieces.push(this.takeRange(this.bytes));
  }

  private takeRange(bytes: Buffer): Buffer {
    this.bytes = undefined;
    const isAll = this.start === 0 && this.end === bytes.length;
    return isAll ? bytes : bytes.subarray(this.start, this.end);
  }
}
