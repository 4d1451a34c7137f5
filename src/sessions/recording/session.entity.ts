import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../../platform/database/bigint';
import type { EventPerson } from '../../platform/events/event';
import type { Finding } from '../../gate/ports/guardrails';
import type { Verb } from '../../gate/ports/target-directory';

/** A guardrail hit. A trigger indexes the session by `rule_id` and `rule_name` (migration SessionList). */
export interface GuardrailInfo {
  /** Id of the rule; absent in old recordings, whose hits have no rule id. */
  rule_id?: string;
  rule_name: string;
  direction: 'input' | 'output';
  /** Position of the guardrail entry in its rule set, from 0. */
  entry: number;
  /** The guardrail entry as it was at the time of the hit. */
  rule: object;
  matched_words: readonly string[];
  matches: readonly Finding[];
  /** Reason why the rule could not be applied. Set if the input was refused for this reason. */
  fault?: string;
  message: string;
}

/** Counts of masked output; empty when nothing was masked. */
export interface DataMasking {
  total_redact_count?: number;
  /** Bytes of output that were replaced, in UTF-8. */
  transformed_bytes?: number;
  /** Number of findings, by detector name or type of guardrail entry. */
  info_types?: Record<string, number>;
}

@Entity('sessions')
export class SessionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** The gateway that runs the session; null while no gateway runs it. */
  @Column('uuid', { name: 'gateway_id', nullable: true })
  gatewayId!: string | null;

  @Column('text')
  status!: 'open' | 'ready' | 'done';

  /**
   * Reason why the session must end, which its recording will contain; null: its end was not requested. A
   * trigger notifies every gateway of a change.
   */
  @Column('text', { name: 'stop_reason', nullable: true })
  stopReason!: string | null;

  /** Person or machine that first requested the end of the session. */
  @Column('jsonb', { name: 'stopped_by', nullable: true })
  stoppedBy!: EventPerson | null;

  @Column('text')
  verb!: Verb;

  @Column('text')
  type!: string;

  @Column('uuid', { name: 'connection_id' })
  connectionId!: string;

  @Column('text', { name: 'connection_name' })
  connectionName!: string;

  @Column('text', { name: 'connection_subtype' })
  connectionSubtype!: string;

  @Column('jsonb', { name: 'connection_tags' })
  connectionTags!: Record<string, string>;

  @Column('text', { name: 'resource_name' })
  resourceName!: string;

  /** The issued credential that the session was opened with; it may have been deleted since. */
  @Column('uuid', { name: 'credential_id', nullable: true })
  credentialId!: string | null;

  @Column('text', { name: 'identity_type' })
  identityType!: 'user' | 'machine';

  @Column('text', { name: 'user_subject' })
  userSubject!: string;

  @Column('text', { name: 'user_email' })
  userEmail!: string;

  @Column('text', { name: 'user_name' })
  userName!: string;

  /**
   * Retention of the connection, in days, when the session began; null: forever. While the connection exists,
   * its current retention applies instead.
   */
  @Column('integer', { name: 'retention_days', nullable: true })
  retentionDays!: number | null;

  /** Start of the legal hold. A held recording is kept, whatever its retention. */
  @Column('timestamptz', { name: 'held_at', nullable: true })
  heldAt!: Date | null;

  /** Person who placed the hold: the e-mail, or the subject if there is no e-mail. */
  @Column('text', { name: 'held_by', nullable: true })
  heldBy!: string | null;

  @Column('text', { name: 'hold_reason', nullable: true })
  holdReason!: string | null;

  /**
   * When the recording was removed because its retention had ended; null: it exists.
   * A held recording is never removed (constraint).
   */
  @Column('timestamptz', { name: 'recording_purged_at', nullable: true })
  recordingPurgedAt!: Date | null;

  @Column('timestamptz', { name: 'start_date' })
  startDate!: Date;

  @Column('timestamptz', { name: 'end_date', nullable: true })
  endDate!: Date | null;

  @Column('integer', { name: 'exit_code', nullable: true })
  exitCode!: number | null;

  /** Input of the session; only for verb `exec`. */
  @Column('text', { nullable: true })
  script!: string | null;

  @Column('bigint', { name: 'script_size', transformer: bigint })
  scriptSize!: number;

  @Column('bigint', { name: 'event_size', transformer: bigint })
  eventSize!: number;

  @Column('bigint', { name: 'events_received', transformer: bigint })
  eventsReceived!: number;

  @Column('bigint', { name: 'events_stored', transformer: bigint })
  eventsStored!: number;

  /** Number of the last stored event. Later events of a journal are not stored yet. */
  @Column('bigint', { transformer: bigint })
  journaled!: number;

  @Column('integer', { name: 'chunk_count' })
  chunkCount!: number;

  /** Hash of the last chunk; zeros while there is no chunk. */
  @Column('bytea', { name: 'chain_hash' })
  chainHash!: Buffer;

  /**
   * The seal of the recording, made with the gateway's key when the session ends; null until then, and for
   * old recordings that were never sealed.
   */
  @Column('bytea', { nullable: true })
  seal!: Buffer | null;

  /**
   * Salt for the ledger's digests of the session's texts. The database creates it. It is removed with the
   * recording.
   */
  @Column('bytea', { name: 'content_salt', nullable: true, select: false })
  contentSalt!: Buffer | null;

  @Column('integer', { name: 'guardrails_checked' })
  guardrailsChecked!: number;

  @Column('integer', { name: 'guardrails_blocked' })
  guardrailsBlocked!: number;

  @Column('jsonb', { name: 'guardrails_info' })
  guardrailsInfo!: GuardrailInfo[];

  @Column('jsonb', { name: 'data_masking' })
  dataMasking!: DataMasking;

  @Column('text', { name: 'session_batch_id', nullable: true })
  sessionBatchId!: string | null;

  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId!: string | null;

  /** Reason for the session, in the words of the requester; null if none was given. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('jsonb', { name: 'ai_analysis', nullable: true })
  aiAnalysis!: Record<string, string> | null;

  @Column('jsonb', { name: 'integrations_metadata' })
  integrationsMetadata!: Record<string, unknown>;

  @Column('jsonb')
  labels!: Record<string, string>;

  @Column('jsonb')
  metadata!: Record<string, unknown>;
}

/** The key of a session: its organization and its id, never the id alone. */
export interface SessionKey {
  readonly orgId: string;
  readonly id: string;
}

/**
 * A chunk of a recording: compressed events, linked to the chunk before. A
 * trigger makes the table append-only.
 */
@Entity('session_chunks')
export class SessionChunk {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'session_id' })
  sessionId!: string;

  @PrimaryColumn('integer')
  seq!: number;

  /** Number of events that end in this chunk. */
  @Column('integer', { name: 'event_count' })
  eventCount!: number;

  /** Bytes of the events' contents. */
  @Column('integer', { name: 'raw_size' })
  rawSize!: number;

  @Column('bytea')
  payload!: Buffer;

  @Column('bytea')
  previous!: Buffer;

  @Column('bytea')
  hash!: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
