import type { Principal } from '../kernel/principal';

/** Everything that others can be told of. */
export const EVENT_TYPES = [
  'review.requested',
  'review.decided',
  'session.started',
  'session.blocked',
  'session.ended',
  'access.revoked',
] as const;
export type DomainEventType = (typeof EVENT_TYPES)[number];

/**
 * The data of events are sent as they are here, so keys are those of JSON. They tell who, where and what was decided;
 * never what was said: no script, no value, no secret. The one sentence of a person is the reason they gave for those who decide. Links to the API are added
 * when an event is sent. Times are RFC 3339, in UTC.
 */
export interface EventConnection {
  /** null: it was not noted, in what is older than the outbox. */
  readonly id: string | null;
  readonly name: string;
  /** `postgres`, `mcpproxy`, … */
  readonly subtype: string;
}

/** A person or a machine, as they were called when it happened. */
export interface EventPerson {
  /** The identity provider's `sub`; of a machine, the id of its key. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly identity_type: 'user' | 'machine';
}

export function personOf({ subject, email, name, identityType }: Principal): EventPerson {
  return { id: subject, email, name, identity_type: identityType };
}

export interface EventRule {
  readonly id: string;
  readonly name: string;
}

interface ReviewData {
  readonly review_id: string;
  /** null: a span of time was asked for, not one session. */
  readonly session_id: string | null;
  readonly review_type: 'onetime' | 'jit';
  readonly connection: EventConnection;
  readonly requester: EventPerson;
  /** The access request rules that ask for the review. */
  readonly rules: readonly EventRule[];
  /** Why access is wanted, in the requester's own words; null: they did not say. */
  readonly reason: string | null;
}

export interface ReviewRequestedData extends ReviewData {
  /** Groups whose members may decide. */
  readonly groups: readonly string[];
  /** Seconds; null for one session. */
  readonly access_duration: number | null;
  /** Until when it can be decided. */
  readonly expires_at: string;
}

/** Once for each end of the decision: an approval that is revoked or expires later is told again. */
export interface ReviewDecidedData extends ReviewData {
  readonly status: 'APPROVED' | 'REJECTED' | 'REVOKED' | 'EXPIRED';
  /** Whose word it was that settled it: a decision, or the end of the session that waited; null: time did. */
  readonly decided_by: EventPerson | null;
  readonly forced: boolean;
  /** Until when an approval can be used; null where there is none. */
  readonly expires_at: string | null;
}

/** Access that was given is taken back, its time is over, or its owner may not use it; sessions that run with it are being ended. */
export interface AccessRevokedData {
  readonly credential_id: string | null;
  readonly review_id: string | null;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  /**
   * `owner_inactive`: its owner may not act any more (an inactive user, an API key that has ended, an auditor by now).
   * `group_lost`: they lost a group without which they would not get in. Both are told once, and take nothing away for
   * good: who may act again, or has the group again, may go on within its time.
   */
  readonly reason: 'revoked' | 'expired' | 'owner_inactive' | 'group_lost';
  /** null: nobody did, it came by itself. */
  readonly revoked_by: EventPerson | null;
}

interface SessionData {
  readonly session_id: string;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  readonly verb: string;
  /** The issued credential that it came with. */
  readonly credential_id: string | null;
  readonly correlation_id: string | null;
  /** Why the session was wanted, in the user's own words; null: they did not say. */
  readonly reason: string | null;
  readonly started_at: string;
}

/** The session was opened; it may wait for a review. */
export type SessionStartedData = SessionData;

/** Guardrails refused inputs or results; what comes within a fraction of a second is told at once. */
export interface SessionBlockedData extends SessionData {
  /** How many were refused since this was last told of the session. */
  readonly blocked: number;
  /** At most 20 of the rules that did it. */
  readonly rules: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly direction: 'input' | 'output';
  }[];
}

export interface SessionEndedData extends SessionData {
  readonly ended_at: string;
  readonly exit_code: number;
  /** How many inputs and results guardrails looked at, and refused. */
  readonly guardrails: { readonly checked: number; readonly blocked: number };
}

/** A closed sum. Events of sessions are told by the database itself, as their rows change (migration `Events`). */
export type GatewayEvent = { readonly orgId: string } & (
  | { readonly type: 'review.requested'; readonly data: ReviewRequestedData }
  | { readonly type: 'review.decided'; readonly data: ReviewDecidedData }
  | { readonly type: 'access.revoked'; readonly data: AccessRevokedData }
  | { readonly type: 'session.started'; readonly data: SessionStartedData }
  | { readonly type: 'session.blocked'; readonly data: SessionBlockedData }
  | { readonly type: 'session.ended'; readonly data: SessionEndedData }
);

/** Those that a module tells; of sessions the database tells. */
export type PublishedEvent = Extract<
  GatewayEvent,
  { type: 'review.requested' | 'review.decided' | 'access.revoked' }
>;

/**
 * What an event belongs to: of one and the same, events are delivered in the order in which they were told. The
 * session where there is one, else the review, else the credential.
 */
export function subjectOf({ data }: PublishedEvent): string | null {
  const session = 'session_id' in data ? data.session_id : null;
  return session ?? data.review_id ?? ('credential_id' in data ? data.credential_id : null);
}
