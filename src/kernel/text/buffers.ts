export function bytesOf(pieces: readonly Buffer[]): number {
  let bytes = 0;
  for (const { length } of pieces) bytes += length;
  return bytes;
}

export function firstBytes(pieces: readonly Buffer[], bytes: number): Buffer[] {
  const first: Buffer[] = [];
  let left = bytes;
  for (const piece of pieces) {
    if (left === 0) break;
    const part = piece.length > left ? piece.subarray(0, left) : piece;
    first.push(part);
    left -= part.length;
  }
  return first;
}
