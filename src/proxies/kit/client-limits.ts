import { HolderCounts } from '../../kernel/holder-counts';

const ALL = 'all';

/** Whether a client may be served. `leave` releases its place. */
export type ClientAdmission =
  | { readonly kind: 'place'; readonly leave: () => void }
  /** `message` is for the client. */
  | { readonly kind: 'full'; readonly message: string };

/** The largest number of clients that may be served at one time. */
export interface ClientLimit {
  readonly all: number;
  readonly perUser: number;
  readonly perConnection: number;
}

/** Counts the clients of one protocol in this process: all, those of each user, those of each connection. */
export class ClientLimits {
  private readonly clients = new HolderCounts();

  constructor(private readonly limit: ClientLimit) {}

  enter(userId: string, connectionId: string): ClientAdmission {
    const full = this.fullness(userId, connectionId);
    if (full !== undefined) return { kind: 'full', message: full };
    const leave = this.clients.add(ALL, `user ${userId}`, `connection ${connectionId}`);
    return { kind: 'place', leave };
  }

  private fullness(userId: string, connectionId: string): string | undefined {
    const { all, perUser, perConnection } = this.limit;
    if (this.clients.of(ALL) >= all)
      return 'The gateway already serves as many clients as it may. Try again later.';
    if (this.clients.of(`user ${userId}`) >= perUser)
      return `You already have ${perUser} connections through this gateway, which is the limit. Close one of them.`;
    if (this.clients.of(`connection ${connectionId}`) >= perConnection)
      return 'This connection already has as many clients as it may have. Try again later.';
    return undefined;
  }
}
