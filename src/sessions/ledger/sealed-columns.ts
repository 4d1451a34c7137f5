import type { SessionRow } from '../recording/session.entity';

/**
 * Treatment of a session's column in the ledger.
 * - `start`: sealed from the first entry on; it never changes again.
 * - `end`: sealed from the end of the session on.
 * - `recording`: sealed from the end on; a late journal may add to it, under the seal of the recording.
 * - `content`: texts of the session, sealed as digests; retention removes the texts.
 * - `metadata`, `hold`, `removal`: sealed from the end on; each change has an entry of its own kind.
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

/** Treatment of each column. A new column without a treatment does not compile. */
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
  // Applies only after the connection is deleted. Until then, the connection's current retention applies.
  retentionDays: 'start',
  status: 'end',
  stopReason: 'end',
  stoppedBy: 'end',
  // The start of an approved script changes when it is run.
  startDate: 'end',
  endDate: 'end',
  // Changes before the end, because it is null while no gateway runs the session.
  gatewayId: 'end',
  exitCode: 'end',
  integrationsMetadata: 'end',
  eventSize: 'recording',
  eventsReceived: 'recording',
  eventsStored: 'recording',
  chunkCount: 'recording',
  chainHash: 'recording',
  // Sealed, because a smaller number would make a gateway store events of a journal a second time.
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
  // Not sealed, because the seal proves itself and key rotation replaces it.
  seal: 'internal',
  // Not sealed, because the content digests depend on it: an edit of the salt makes all of them wrong.
  contentSalt: 'internal',
} as const satisfies Record<keyof SessionRow, Sealing>;

/** Returns the columns with the given treatments. */
export function sealedColumns(...kinds: readonly Sealing[]): (keyof SessionRow)[] {
  return (Object.keys(sealing) as (keyof SessionRow)[]).filter((column) => kinds.includes(sealing[column]));
}
