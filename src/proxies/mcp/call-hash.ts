import { createHash } from 'node:crypto';
import { type Json, type JsonObject, canonicalJson, isObject } from '../../kernel/json/json';

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

/** The parameters of a call that was approved: what people have not seen does not go to the server. */
export function approvedParams({ name, arguments: args, _meta }: JsonObject): JsonObject {
  const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
  return {
    name: name ?? null,
    ...(args === undefined ? {} : { arguments: args }),
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  };
}

/** What people approve: the SHA-256 of the canonical JSON (RFC 8785) of the call. */
export function callHash(call: CalledTool): Buffer {
  return createHash('sha256')
    .update(canonicalJson({ ...call }))
    .digest();
}
