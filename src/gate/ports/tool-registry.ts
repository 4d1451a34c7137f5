import type { JsonObject } from '../../kernel/json/json';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Target } from './target-directory';

/**
 * `accepted`: may be called. `held`: new, while the connection holds new tools. `changed`: differs from what
 * was accepted. Neither of these may be called until an admin accepts the tool with exactly this fingerprint.
 */
export interface ToolState {
  readonly status: 'accepted' | 'changed' | 'held';
  /**
   * SHA-256 of the tool's own description, in hex: of the canonical JSON (RFC 8785) of its name, title,
   * description, schemas and annotations.
   */
  readonly fingerprint: string;
}

/** Port: remembers which tools a server offered, and which of them people accepted. */
export abstract class ToolRegistry {
  /**
   * Compares the tools that a server lists with those that were accepted, and stores what is new or changed.
   * A change is announced to webhooks once, whichever gateway finds it first.
   * @param tools as the server lists them; all of them or a part.
   * @returns the state of each, by name. Tools that the registry does not store (too many, too large, without
   * a name) are missing.
   */
  abstract listed(target: Target, tools: readonly ListedTool[]): Promise<ReadonlyMap<string, ToolState>>;

  /** The state of a tool as it was listed last; undefined when it never was. */
  abstract find(target: Target, name: string): MaybePromise<ToolState | undefined>;
}

/** A tool as its server lists it. */
export type ListedTool = JsonObject;
