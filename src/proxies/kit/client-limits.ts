import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import type { Counts } from './counts';

/** Result of `enter`: a place (the client counts until `leave` is called), or a refusal. */
export type ClientAdmission =
  | { readonly kind: 'place'; readonly leave: () => void }
  /** `message` is for the client. `isOfUser`: the user's own limit is reached, not one that others share. */
  | { readonly kind: 'full'; readonly message: string; readonly isOfUser: boolean };

/** A client that was admitted and has not left yet. */
export interface AdmittedClient {
  /** Id of the connection that the client named. */
  readonly connection: string;
  /** Stops counting the client in the limits. */
  leave(): void;
}

/** Maximum number of concurrent clients: of all, of one user, and of one connection. */
export interface ClientLimit {
  readonly all: number;
  readonly perUser: number;
  readonly perConnection: number;
}

/** Counts the concurrent clients of one protocol: in total, for each user, and for each connection. */
export class ClientLimits {
  /** @param protocol name of the protocol; separates its clients from those of others in the same counts */
  constructor(
    private readonly limit: ClientLimit,
    private readonly counts: Counts,
    private readonly protocol: string,
  ) {}

  enter(userId: string, connectionId: string): MaybePromise<ClientAdmission> {
    const { protocol } = this;
    const { all, perUser, perConnection } = this.limit;
    const user = `${protocol} user ${userId}`;
    const taken = this.counts.take([
      { holder: protocol, limit: all },
      { holder: user, limit: perUser },
      { holder: `${protocol} connection ${connectionId}`, limit: perConnection },
    ]);
    return thenMaybe(taken, (place) =>
      place.kind === 'place'
        ? place
        : { kind: 'full', message: this.fullness(place.holder, user), isOfUser: place.holder === user },
    );
  }

  private fullness(holder: string, user: string): string {
    if (holder === this.protocol)
      return 'The gateway already serves as many clients as it may. Try again later.';
    if (holder === user)
      return `You already have ${this.limit.perUser} connections through this gateway, which is the limit. Close one of them.`;
    return 'This connection already has as many clients as it may have. Try again later.';
  }
}
