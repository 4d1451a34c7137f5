import type { DomainEventType } from '../../../platform/events/event';

/** Types of exported events. `audit.recorded`: a line of the audit log. */
export type ExportedType = DomainEventType | 'audit.recorded';

/** Severity of an event. Each protocol has its own number for each severity. */
export type Severity = 'info' | 'notice' | 'warning';

/** An event as collectors receive it, independent of the protocol. */
export interface ExportedEvent {
  /** Id of the event, the same in every attempt and in webhooks, so that receivers can drop duplicates. */
  readonly id: string;
  /** Number that increases in the order of sending, possibly with gaps. */
  readonly position: number;
  readonly orgId: string;
  readonly type: ExportedType;
  readonly at: Date;
  readonly severity: Severity;
  /** One sentence for people. */
  readonly summary: string;
  /** Values for searches and rules: names and ids, never content. */
  readonly facts: Readonly<Record<string, string>>;
  /** Complete data: the data of the webhook, or the audit line as `GET /audit/logs` shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}
