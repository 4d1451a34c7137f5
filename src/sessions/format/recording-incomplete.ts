import { AppError } from '../../kernel/app-error';
import type { ChunkFacts } from './verification';

/**
 * Error for a chunk that is in neither PostgreSQL nor object storage. Reading ends there, because otherwise
 * later events would seem to follow directly after the events before the gap.
 */
export class RecordingIncomplete extends AppError {
  /** @param seq the first chunk that is missing */
  constructor(seq: number) {
    super(
      'unprocessable',
      `chunk ${seq} of this recording is missing: verify the session to see what else is; its evidence file has what is left`,
    );
  }
}

/** Returns the beginning of the list that continues after chunk `last` without a gap. */
export function unbroken<Chunk extends Pick<ChunkFacts, 'seq'>>(
  chunks: readonly Chunk[],
  last: number,
): readonly Chunk[] {
  const gap = chunks.findIndex(({ seq }, index) => seq !== last + 1 + index);
  return gap < 0 ? chunks : chunks.slice(0, gap);
}
