import { hash } from 'node:crypto';
import type { ReviewedCall } from '../../../gate/ports/review-desk';
import { type Json, type JsonObject, canonicalJson, isObject, writeJson } from '../../../kernel/json/json';

/** Everything that decides what a call does. */
export interface CalledTool {
  /** Id of the connection. */
  readonly connection: string;
  readonly tool: string;
  /** Fingerprint of the tool's own description; see `ToolState`. */
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

/**
 * The call as people review it. What they approve is the SHA-256 of the canonical JSON (RFC 8785) of
 * everything that decides what it does. Text and hash are made when they are read, because most calls need no
 * review. The desk reads the text first, and refuses long arguments before it reads the hash.
 */
export function reviewedCall(call: CalledTool, knownReview: string | undefined): ReviewedCall {
  const { tool: name, fingerprint } = call;
  let written: string | undefined;
  let hashed: Buffer | undefined;
  return {
    name,
    fingerprint,
    knownReview,
    get arguments() {
      return (written ??= writeJson(call.arguments));
    },
    get hash() {
      return (hashed ??= hash('sha256', canonicalJson({ ...call }), 'buffer'));
    },
  };
}
