import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ArchiveSettings } from '../../platform/config/groups';
import { messageOf } from '../../kernel/app-error';
import { Semaphore } from '../../kernel/async/semaphore';
import { ArchiveMetrics } from './archive-metrics';
import { ArchiveMove, BrokenRecording, type Move, claimSeconds } from './archive-move';
import { ArchiveRows } from './archive-rows';
import { CLAIM_MOVES, POSTPONE_MOVE, REFUSE_MOVE, RELEASE_MOVES } from './archive-statements';
import type { RecordingBucket } from './bucket/bucket';
import { BucketFault } from './bucket/bucket-fault';

const CLAIMED_AT_ONCE = 16;
/** Maximum number of recordings that move in parallel. Each may hold one segment (8 MiB) in memory. */
const MOVES_AT_ONCE = 4;
const FIRST_RETRY_SECONDS = 10;
const LAST_RETRY_SECONDS = 900;
/**
 * Delay before the next attempt for a recording whose retention ends within an hour. It is not moved, because
 * retention will remove it.
 */
const LEFT_TO_RETENTION_SECONDS = 3_600;

/** Queue of recordings to move, with their attempts. Any number of gateways work on it in parallel. */
@Injectable()
export class ArchiveQueue {
  private readonly log = new Logger(ArchiveQueue.name);

  constructor(
    private readonly settings: ArchiveSettings,
    private readonly rows: ArchiveRows,
    private readonly moves: ArchiveMove,
    private readonly metrics: ArchiveMetrics,
  ) {}

  /**
   * Moves some recordings. Returns whether more recordings may wait.
   * @throws BucketFault when the bucket failed; the remaining recordings are left for later
   */
  async moveSome(bucket: RecordingBucket, stop: AbortSignal): Promise<boolean> {
    const claim = randomUUID();
    const claimed = await this.rows.query<Omit<Move, 'claim'>>(CLAIM_MOVES, [
      this.settings.afterMinutes,
      claim,
      claimSeconds(bucket),
      CLAIMED_AT_ONCE,
    ]);
    const places = new Semaphore(MOVES_AT_ONCE);
    const left: string[] = [];
    let fault: BucketFault | undefined;
    const outcomes = await Promise.allSettled(
      claimed.map((recording) =>
        places.run(async () => {
          // Releases the remaining recordings without an attempt after a fault of the bucket.
          if (fault !== undefined || stop.aborted) left.push(recording.id);
          else fault = (await this.attempt(bucket, { ...recording, claim })) ?? fault;
        }),
      ),
    );
    if (left.length > 0) await this.rows.query(RELEASE_MOVES, [left, claim]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    if (fault !== undefined) throw fault;
    return claimed.length === CLAIMED_AT_ONCE;
  }

  /** Returns the fault of the bucket if it may also affect other recordings. */
  private async attempt(bucket: RecordingBucket, move: Move): Promise<BucketFault | undefined> {
    const { id, claim } = move;
    if (move.lockUntil === null && !move.isHeld) {
      await this.rows.query(POSTPONE_MOVE, [id, claim, LEFT_TO_RETENTION_SECONDS, null]);
      return undefined;
    }
    try {
      const outcome = await this.moves.execute(bucket, move);
      if (outcome === 'moved') this.metrics.moved(move.eventSize);
      else if (outcome === 'grown') await this.rows.query(RELEASE_MOVES, [[id], claim]);
      return undefined;
    } catch (error) {
      if (error instanceof BrokenRecording) {
        // Returns no row if retention has removed the recording meanwhile.
        if ((await this.rows.query(REFUSE_MOVE, [id, claim, error.message])).length > 0)
          this.log.error(
            `The recording of session ${id} stays in PostgreSQL, because it is not what was recorded: ${error.message}`,
          );
        return undefined;
      }
      const fault = error instanceof BucketFault ? error : undefined;
      await this.rows.query(POSTPONE_MOVE, [id, claim, retrySeconds(move.attempts), messageOf(error)]);
      if (fault === undefined) throw error;
      this.metrics.failed(fault);
      // Wrong bytes in one object do not affect other recordings.
      return fault.kind === 'wrong' ? undefined : fault;
    }
  }
}

function retrySeconds(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20), LAST_RETRY_SECONDS);
}
