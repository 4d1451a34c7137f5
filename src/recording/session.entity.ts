import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';
import type { EventPerson } from '../events/event';
import type { Finding } from '../gate/ports/guardrails';
import type { Verb } from '../gate/ports/target-directory';

/** The database lists sessions by `rule_id` and `rule_name` (migration SessionList). */
export interface GuardrailInfo {
  /** Absent in what was recorded before rules were told by id. */
  rule_id?: string;
  rule_name: string;
  direction: 'input' | 'output';
  /** Place of the entry in its rule set, from 0. */
  entry: number;
  /** The entry as it was. */
  rule: object;
  matched_words: readonly string[];
  matches: readonly Finding[];
  /** Why the rule could not be applied, where that is what refused the input. */
  fault?: string;
  message: string;
}

/** What was masked in the output of a session; empty where nothing was. */
export interface DataMasking {
  total_redact_count?: number;
  /** Bytes of output that were replaced, in UTF-8. */
  transformed_bytes?: number;
  /** How often each detector, or type of entry, was found. */
  info_types?: Record<string, number>;
}

@Entity('sessions')
export class SessionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** The gateway that runs the session; null while none does. */
  @Column('uuid', { name: 'gateway_id', nullable: true })
  gatewayId!: string | null;

  @Column('text')
  status!: 'open' | 'ready' | 'done';

  /** Why the session must end, as its recording will say; null: nobody asked. A change of it is told to every gateway. */
  @Column('text', { name: 'stop_reason', nullable: true })
  stopReason!: string | null;

  /** Who asked first for that, if it was a person or a machine: they killed it. */
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

  /** The issued credential that the session came with; it may be gone by now. */
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

  /** As the connection said when the session began; what it says now goes first, while it exists. null: for ever. */
  @Column('integer', { name: 'retention_days', nullable: true })
  retentionDays!: number | null;

  /** Under legal hold since then: whatever its retention, it is kept. */
  @Column('timestamptz', { name: 'held_at', nullable: true })
  heldAt!: Date | null;

  /** Who put it there, by e-mail, or by subject where there is none. */
  @Column('text', { name: 'held_by', nullable: true })
  heldBy!: string | null;

  @Column('text', { name: 'hold_reason', nullable: true })
  holdReason!: string | null;

  /** When the recording was removed, because its retention had ended; null: it is there. Nothing is held and removed. */
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

  /** How many of the events that its gateway numbered are stored: what a journal holds beyond is still to be stored. */
  @Column('bigint', { transformer: bigint })
  journaled!: number;

  @Column('integer', { name: 'chunk_count' })
  chunkCount!: number;

  /** Hash of the last chunk; zeros before the first. */
  @Column('bytea', { name: 'chain_hash' })
  chainHash!: Buffer;

  /** Put on the recording when the session ends, under the gateway's key; null before, and on what is older than seals. */
  @Column('bytea', { nullable: true })
  seal!: Buffer | null;

  /** Made by the database; the ledger's digests of what was said are taken with it. Goes with the recording. */
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

  /** Reason for the session, in the words of the requester; null where none was given. */
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

/** How a session is addressed: never by its id alone. */
export interface SessionKey {
  readonly orgId: string;
  readonly id: string;
}

/** A run of events, compressed and linked to the run before it. Append-only, by the database's own word. */
@Entity('session_chunks')
export class SessionChunk {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'session_id' })
  sessionId!: string;

  @PrimaryColumn('integer')
  seq!: number;

  /** Events that end in this chunk. */
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
