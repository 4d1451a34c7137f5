import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../kernel/principal';
import { PublishedKeys } from '../../../platform/keys/published-keys';
import { readAhead } from '../../format/read-ahead';
import { RecordingReader } from '../../recording/recording-reader';
import type { SessionRow } from '../../recording/session.entity';
import { evidenceFile } from './evidence-file';
import { FileSeal } from './file-seal';
import { SessionEvidences } from './session-evidence';

/** Number of chunks that are read ahead while one chunk is sent. */
const CHUNKS_AHEAD = 3;

/** Writes files of evidence. */
@Injectable()
export class EvidenceFiles {
  constructor(
    private readonly evidences: SessionEvidences,
    private readonly recordings: RecordingReader,
    private readonly seal: FileSeal,
    private readonly keys: PublishedKeys,
  ) {}

  /**
   * Returns the content of an evidence file. The caller has checked that `actor` may read the recording, and
   * that the recording exists.
   */
  async of(actor: Principal, found: SessionRow): Promise<AsyncGenerator<Buffer>> {
    const { session, evidence } = await this.evidences.of(actor, found);
    const stored = this.recordings.chunks(session, { upTo: session.chunkCount, asFound: true });
    const chunks = readAhead(stored, async (chunk) => chunk, CHUNKS_AHEAD);
    const { id: keyId, key } = this.keys.current;
    return evidenceFile(session, evidence, chunks, { seal: this.seal, keyId, key });
  }
}
