import type { Session } from '../recording/session.entity';

/**
 * What the ledger does with a column of a session.
 * - `start`: from the first entry on; it never changes again.
 * - `end`: from the end of the session on.
 * - `recording`: from the end on; a journal that comes later may add to it, under the seal of the recording.
 * - `content`: what was said in the session, as a digest; retention removes it.
 * - `metadata`, `hold`, `removal`: from the end on; each change has an entry of its own kind.
 * - `internal`: not shown by the API, and not sealed.
 */
export type Sealing =
  | 'start'
  | 'end'
  | 'recording'
  | 'content'
  | 'metadata'
  | 'hold'
  | 'removal'
  | 'internal';

/** A decision for each column: one that is added does not compile without. */
export const sealing = {
  id: 'start',
  orgId: 'start',
  verb: 'start',
  type: 'start',
  connectionId: 'start',
  connectionName: 'start',
  connectionSubtype: 'start',
  connectionTags: 'start',
  resourceName: 'start',
  credentialId: 'start',
  identityType: 'start',
  userSubject: 'start',
  userEmail: 'start',
  userName: 'start',
  reason: 'start',
  scriptSize: 'start',
  sessionBatchId: 'start',
  correlationId: 'start',
  labels: 'start',
  status: 'end',
  stopReason: 'end',
  stoppedBy: 'end',
  // An approved script starts anew when it is run.
  startDate: 'end',
  endDate: 'end',
  exitCode: 'end',
  integrationsMetadata: 'end',
  eventSize: 'recording',
  eventsReceived: 'recording',
  eventsStored: 'recording',
  chunkCount: 'recording',
  chainHash: 'recording',
  guardrailsChecked: 'recording',
  guardrailsBlocked: 'recording',
  dataMasking: 'recording',
  script: 'content',
  guardrailsInfo: 'content',
  aiAnalysis: 'content',
  metadata: 'metadata',
  heldAt: 'hold',
  heldBy: 'hold',
  holdReason: 'hold',
  recordingPurgedAt: 'removal',
  // Which gateway runs it; null once it is over.
  gatewayId: 'internal',
  // The connection's own figure goes first.
  retentionDays: 'internal',
  journaled: 'internal',
  // It proves itself, and is made anew when keys are rotated.
  seal: 'internal',
  // Needed to check the digests of content; another one makes all of them wrong.
  contentSalt: 'internal',
} as const satisfies Record<keyof Session, Sealing>;

/** Columns of these kinds. */
export function sealedColumns(...kinds: readonly Sealing[]): (keyof Session)[] {
  return (Object.keys(sealing) as (keyof Session)[]).filter((column) => kinds.includes(sealing[column]));
}
