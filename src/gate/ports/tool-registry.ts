import type { JsonObject } from '../../kernel/json/json';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Target } from './target-directory';

/**
 * State of a tool. `accepted`: may be called. `held`: new, on a connection that holds new tools. `changed`:
 * differs from the accepted version. Held and changed tools cannot be called until an admin accepts them with
 * exactly this fingerprint.
 */
export interface ToolState {
  readonly status: 'accepted' | 'changed' | 'held';
  /**
   * SHA-256, in hex, of the tool's own description: the canonical JSON (RFC 8785) of its name, title,
   * description, schemas and annotations.
   */
  readonly fingerprint: string;
}

/** Port: stores which tools a server has offered, and which of them people have accepted. */
export abstract class ToolRegistry {
  /**
   * Compares the tools that a server lists with the accepted tools, and stores new and changed ones. A change
   * is announced to webhooks once, by the gateway that finds it first.
   * @param tools as the server lists them; all of them or a part.
   * @returns the state of each tool, by name. Tools that the registry does not store (too many, too large, or
   * without a name) are missing.
   */
  abstract listed(target: Target, tools: readonly ListedTool[]): Promise<ReadonlyMap<string, ToolState>>;

  /** Returns the state of a tool as the server listed it last; undefined if it was never listed. */
  abstract find(target: Target, name: string): MaybePromise<ToolState | undefined>;
}

/** A tool as its server lists it. */
export type ListedTool = JsonObject;
