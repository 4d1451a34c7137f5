import { Injectable } from '@nestjs/common';
import { AuditLines } from '../../platform/audit/audit-lines';
import type { AuditLineView } from '../../platform/audit/audit.dto';
import { EVENT_TYPES, type DomainEventType } from '../../platform/events/event';
import type { StoredEvent } from '../../platform/events/outbox-reader';
import { describeEvent, describeLine } from './event-facts';
import type { ExportedEvent } from './contract/exported-event';

/** Maximum size of all changes in the audit lines of one batch. One line may have a megabyte of changes. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Events that are sent together. `position` is the position of the cursor after they were sent. */
export interface Batch {
  readonly events: readonly ExportedEvent[];
  readonly position: number;
}

/** Returns the first events of a batch, at most `atMost`. */
export function beginningOf(batch: Batch, atMost: number): Batch {
  const events = batch.events.slice(0, atMost);
  const last = events.at(-1);
  return last === undefined || events.length === batch.events.length
    ? batch
    : { events, position: last.position };
}

/** Makes batches from the events of the outbox. */
@Injectable()
export class EventSource {
  constructor(private readonly lines: AuditLines) {}

  /** Makes a batch of the first events, up to `BATCH_BYTES`. @param stored at least one event */
  async batchOf(stored: readonly StoredEvent[]): Promise<Batch> {
    const lines = await this.linesOf(stored);
    const events: ExportedEvent[] = [];
    let position = 0;
    for (const event of stored) {
      const exported = event.type === 'audit.recorded' ? exportedLine(event, lines) : exportedEvent(event);
      if (exported === 'later') break;
      if (exported !== undefined) events.push(exported);
      position = event.position;
    }
    return { events, position };
  }

  private async linesOf(stored: readonly StoredEvent[]): Promise<Map<string, OrgLines>> {
    const numbers = new Map<string, number[]>();
    for (const event of stored)
      if (event.type === 'audit.recorded')
        numbers.set(event.orgId, [...(numbers.get(event.orgId) ?? []), numberOf(event)]);
    const lines = new Map<string, OrgLines>();
    for (const [orgId, seqs] of numbers)
      lines.set(orgId, await this.lines.byNumber(orgId, seqs, BATCH_BYTES));
    return lines;
  }
}

type OrgLines = ReadonlyMap<number, AuditLineView>;

function numberOf({ data }: StoredEvent): number {
  return Number(data['seq']);
}

/**
 * Returns the audit line of an event; `later` if the line must wait for the next batch; undefined if there is
 * no line.
 */
function exportedLine(
  event: StoredEvent,
  lines: ReadonlyMap<string, OrgLines>,
): ExportedEvent | 'later' | undefined {
  const ofOrg: OrgLines = lines.get(event.orgId) ?? new Map();
  const line = ofOrg.get(numberOf(event));
  if (line === undefined)
    return numberOf(event) > Math.max(0, ...ofOrg.keys()) && ofOrg.size > 0 ? 'later' : undefined;
  const { id, position, orgId } = event;
  return { id, position, orgId, type: 'audit.recorded', at: line.created_at, ...describeLine(line) };
}

/** Returns undefined for an event that is for webhooks only. */
function exportedEvent({
  id,
  position,
  orgId,
  type,
  createdAt,
  data,
}: StoredEvent): ExportedEvent | undefined {
  if (!isDomainEvent(type)) return undefined;
  return { id, position, orgId, type, at: createdAt, ...describeEvent(type, data) };
}

function isDomainEvent(type: string): type is DomainEventType {
  return (EVENT_TYPES as readonly string[]).includes(type);
}
