import type { AuditLineView } from '../../platform/audit/audit.dto';
import type { DomainEventType } from '../../platform/events/event';
import type { ExportedEvent, Severity } from './contract/exported-event';

type Described = Pick<ExportedEvent, 'severity' | 'summary' | 'facts' | 'data'>;

const SEVERITIES: Readonly<Record<DomainEventType, Severity>> = {
  'review.requested': 'notice',
  'review.decided': 'notice',
  'review.signed_off': 'notice',
  'session.started': 'info',
  'session.blocked': 'warning',
  'session.ended': 'info',
  'access.revoked': 'notice',
  'mcp.tool.changed': 'warning',
};

const SUMMARIES: Readonly<Record<DomainEventType, string>> = {
  'review.requested': 'a review was requested',
  'review.decided': 'a review was decided',
  'review.signed_off': 'a forced approval or an emergency was signed off',
  'session.started': 'a session was started',
  'session.blocked': 'a guardrail blocked something in a session',
  'session.ended': 'a session ended',
  'access.revoked': 'access was revoked',
  'mcp.tool.changed': 'an MCP server changed its tools',
};

/** Fields of an event's data that become facts unchanged. */
const PLAIN = [
  'session_id',
  'review_id',
  'credential_id',
  'correlation_id',
  'review_type',
  'status',
  'verb',
  'forced',
  'emergency',
  'blocked',
  'exit_code',
  'count',
];
/** Fields of an event's data that contain a person. */
const PEOPLE = ['user', 'requester', 'decided_by', 'signed_off_by', 'revoked_by'];

interface Person {
  readonly id: string;
  readonly email: string;
}

/** Describes a domain event; `data` is the data of the webhook. */
export function describeEvent(type: DomainEventType, data: Readonly<Record<string, unknown>>): Described {
  const connection = data['connection'] as { id: string | null; name: string } | undefined;
  const facts = factsOf({
    connection: connection?.name,
    connection_id: connection?.id,
    ...Object.fromEntries(PLAIN.map((name) => [name, data[name]])),
    ...Object.fromEntries(PEOPLE.flatMap((name) => personFacts(name, data[name] as Person | null))),
    // In reviews and sessions, `reason` is text that a person wrote, so it must not become a fact.
    ...(type === 'access.revoked' ? { cause: data['reason'] } : {}),
  });
  const severity = data['forced'] === true ? 'warning' : SEVERITIES[type];
  return { severity, summary: SUMMARIES[type], facts, data };
}

/** Describes one line of the audit log. */
export function describeLine(line: AuditLineView): Described {
  const { actor, changes, ...fields } = line;
  const { created_at: _, ...plain } = fields;
  return {
    severity: line.outcome === 'denied' ? 'warning' : 'notice',
    summary: `${line.action} ${line.resource_type}: ${line.outcome}`,
    facts: factsOf({ ...plain, actor: actor.email, actor_id: actor.id, actor_type: actor.type }),
    data: { ...line, changes, created_at: line.created_at.toISOString() },
  };
}

function personFacts(name: string, person: Person | null | undefined): [string, unknown][] {
  if (!person) return [];
  return [
    [name, person.email],
    [`${name}_id`, person.id],
  ];
}

/** Converts values to facts; missing and empty values are left out. */
function factsOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const present = Object.entries(values).map(([name, value]) => [name, textOf(value)] as const);
  return Object.fromEntries(present.filter(([, text]) => text !== ''));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
