/**
 * MCP revisions that begin with `initialize`, newest first. Revision 2024-11-05 has the transport HTTP+SSE;
 * the other revisions have streamable HTTP.
 */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** MCP revisions that carry version and capabilities in each request, newest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];
export type ModernRevision = (typeof MODERN_REVISIONS)[number];
/** Era of a revision, in the words of the specification (2026-07-28, "Versioning and Compatibility"). */
export type McpEra = 'modern' | 'legacy';

/** The newest revision of each era, which the gateway requests from servers. */
export const NEWEST_LEGACY: LegacyRevision = LEGACY_REVISIONS[0];
export const NEWEST_MODERN: ModernRevision = MODERN_REVISIONS[0];

export function isLegacyRevision(revision: unknown): revision is LegacyRevision {
  return (LEGACY_REVISIONS as readonly unknown[]).includes(revision);
}

export function isModernRevision(revision: unknown): revision is ModernRevision {
  return (MODERN_REVISIONS as readonly unknown[]).includes(revision);
}
