import { AppError } from '../kernel/app-error';
import type { SessionRow } from './session.entity';

/** The session exists, but its recording was removed. */
export class RecordingRemoved extends AppError {
  constructor(removedAt: Date) {
    const when = removedAt.toISOString();
    super(
      'not_found',
      `the recording was removed at ${when}, after its retention; the session itself is kept`,
    );
  }
}

/** A part of the recording is nowhere. What comes after it would look as if it followed what comes before it. */
export class RecordingIncomplete extends AppError {
  /** @param seq the first chunk that is missing */
  constructor(seq: number) {
    super(
      'unprocessable',
      `chunk ${seq} of this recording is missing: verify the session to see what else is; its evidence file has what is left`,
    );
  }
}

/** Must be called before a recording is read. @throws RecordingRemoved */
export function mustBeKept({ recordingPurgedAt }: Pick<SessionRow, 'recordingPurgedAt'>): void {
  if (recordingPurgedAt !== null) throw new RecordingRemoved(recordingPurgedAt);
}
