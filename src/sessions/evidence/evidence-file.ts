import { createHash } from 'node:crypto';
import type { ChunkFacts } from '../recording/verification';
import type { Session } from '../session.entity';
import { type ChunkLine, type EndLine, type HeadLine, type SealLine, head } from './evidence-format';
import type { FileSeal } from './file-seal';

/**
 * A recording as a file that proves itself without the gateway's database: JSON lines, a head, the chunks as they are
 * stored, and an end mark. `chunks` are those that the session's row counts.
 */
export async function* evidenceFile(
  session: Session,
  chunks: AsyncIterable<ChunkFacts>,
  fileSeal: FileSeal,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  const line = (content: HeadLine | ChunkLine | SealLine): Buffer => {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    digest.update(bytes);
    return bytes;
  };
  yield line(headOf(session));
  let count = 0;
  for await (const chunk of chunks) {
    count += 1;
    yield line(lineOf(chunk));
  }
  yield line({ file_seal: fileSeal.of(digest.copy().digest()).toString('hex') });
  const end: EndLine = { end: { chunks: count, sha256: digest.digest('hex') } };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

function headOf(session: Session): HeadLine {
  return {
    ...head,
    session: {
      id: session.id,
      status: session.status,
      verb: session.verb,
      type: session.type,
      connection: session.connectionName,
      connection_subtype: session.connectionSubtype,
      user: session.userEmail,
      user_id: session.userSubject,
      user_name: session.userName,
      identity_type: session.identityType,
      start_date: session.startDate.toISOString(),
      end_date: session.endDate?.toISOString() ?? null,
      exit_code: session.exitCode,
    },
    chunk_count: session.chunkCount,
    chain_hash: session.chainHash.toString('hex'),
    events: session.eventsStored,
    event_size: session.eventSize,
    seal: session.seal?.toString('hex') ?? null,
  };
}

function lineOf({ seq, eventCount, rawSize, previous, hash, payload }: ChunkFacts): ChunkLine {
  return {
    seq,
    event_count: eventCount,
    raw_size: rawSize,
    previous: previous.toString('hex'),
    hash: hash.toString('hex'),
    payload: payload.toString('base64'),
  };
}
