import { z } from 'zod';
import type { ChunkFacts, RecordingFacts } from '../recording/verification';

/** The first words of each file, and how what follows is to be read. */
export const FORMAT = 'access-gateway-recording';
const VERSION = 1;

const count = z.number().int().nonnegative();
const hex = z
  .string()
  .regex(/^([0-9a-f]{2})*$/)
  .transform((text) => Buffer.from(text, 'hex'));
const base64 = z.string().transform((text) => Buffer.from(text, 'base64'));

/** What the gateway knew of the session when the file was made. */
const session = z.strictObject({
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

/** The first line. Hashes and seals are in lower-case hex. */
export const headLine = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  session,
  chunk_count: count,
  chain_hash: hex,
  events: count,
  event_size: count,
  seal: hex.nullable(),
});

/** A line for each chunk, in order. */
export const chunkLine = z.strictObject({
  seq: count,
  event_count: z.number().int(),
  raw_size: z.number().int(),
  previous: hex,
  hash: hex,
  payload: base64,
});

/** The line before the last one: the file's own seal, on all before it. */
export const sealLine = z.strictObject({ file_seal: hex });

/** The last line: without it, the file was cut off. `sha256` is of all before it. */
export const endLine = z.strictObject({ end: z.strictObject({ chunks: count, sha256: hex }) });

export type HeadLine = z.input<typeof headLine>;
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
