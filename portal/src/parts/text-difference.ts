/** A piece of a comparison: text in both versions (`same`), only in the new one, or only in the old one. */
export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Maximum steps of a comparison. Beyond it, the differing middle of the texts counts as replaced. */
const MOST_STEPS = 200_000;
const WORDS = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** Compares two texts word by word. Their longest common subsequence counts as unchanged. */
export function differenceOf(before: string, after: string): readonly Piece[] {
  const old = before.match(WORDS) ?? [];
  const now = after.match(WORDS) ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return joined([
    { kind: 'same', text: old.slice(0, head).join('') },
    ...middle,
    { kind: 'same', text: old.slice(old.length - tail).join('') },
  ]);
}

function between(old: readonly string[], now: readonly string[]): readonly Piece[] {
  if (old.length * now.length > MOST_STEPS)
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: now.join('') },
    ];
  const lengths = commonLengths(old, now);
  const width = now.length + 1;
  const pieces: Piece[] = [];
  let left = 0;
  let right = 0;
  while (left < old.length || right < now.length) {
    const [gone, come] = [old[left], now[right]];
    if (gone !== undefined && gone === come) {
      pieces.push({ kind: 'same', text: gone });
      left++;
      right++;
    } else if (
      gone !== undefined &&
      (come === undefined ||
        (lengths[(left + 1) * width + right] ?? 0) >= (lengths[left * width + right + 1] ?? 0))
    ) {
      pieces.push({ kind: 'removed', text: gone });
      left++;
    } else {
      pieces.push({ kind: 'added', text: come ?? '' });
      right++;
    }
  }
  return pieces;
}

/**
 * Returns, for each pair of positions in the two texts, the length of the longest common subsequence of the
 * words after these positions.
 */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let left = old.length - 1; left >= 0; left--)
    for (let right = now.length - 1; right >= 0; right--)
      lengths[left * width + right] =
        old[left] === now[right]
          ? (lengths[(left + 1) * width + right + 1] ?? 0) + 1
          : Math.max(lengths[(left + 1) * width + right] ?? 0, lengths[left * width + right + 1] ?? 0);
  return lengths;
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.text === '') continue;
    if (last?.kind === piece.kind) all[all.length - 1] = { ...last, text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}
