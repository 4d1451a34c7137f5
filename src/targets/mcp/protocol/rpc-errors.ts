/** Error codes of JSON-RPC 2.0 and of MCP, each with the meaning that the specification gives it. */
export const RPC_ERRORS = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Revision 2026-07-28: headers and body disagree, or a required header is missing. HTTP status 400. */
  headerMismatch: -32020,
  /** Revision 2026-07-28. The error has `data.requiredCapabilities`. HTTP status 400. */
  missingClientCapability: -32021,
  /** Revision 2026-07-28. The error has `data.supported` and `data.requested`. HTTP status 400. */
  unsupportedVersion: -32022,
  /** Up to revision 2025-11-25. Later revisions use `invalidParams`. */
  resourceNotFound: -32002,
  /** Revision 2025-11-25 only. */
  urlElicitationRequired: -32042,
} as const;

const MODERN_ONLY: ReadonlySet<number> = new Set([
  RPC_ERRORS.headerMismatch,
  RPC_ERRORS.missingClientCapability,
  RPC_ERRORS.unsupportedVersion,
]);

/**
 * Whether only servers of the modern era send this code. After such a code, a client must not fall back to
 * `initialize`.
 */
export function isModernErrorCode(code: number): boolean {
  return MODERN_ONLY.has(code);
}
