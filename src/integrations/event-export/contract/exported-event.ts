import type { DomainEventType } from '../../../platform/events/event';

/** Types of exported events. `audit.recorded`: a line of the audit log. */
export type ExportedType = DomainEventType | 'audit.recorded';

/** Severity of an event. Each protocol has its own numbers for these. */
export type Severity = 'info' | 'notice' | 'warning';

/** An event as collectors get it, whatever the protocol. */
export interface ExportedEvent {
  /** The same each time that the event is sent, and in webhooks: receivers drop duplicates by it. */
  readonly id: string;
  /** Increases in the order of sending. Numbers may be missing. */
  readonly position: number;
  readonly orgId: string;
  readonly type: ExportedType;
  readonly at: Date;
  readonly severity: Severity;
  /** One sentence for people. */
  readonly summary: string;
  /** Values for searches and rules: names and ids, never content. */
  readonly facts: Readonly<Record<string, string>>;
  /** All that is known: the data of the webhook, or the line as `GET /audit/logs` shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}
