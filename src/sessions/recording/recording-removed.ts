import { AppError } from '../../kernel/app-error';
import type { SessionRow } from './session.entity';

/** Error: the session exists, but its recording was removed. */
export class RecordingRemoved extends AppError {
  constructor(removedAt: Date) {
    const when = removedAt.toISOString();
    super(
      'not_found',
      `the recording was removed at ${when}, after its retention; the session itself is kept`,
    );
  }
}

/** Must be called before a recording is read. @throws RecordingRemoved */
export function mustBeKept({ recordingPurgedAt }: Pick<SessionRow, 'recordingPurgedAt'>): void {
  if (recordingPurgedAt !== null) throw new RecordingRemoved(recordingPurgedAt);
}
