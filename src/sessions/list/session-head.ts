import type { ReviewView } from '../../approvals/reviews/requests/review.dto';
import type { HoldView } from './session-parts.dto';
import type { SessionView } from './session.dto';
import type { SessionRow } from '../recording/session.entity';

/** A session without its recording, as the API shows it. */
export type SessionHead = Omit<SessionView, 'event_stream' | 'event_size'>;

interface Sees {
  readonly script: boolean;
  /** Whether to show legal holds and the rules that matched. Only auditors and admins may see them. */
  readonly details: boolean;
}

export function sessionHead(session: SessionRow, review: ReviewView | null, sees: Sees): SessionHead {
  return {
    id: session.id,
    org_id: session.orgId,
    status: session.status,
    verb: session.verb,
    type: session.type,
    connection: session.connectionName,
    role_name: session.connectionName,
    resource_name: session.resourceName,
    connection_subtype: session.connectionSubtype,
    connection_tags: session.connectionTags,
    user: session.userEmail,
    user_id: session.userSubject,
    user_name: session.userName,
    identity_type: session.identityType,
    credential_id: session.credentialId,
    start_date: session.startDate,
    end_date: session.endDate,
    exit_code: session.exitCode,
    script: sees.script && session.script !== null ? { data: session.script } : null,
    script_size: session.scriptSize,
    session_batch_id: session.sessionBatchId,
    correlation_id: session.correlationId,
    reason: session.reason,
    ai_analysis: session.aiAnalysis,
    review,
    recording_purged_at: session.recordingPurgedAt,
    hold: sees.details ? holdOf(session) : null,
    guardrails_info: session.guardrailsInfo.map((info) =>
      sees.details ? info : { direction: info.direction, message: info.message },
    ),
    integrations_metadata: session.integrationsMetadata,
    labels: session.labels,
    metadata: session.metadata,
    metrics: metricsOf(session),
  };
}

function metricsOf(session: SessionRow): SessionHead['metrics'] {
  return {
    event_size: session.eventSize,
    events_received: session.eventsReceived,
    events_stored: session.eventsStored,
    events_buffered: session.eventsReceived - session.eventsStored,
    guardrails: { checked: session.guardrailsChecked, blocked: session.guardrailsBlocked },
    data_masking: { total_redact_count: 0, transformed_bytes: 0, info_types: {}, ...session.dataMasking },
  };
}

export function holdOf({ heldAt, heldBy, holdReason }: SessionRow): HoldView | null {
  return heldAt === null || heldBy === null ? null : { held_at: heldAt, held_by: heldBy, reason: holdReason };
}
