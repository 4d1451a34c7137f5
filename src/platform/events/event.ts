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
 * Types of event data. The data are sent in exactly this form, so the keys here are the keys of the JSON.
 * They describe who did what and where, but contain no content: no script, no value, no secret. The only free
 * texts of people are reasons and the comment of a sign-off. Links to the API are added when an event is
 * sent. Times are RFC 3339, in UTC.
 */
export interface EventConnection {
  /** null if unknown, because the request is older than the outbox. */
  readonly id: string | null;
  readonly name: string;
  /** `postgres`, `mcpproxy`, … */
  readonly subtype: string;
}

/** A person or a machine, with the names at the time of the event. */
export interface EventPerson {
  /** The identity provider's `sub` of a person; the id of the API key of a machine. */
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
  /** null if the review is about a grant, or about a call within a live session. */
  readonly session_id: string | null;
  /** The call within a live session that the review is about, without its arguments; otherwise null. */
  readonly call: { readonly session_id: string | null; readonly name: string } | null;
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
  /** Duration of the access in seconds; null if the review is about one session or call. */
  readonly access_duration: number | null;
  /** Time until which reviewers may decide. */
  readonly expires_at: string;
}

/** Data of a decision on a review. If an approval is revoked or expires later, another event is sent. */
export interface ReviewDecidedData extends ReviewData {
  readonly status: 'APPROVED' | 'REJECTED' | 'REVOKED' | 'EXPIRED';
  /**
   * Person who decided, directly or by ending the session that waited; null if no person did, for example
   * because the review timed out.
   */
  readonly decided_by: EventPerson | null;
  /** Whether the decision is a forced approval: this person or an earlier voter forced it. */
  readonly forced: boolean;
  /** Whether the requester declared an emergency. The event of the declaration also has `forced` true. */
  readonly emergency: boolean;
  /** Groups whose members could decide, even if another person decided in their place. */
  readonly groups: readonly string[];
  /**
   * Reason for forcing the approval, or for the emergency, in the words of the person who did it; null if
   * the decision was not forced.
   */
  readonly force_reason: string | null;
  /** Time at which the approval expires; null for other decisions. */
  readonly expires_at: string | null;
}

/** Data of a sign-off: a second person has looked at a forced approval or an emergency. */
export interface ReviewSignedOffData extends ReviewData {
  readonly emergency: boolean;
  readonly force_reason: string | null;
  readonly signed_off_by: EventPerson;
  readonly comment: string;
}

/**
 * Data of ended access: the grant was revoked or ended, or its owner must not use it now. The sessions of the
 * grant end too.
 */
export interface AccessRevokedData {
  readonly credential_id: string | null;
  readonly review_id: string | null;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  /**
   * `owner_inactive`: the owner is no longer allowed to act (an inactive user, an API key that has ended, or
   * a user who became an auditor). `group_lost`: the owner lost a group that the access needs. Both are sent
   * once, and are not final: if the owner is allowed to act again, or has the group again, access continues
   * until the grant ends.
   */
  readonly reason: 'revoked' | 'expired' | 'owner_inactive' | 'group_lost';
  /** null if no person revoked the access. */
  readonly revoked_by: EventPerson | null;
}

/** A tool that is new, or that differs from the accepted one. Its name comes from the server. */
export interface ChangedTool {
  readonly name: string;
  /**
   * `held` and `changed`: nobody sees or calls the tool until an admin accepts it. `accepted`: the tool is
   * new, and the connection allows new tools.
   */
  readonly status: 'accepted' | 'changed' | 'held';
  readonly fingerprint: string;
}

/**
 * Data about new or changed tools in a list from a server. The first list of a connection causes no event,
 * unless an admin has to accept the tools.
 */
export interface McpToolChangedData {
  readonly connection: EventConnection & { readonly id: string };
  readonly count: number;
  /** At most 20 of the changed tools; `count` is the number of all of them. */
  readonly tools: readonly ChangedTool[];
}

interface SessionData {
  readonly session_id: string;
  readonly connection: EventConnection;
  readonly user: EventPerson;
  readonly verb: string;
  /** The issued credential with which the session was opened. */
  readonly credential_id: string | null;
  readonly correlation_id: string | null;
  /** Reason for the session, in the user's words; null where none was given. */
  readonly reason: string | null;
  readonly started_at: string;
}

/** Data of an opened session. The session may still wait for a review. */
export type SessionStartedData = SessionData;

/**
 * Data about inputs or results that guardrails refused. Refusals within a fraction of a second share one
 * event.
 */
export interface SessionBlockedData extends SessionData {
  /** Number of refusals since the session's last event of this type. */
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
  /** Number of inputs and results that guardrails judged, and the number that guardrails refused. */
  readonly guardrails: { readonly checked: number; readonly blocked: number };
}

/**
 * All events, as a union by `type`. The database itself publishes the events of sessions when their rows
 * change (migration `Events`).
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

/** Events that modules publish. The database publishes the events of sessions. */
export type PublishedEvent = Extract<
  GatewayEvent,
  {
    type: 'review.requested' | 'review.decided' | 'review.signed_off' | 'access.revoked' | 'mcp.tool.changed';
  }
>;

/**
 * The subject of an event: the session if there is one, otherwise the review, otherwise the credential. The
 * subject of an event about tools is the connection. Events with the same subject are delivered in order.
 */
export function subjectOf({ type, data }: PublishedEvent): string | null {
  if (type === 'mcp.tool.changed') return data.connection.id;
  const session = 'session_id' in data ? data.session_id : null;
  return session ?? data.review_id ?? ('credential_id' in data ? data.credential_id : null);
}
