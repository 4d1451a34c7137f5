import { type KeyObject, createHash } from 'node:crypto';
import { begun } from '../../../kernel/async/begun';
import { plainJson } from '../../../kernel/json/json';
import { sign } from '../../../platform/keys/signature';
import type { ChunkFacts } from '../../format/verification';
import type { SessionHead } from '../../list/session-head';
import type { SessionRow } from '../../recording/session.entity';
import { type ChunkLine, type EndLine, type HeadLine, type SealLine, head } from './evidence-format';
import type { FileSeal } from './file-seal';

/** The content of an evidence file without the recording. */
export interface SessionEvidence {
  /** The session as the API shows it to the principal who makes the file. */
  readonly head: SessionHead;
  readonly faults: readonly string[];
  /** null for principals who may not see entries of the ledger. */
  readonly ledger: HeadLine['ledger'];
}

/** Keys that seal and sign a file. */
export interface FileSigner {
  readonly seal: FileSeal;
  readonly keyId: string;
  readonly key: KeyObject;
}

/**
 * Writes a recording as a file that can be verified without the gateway's database. The file has JSON lines:
 * a head, the chunks as they are stored, the seal and an end mark. `chunks` must not go beyond the chunk
 * count in the session's row.
 */
export async function* evidenceFile(
  session: SessionRow,
  evidence: SessionEvidence,
  chunks: AsyncGenerator<ChunkFacts>,
  signer: FileSigner,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  const line = (content: HeadLine | ChunkLine | SealLine): Buffer => {
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
    digest.update(bytes);
    return bytes;
  };
  // Reads the first chunk before the head is sent, so that an unreadable recording gives an error and not a
  // truncated file.
  const readable = await begun(chunks);
  let count = 0;
  try {
    yield line(headOf(session, evidence));
    for await (const chunk of readable) {
      count += 1;
      yield line(lineOf(chunk));
    }
  } finally {
    await readable.return(undefined);
  }
  const sealed = digest.copy().digest();
  const signature = await sign('evidence file', sealed, signer.key);
  yield line({
    file_seal: signer.seal.of(sealed).toString('hex'),
    key_id: signer.keyId,
    signature: signature.toString('hex'),
  });
  const end: EndLine = { end: { chunks: count, sha256: digest.digest('hex') } };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

function headOf(session: SessionRow, { head: shown, faults, ledger }: SessionEvidence): HeadLine {
  return {
    ...head,
    session: plainJson(shown) as HeadLine['session'],
    faults: [...faults],
    ledger,
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
