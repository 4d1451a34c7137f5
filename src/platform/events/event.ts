import type { Principal } from '../../kernel/principal';

/** All types of events for webhooks. */
export const EVENT_TYPES = [
  'review.requested',
  'review.decided',
  'review.signed_off',
  'session.started',
  'session.blocked',
  'session.ended',
  'access.revoked',
  'mcp.tool.changed',
] as const;
export type DomainEventType = (typeof EVENT_TYPES)[number];

/**
 * Event data are sent as they are here, so their keys are those of the JSON. They contain who, where and what
 * was decided, but never content: no script, no value, no secret. The only text of a person is the reason
 * given for reviewers. Links to the API are added when an event is sent. Times are RFC 3339, in UTC.
 */
export interface EventConnection {
  /** null where it is unknown, for requests from before the outbox. */
  readonly id: string | null;
  readonly name: string;
  /** `postgres`, `mcpproxy`, … */
  readonly subtype: string;
}

/** A person or a machine, with their names at the time of the event. */
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
  /** null: the review is about a grant. */
  readonly session_id: string | null;
  readonly review_type: 'onetime' | 'jit';
  readonly connection: EventConnection;
  readonly requester: EventPerson;
  /** The access request rules that require the review. */
  readonly rules: readonly EventRule[];
  /** Reason for the request, in the requester's words; null where none was given. */
  readonly reason: string | null;
}

export interface ReviewRequestedData extends ReviewData {
  /** Groups whose members may decide. */
  readonly groups: readonly string[];
  /** Seconds; null for one session. */
  readonly access_duration: number | null;
  /** End of the time to decide. */
  readonly expires_at: string;
}

/** Sent for each decision: an approval that is revoked or expires later causes another event. */
export interface ReviewDecidedData extends ReviewData {
  readonly status: 'APPROVED' | 'REJECTED' | 'REVOKED' | 'EXPIRED';
  /** Person who decided, directly or by ending the waiting session; null when the time ran out. */
  readonly decided_by: EventPerson | null;
  readonly forced: boolean;
  /** Whether the requester opened it in an emergency; `forced` is true when they do so. */
  readonly emergency: boolean;
  /** Groups whose members could decide, also where another person decided in their place. */
  readonly groups: readonly string[];
  /**
   * Why it was forced, or what the emergency is, in the words of the person
   * who decided so; null where it was not.
   */
  readonly force_reason: string | null;
  /** When an approval expires; null where there is none. */
  readonly expires_at: string | null;
}

/** A person who did not use a forced approval or an emergency has looked at it. */
export interface ReviewSignedOffData extends ReviewData {
  readonly emergency: boolean;
  readonly force_reason: string | null;
  readonly signed_off_by: EventPerson;
  readonly comment: string;
}

/** A grant was revoked or has ended, or its owner may not use it; its running sessions are being ended. */
export interface AccessRevokedData {
  readonly credential_id: string | null;
  readonly review_id: string | null;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  /**
   * `owner_inactive`: the owner may not act any more (an inactive user, an API key that has ended, an auditor
   * by now). `group_lost`: the owner lost a group that the access needs. Both are sent once, and are not
   * final: an owner who may act again, or has the group again, may continue until the grant ends.
   */
  readonly reason: 'revoked' | 'expired' | 'owner_inactive' | 'group_lost';
  /** null: nobody revoked it. */
  readonly revoked_by: EventPerson | null;
}

/** A tool that is new, or not as it was accepted. Its name is the server's. */
export interface ChangedTool {
  readonly name: string;
  /**
   * `held` and `changed`: nobody sees or calls it until an admin accepts it. `accepted`: new, and the
   * connection allows new tools.
   */
  readonly status: 'accepted' | 'changed' | 'held';
  readonly fingerprint: string;
}

/**
 * A server listed tools that it had not listed before, or not so. The first list of a connection that allows
 * new tools is no event.
 */
export interface McpToolChangedData {
  readonly connection: EventConnection & { readonly id: string };
  readonly count: number;
  /** At most 20 of them. */
  readonly tools: readonly ChangedTool[];
}

interface SessionData {
  readonly session_id: string;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  readonly verb: string;
  /** The issued credential with which it was opened. */
  readonly credential_id: string | null;
  readonly correlation_id: string | null;
  /** Reason for the session, in the user's words; null where none was given. */
  readonly reason: string | null;
  readonly started_at: string;
}

/** A session was opened; it may wait for a review. */
export type SessionStartedData = SessionData;

/** Guardrails refused inputs or results. Refusals within a fraction of a second share one event. */
export interface SessionBlockedData extends SessionData {
  /** Number of refusals since the last such event of the session. */
  readonly blocked: number;
  /** At most 20 of the rules that refused something. */
  readonly rules: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly direction: 'input' | 'output';
  }[];
}

export interface SessionEndedData extends SessionData {
  readonly ended_at: string;
  readonly exit_code: number;
  /** Number of inputs and results that guardrails judged and refused. */
  readonly guardrails: { readonly checked: number; readonly blocked: number };
}

/**
 * A closed sum. The database itself publishes the events of sessions when
 * their rows change (migration `Events`).
 */
export type GatewayEvent = { readonly orgId: string } & (
  | { readonly type: 'review.requested'; readonly data: ReviewRequestedData }
  | { readonly type: 'review.decided'; readonly data: ReviewDecidedData }
  | { readonly type: 'review.signed_off'; readonly data: ReviewSignedOffData }
  | { readonly type: 'access.revoked'; readonly data: AccessRevokedData }
  | { readonly type: 'mcp.tool.changed'; readonly data: McpToolChangedData }
  | { readonly type: 'session.started'; readonly data: SessionStartedData }
  | { readonly type: 'session.blocked'; readonly data: SessionBlockedData }
  | { readonly type: 'session.ended'; readonly data: SessionEndedData }
);

/** Events that modules publish; those of sessions come from the database. */
export type PublishedEvent = Extract<
  GatewayEvent,
  {
    type: 'review.requested' | 'review.decided' | 'review.signed_off' | 'access.revoked' | 'mcp.tool.changed';
  }
>;

/**
 * The subject of an event: events with the same subject are delivered in order. The
 * session if there is one, otherwise the review, otherwise the credential; of tools, the connection.
 */
export function subjectOf({ type, data }: PublishedEvent): string | null {
  if (type === 'mcp.tool.changed') return data.connection.id;
  const session = 'session_id' in data ? data.session_id : null;
  return session ?? data.review_id ?? ('credential_id' in data ? data.credential_id : null);
}
