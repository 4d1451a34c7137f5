import { createHash, randomBytes } from 'node:crypto';
import { KeyRing } from '../../src/platform/keys/key-ring';
import { publicKeyFrom, publicPartOf, signingKeyOf } from '../../src/platform/keys/signature';
import { NO_CHUNK, RecordingSeal, chunkHash } from '../../src/sessions/format/chain';
import { encodePieces } from '../../src/sessions/format/event-codec';
import type { ChunkFacts } from '../../src/sessions/format/verification';
import type { SessionRow } from '../../src/sessions/recording/session.entity';
import type { SessionHead } from '../../src/sessions/list/session-head';
import {
  type FileSigner,
  type SessionEvidence,
  evidenceFile,
} from '../../src/sessions/evidence/files/evidence-file';
import { FileSeal } from '../../src/sessions/evidence/files/file-seal';
import { verifyFile } from '../../src/sessions/evidence/files/verify-file';

export const KEY = randomBytes(32);
export const sealsOf = (key: Buffer) => {
  const settings = { keys: [key] };
  return { recording: new RecordingSeal(settings), file: new FileSeal(settings) };
};
export const seals = sealsOf(KEY);
export const signerOf = (key: Buffer): FileSigner => ({
  seal: sealsOf(key).file,
  keyId: new KeyRing([key]).current.id,
  key: signingKeyOf(key),
});
export const jwksOf = (...keys: Buffer[]) => ({
  keys: keys.map((key) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    kid: new KeyRing([key]).current.id,
    x: publicPartOf(signingKeyOf(key)),
  })),
});
export const publicKeysOf = (...keys: Buffer[]) =>
  new Map(jwksOf(...keys).keys.map(({ kid, x }) => [kid, { id: kid, x, publicKey: publicKeyFrom(x) }]));

/** Returns a sealed recording with one chunk for each of `events`. The session id is always the same. */
export async function recorded(
  events = ['one', 'two', 'three'],
): Promise<{ session: SessionRow; chunks: ChunkFacts[] }> {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const chunks: ChunkFacts[] = [];
  for (const [index, text] of events.entries()) {
    const content = Buffer.from(text);
    const payload = await encodePieces([{ time: index, type: 'o', content, ends: true }]);
    const previous = chunks.at(-1)?.hash ?? NO_CHUNK;
    const hash = chunkHash(previous, id, index + 1, payload);
    chunks.push({ seq: index + 1, eventCount: 1, rawSize: content.length, payload, previous, hash });
  }
  const end = {
    chunkCount: chunks.length,
    chainHash: chunks.at(-1)?.hash ?? NO_CHUNK,
    eventsStored: chunks.length,
    eventSize: events.join('').length,
  };
  const session = {
    id,
    ...end,
    status: 'done',
    verb: 'exec',
    type: 'database',
    connectionName: 'orders',
    connectionSubtype: 'postgres',
    userEmail: 'alice@example.com',
    userSubject: 'alice',
    userName: 'Alice \u001B[31m\u202E',
    identityType: 'user',
    startDate: new Date('2026-03-01T10:00:00Z'),
    endDate: new Date('2026-03-01T10:00:01Z'),
    exitCode: 0,
    seal: seals.recording.of({ sessionId: id, ...end }),
  } as SessionRow;
  return { session, chunks };
}

/** Returns a session in the form of the API, with only the members that the verifier reads. */
export function evidenceOf(session: SessionRow, faults: readonly string[]): SessionEvidence {
  const head = {
    id: session.id,
    status: session.status,
    connection: session.connectionName,
    user: session.userEmail,
    start_date: session.startDate,
    end_date: session.endDate,
  } as SessionHead;
  return { head, faults, ledger: null };
}

export async function fileOf(
  recording: { session: SessionRow; chunks: ChunkFacts[] },
  by = signerOf(KEY),
  faults: string[] = [],
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const chunks = (async function* () {
    yield* recording.chunks;
  })();
  for await (const part of evidenceFile(recording.session, evidenceOf(recording.session, faults), chunks, by))
    parts.push(part);
  return Buffer.concat(parts);
}

export async function* read(file: Buffer, size = 100): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

export const faultsOf = async (file: Buffer, keys?: typeof seals) =>
  (await verifyFile(read(file), { seals: keys })).faults;

/** Returns a seal that uses a wrong key, but contains the id of the right key. */
export function forgedSeal(): FileSeal {
  const other = sealsOf(randomBytes(32)).file;
  const forged = new FileSeal({ keys: [KEY] });
  forged.of = (digest) => Buffer.concat([seals.file.of(digest).subarray(0, 5), other.of(digest).subarray(5)]);
  return forged;
}

/** Returns an evidence file of version 1, which has no signature, and no key ids in its seals. */
export function asVersion1(session: SessionRow, chunks: readonly ChunkFacts[]): Buffer {
  const digest = createHash('sha256');
  const line = (content: object): string => {
    const text = `${JSON.stringify(content)}\n`;
    digest.update(text);
    return text;
  };
  const lines = [
    line({
      format: 'access-gateway-recording',
      version: 1,
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
        start_date: session.startDate,
        end_date: session.endDate,
        exit_code: session.exitCode,
      },
      chunk_count: session.chunkCount,
      chain_hash: session.chainHash.toString('hex'),
      events: session.eventsStored,
      event_size: session.eventSize,
      seal: session.seal?.subarray(-32).toString('hex') ?? null,
    }),
    ...chunks.map(({ seq, eventCount, rawSize, previous, hash, payload }) =>
      line({
        seq,
        event_count: eventCount,
        raw_size: rawSize,
        previous: previous.toString('hex'),
        hash: hash.toString('hex'),
        payload: payload.toString('base64'),
      }),
    ),
  ];
  lines.push(line({ file_seal: seals.file.of(digest.copy().digest()).subarray(-32).toString('hex') }));
  lines.push(`${JSON.stringify({ end: { chunks: chunks.length, sha256: digest.digest('hex') } })}\n`);
  return Buffer.from(lines.join(''));
}
