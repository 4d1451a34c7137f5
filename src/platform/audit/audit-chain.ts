import { createHash } from 'node:crypto';
import type { AuditLine } from './audit-log.entity';

/** Value of the previous hash in the first line of a chain, which has no previous line. */
export const NO_LINE = Buffer.alloc(32);

/** The hashed content of a line, in two parts: the texts before and after the number of the line. */
export interface LineContent {
  readonly before: string;
  readonly after: string;
}

/** The content of a line that has no number and no hash in the chain yet. */
export function lineContent(line: Omit<AuditLine, 'seq' | 'previous' | 'hash'>): LineContent {
  const rest = JSON.stringify([
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
  return { before: `[${JSON.stringify(line.orgId)},`, after: `,${rest.slice(1)}` };
}

/**
 * The hash of a line covers its content and the previous hash, so that a changed, missing or inserted
 * line breaks the chain from there on.
 */
export function lineHash(line: Omit<AuditLine, 'hash'>): Buffer {
  const { before, after } = lineContent(line);
  return createHash('sha256').update(line.previous).update(`${before}${line.seq}${after}`).digest();
}

/** Sorts the keys of objects, because jsonb does not keep their order and the hash must not depend on it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
