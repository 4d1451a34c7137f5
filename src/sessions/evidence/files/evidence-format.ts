import { z } from 'zod';
import { ENTRY_KINDS, type LedgerEntry } from '../../ledger/ledger-entry';
import type { ChunkFacts, RecordingFacts } from '../../format/verification';

/** Name of the format. Each file begins with it and with the version. */
export const FORMAT = 'access-gateway-recording';
/** Current version. Version 1 had only a part of the session, no ledger and no signature. */
const VERSION = 2;

const count = z.number().int().nonnegative();
const hex = z
  .string()
  .regex(/^([0-9a-f]{2})*$/)
  .transform((text) => Buffer.from(text, 'hex'));
const base64 = z.string().transform((text) => Buffer.from(text, 'base64'));

/** The session in files of version 1. */
const sessionInBrief = z.strictObject({
  id: z.string(),
  status: z.enum(['open', 'ready', 'done']),
  verb: z.string(),
  type: z.string(),
  connection: z.string(),
  connection_subtype: z.string(),
  user: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  identity_type: z.string(),
  start_date: z.string(),
  end_date: z.string().nullable(),
  exit_code: z.number().int().nullable(),
});

/** The session as the API showed it to the maker of the file. Lists only members that the verifier reads. */
const session = z.looseObject({
  id: z.string(),
  status: z.enum(['open', 'ready', 'done']),
  connection: z.string(),
  user: z.string(),
  start_date: z.string(),
  end_date: z.string().nullable(),
});

const values = z.record(z.string(), z.unknown());

/** An entry of the session in the ledger, as it was signed. */
const entry = z.strictObject({
  org_id: z.string(),
  number: count,
  kind: z.enum(ENTRY_KINDS),
  said: z.string(),
  recorded_at: z.string(),
  previous: hex,
  hash: hex,
  key_id: z.string(),
  signature: hex,
});

/**
 * The session's row, the texts that its digests cover, and its ledger entries. Only auditors and admins get
 * files with this part.
 */
const ledger = z.strictObject({
  row: values,
  /** Texts whose digests the ledger entries contain. Texts and salt are null after retention removed them. */
  content: z.record(z.string(), z.string().nullable()),
  salt: hex.nullable(),
  review: values.nullable(),
  entries: z.array(entry),
});

const recording = {
  chunk_count: count,
  chain_hash: hex,
  events: count,
  event_size: count,
  seal: hex.nullable(),
};

/** The first line. Hashes, seals and signatures are in lower-case hex. */
export const headLine = z.discriminatedUnion('version', [
  z.strictObject({ format: z.literal(FORMAT), version: z.literal(1), session: sessionInBrief, ...recording }),
  z.strictObject({
    format: z.literal(FORMAT),
    version: z.literal(VERSION),
    session,
    /** Faults that the gateway found in the session when it made the file. */
    faults: z.array(z.string()),
    ledger: ledger.nullable(),
    ...recording,
  }),
]);

/** A line with one chunk. The lines are in the order of the chunks. */
export const chunkLine = z.strictObject({
  seq: count,
  event_count: z.number().int(),
  raw_size: z.number().int(),
  previous: hex,
  hash: hex,
  payload: base64,
});

/** The second-last line: the seal and signature of the file, which cover all lines before it. */
export const sealLine = z.strictObject({
  file_seal: hex,
  /** Id of the key that signed, and its signature (Ed25519); absent in version 1. */
  key_id: z.string().optional(),
  signature: hex.optional(),
});

/** The last line. A file without it was cut off. `sha256` covers all lines before it. */
export const endLine = z.strictObject({ end: z.strictObject({ chunks: count, sha256: hex }) });

/** The head line in the current version. */
export type HeadLine = Extract<z.input<typeof headLine>, { version: typeof VERSION }>;
export type EvidenceLedger = z.output<typeof ledger>;
export type Head = z.output<typeof headLine>;
export type ChunkLine = z.input<typeof chunkLine>;
export type SealLine = z.input<typeof sealLine>;
export type EndLine = z.input<typeof endLine>;

export const head = { format: FORMAT, version: VERSION } as const;

export function factsOf({ session: { id, status }, ...said }: Head): RecordingFacts {
  return {
    sessionId: id,
    chunkCount: said.chunk_count,
    chainHash: said.chain_hash,
    eventsStored: said.events,
    eventSize: said.event_size,
    isOver: status === 'done',
    seal: said.seal,
  };
}

export function chunkOf(line: z.output<typeof chunkLine>): ChunkFacts {
  return { ...line, eventCount: line.event_count, rawSize: line.raw_size };
}

export function entriesOf(head: Head): LedgerEntry[] {
  if (head.version === 1) return [];
  return (head.ledger?.entries ?? []).map(({ org_id, number, recorded_at, key_id, ...said }) => ({
    ...said,
    orgId: org_id,
    seq: number,
    sessionId: head.session.id,
    recordedAt: new Date(recorded_at),
    keyId: key_id,
  }));
}
