import { createHash } from 'node:crypto';
import { type Json, canonicalJson } from '../../kernel/json/json';

/** Everything that decides what a call does. */
export interface CalledTool {
  /** Id of the connection. */
  readonly connection: string;
  readonly tool: string;
  /** What the tool says of itself; see `ToolState`. */
  readonly fingerprint: string;
  readonly arguments: Json;
  /** Id of the principal. */
  readonly principal: string;
}

/** What people approve: the SHA-256 of the canonical JSON (RFC 8785) of the call. */
export function callHash(call: CalledTool): Buffer {
  return createHash('sha256')
    .update(canonicalJson({ ...call }))
    .digest();
}
