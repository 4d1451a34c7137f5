import { AppError } from '../kernel/app-error';
import type { SessionRow } from './session.entity';

/** The session is there, its recording is not any more. */
export class RecordingRemoved extends AppError {
  constructor(removedAt: Date) {
    const when = removedAt.toISOString();
    super(
      'not_found',
      `the recording was removed at ${when}, after its retention; the session itself is kept`,
    );
  }
}

/** To be asked before a recording is read. @throws RecordingRemoved */
export function mustBeKept({ recordingPurgedAt }: Pick<SessionRow, 'recordingPurgedAt'>): void {
  if (recordingPurgedAt !== null) throw new RecordingRemoved(recordingPurgedAt);
}
