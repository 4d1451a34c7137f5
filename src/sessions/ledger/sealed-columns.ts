import type { SessionRow } from '../recording/session.entity';

/**
 * Treatment of a session's column in the ledger.
 * - `start`: from the first entry on; it never changes again.
 * - `end`: from the end of the session on.
 * - `recording`: from the end on; a journal that comes later may add to it, under the seal of the recording.
 * - `content`: texts of the session, as digests; retention removes the texts.
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

/** A decision for each column. A new column does not compile without one. */
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
  // Applies once the connection is deleted.
  retentionDays: 'start',
  status: 'end',
  stopReason: 'end',
  stoppedBy: 'end',
  // The start of an approved script changes when it is run.
  startDate: 'end',
  endDate: 'end',
  // Null: no gateway runs it any more.
  gatewayId: 'end',
  exitCode: 'end',
  integrationsMetadata: 'end',
  eventSize: 'recording',
  eventsReceived: 'recording',
  eventsStored: 'recording',
  chunkCount: 'recording',
  chainHash: 'recording',
  // A smaller number would have a journal stored again.
  journaled: 'recording',
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
  // The seal proves itself. Key rotation replaces it.
  seal: 'internal',
  // The digests of content depend on it: an edit of the salt makes all of them wrong.
  contentSalt: 'internal',
} as const satisfies Record<keyof SessionRow, Sealing>;

/** The columns of these kinds. */
export function sealedColumns(...kinds: readonly Sealing[]): (keyof SessionRow)[] {
  return (Object.keys(sealing) as (keyof SessionRow)[]).filter((column) => kinds.includes(sealing[column]));
}
