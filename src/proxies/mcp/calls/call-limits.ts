import { Injectable } from '@nestjs/common';
import type { Target } from '../../../gate/ports/target-directory';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { Principal } from '../../../kernel/principal';
import { GatewayCounts } from '../../kit/counts';

type Caller = Pick<Principal, 'userId' | 'identityType'>;
type Limited = Pick<Target, 'id' | 'mcp'>;

/** Whether a stream may be opened. `leave` removes the stream from the count and is idempotent. */
export type StreamAdmission =
  | { readonly kind: 'place'; readonly leave: () => void }
  /** `message` is the text for the client. */
  | { readonly kind: 'full'; readonly message: string };

/**
 * The limits that `mcp_policy` sets for each principal: calls of one tool in a minute, and concurrent
 * streams. The workers of a gateway share their counts; several gateways do not.
 */
@Injectable()
export class CallLimits {
  constructor(private readonly counts: GatewayCounts) {}

  /**
   * Counts a call that is about to be made. The minute begins with the first counted call. Refused calls are
   * not counted.
   * @returns the refusal for the client; undefined below the limit
   */
  exceeded(caller: Caller, { id, mcp }: Limited, tool: string): MaybePromise<string | undefined> {
    const limit = mcp?.callsPerMinute ?? null;
    if (limit === null) return undefined;
    const times = limit === 1 ? 'once' : `${limit} times`;
    return thenMaybe(this.counts.countInMinute(`${keyOf(caller, id)} ${tool}`, limit), (waitMs) => {
      if (waitMs === undefined) return undefined;
      const seconds = Math.max(Math.ceil(waitMs / 1000), 1);
      return `You may call this tool ${times} a minute. Try again in ${seconds} seconds.`;
    });
  }

  /** Counts a new stream of change notices or answers, unless the limit is reached. */
  openStream(caller: Caller, { id, mcp }: Limited): MaybePromise<StreamAdmission> {
    const limit = mcp?.streams ?? null;
    // Counts streams even without a limit, because an admin may set a limit while they are open.
    const holder = { holder: `streams ${keyOf(caller, id)}`, limit: limit ?? Number.POSITIVE_INFINITY };
    return thenMaybe(this.counts.take([holder]), (place) =>
      place.kind === 'place'
        ? place
        : {
            kind: 'full',
            message: `You already have ${limit} streams on this connection, which is the limit. Close one of them.`,
          },
    );
  }
}

/**
 * Returns the key of a count. Includes the identity type, because the id of a person and the id of an API key
 * might be equal.
 */
function keyOf({ identityType, userId }: Caller, connectionId: string): string {
  return `${identityType} ${userId} ${connectionId}`;
}
