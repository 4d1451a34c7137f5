import { createHash } from 'node:crypto';
import type { AuditLine } from './audit-log.entity';

/** Stands for the hash before the first line. */
export const NO_LINE = Buffer.alloc(32);

/**
 * The hash of a line covers its content and the previous hash, so that a changed, missing or inserted
 * line breaks the chain from there on.
 */
export function lineHash(line: Omit<AuditLine, 'hash'>): Buffer {
  const content = JSON.stringify([
    line.orgId,
    line.seq,
    line.createdAt.toISOString(),
    line.actorId,
    line.actorEmail,
    line.actorType,
    line.action,
    line.resourceType,
    line.resourceId,
    line.outcome,
    line.status,
    line.clientAddress,
    line.requestId,
    sorted(line.changes),
  ]);
  return createHash('sha256').update(line.previous).update(content).digest();
}

/** jsonb does not keep the order of keys, so the hash must not depend on it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
