import { hash } from 'node:crypto';
import type { ReviewedCall } from '../../../gate/ports/review-desk';
import { type Json, type JsonObject, canonicalJson, isObject, writeJson } from '../../../kernel/json/json';

/** All facts that decide what a call of a tool does. */
export interface CalledTool {
  /** Id of the connection. */
  readonly connection: string;
  readonly tool: string;
  /** Fingerprint of the server's description of the tool; see `ToolState`. */
  readonly fingerprint: string;
  readonly arguments: Json;
  /** Id of the principal. */
  readonly principal: string;
}

/** Returns the parameters of an approved call, without those that the reviewers have not seen. */
export function approvedParams({ name, arguments: args, _meta }: JsonObject): JsonObject {
  const progressToken = isObject(_meta) ? _meta['progressToken'] : undefined;
  return {
    name: name ?? null,
    ...(args === undefined ? {} : { arguments: args }),
    ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
  };
}

/**
 * Returns the call in the form that people review. They approve the SHA-256 of the canonical JSON (RFC 8785)
 * of all facts that decide what the call does. Text and hash are computed only when they are read, because
 * most calls need no review. The review desk reads the text first, and refuses long arguments before it reads
 * the hash.
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
