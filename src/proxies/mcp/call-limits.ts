import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Target } from '../../gate/ports/target-directory';
import { HolderCounts } from '../../kernel/holder-counts';
import type { Principal } from '../../kernel/principal';

const WINDOW_SECONDS = 60;
/** Tools and principals of the last minute that are counted; above it the oldest are dropped. About 200 bytes each. */
const REMEMBERED = 50_000;

type Caller = Pick<Principal, 'userId' | 'identityType'>;
type Limited = Pick<Target, 'id' | 'mcp'>;

/** Whether a stream may be opened. `leave` releases its place; it is idempotent. */
export type StreamAdmission =
  | { readonly kind: 'place'; readonly leave: () => void }
  /** `message` is for the client. */
  | { readonly kind: 'full'; readonly message: string };

/**
 * The limits that `mcp_policy` sets for one principal: calls of one tool in a minute, and streams at a time. The counts are in memory,
 * separately in each process, so a limit holds for what comes to one process.
 */
@Injectable()
export class CallLimits {
  private readonly calls = new LRUCache<string, number>({
    max: REMEMBERED,
    ttl: WINDOW_SECONDS * 1000,
    noUpdateTTL: true,
  });
  private readonly streams = new HolderCounts();

  /**
   * Counts a call that is about to be made. A minute begins with the first call; calls above the limit are not counted.
   * @returns the refusal for the client, or undefined.
   */
  exceeded(caller: Caller, { id, mcp }: Limited, tool: string): string | undefined {
    const limit = mcp?.callsPerMinute ?? null;
    if (limit === null) return undefined;
    const key = `${keyOf(caller, id)} ${tool}`;
    const made = this.calls.get(key) ?? 0;
    if (made < limit) {
      this.calls.set(key, made + 1);
      return undefined;
    }
    const seconds = Math.max(Math.ceil(this.calls.getRemainingTTL(key) / 1000), 1);
    const times = limit === 1 ? 'once' : `${limit} times`;
    return `You may call this tool ${times} a minute. Try again in ${seconds} seconds.`;
  }

  /** Takes a place for a stream of change notices or answers. */
  openStream(caller: Caller, { id, mcp }: Limited): StreamAdmission {
    const key = keyOf(caller, id);
    const limit = mcp?.streams ?? null;
    if (limit !== null && this.streams.of(key) >= limit)
      return {
        kind: 'full',
        message: `You already have ${limit} streams on this connection, which is the limit. Close one of them.`,
      };
    const leave = this.streams.add(key);
    return { kind: 'place', leave };
  }
}

/** A machine and a person with the same name are two principals. */
function keyOf({ identityType, userId }: Caller, connectionId: string): string {
  return `${identityType} ${userId} ${connectionId}`;
}
