import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';

/** A client's place among those who are served. */
export type Admission =
  | { readonly kind: 'place'; readonly leave: () => void }
  /** `message` is for the client. */
  | { readonly kind: 'full'; readonly message: string };

/** Counts the clients of this process: all, those of each user, those of each connection. */
@Injectable()
export class ClientLimits {
  private all = 0;
  private readonly ofUser = new Map<string, number>();
  private readonly ofConnection = new Map<string, number>();

  constructor(private readonly settings: Settings) {}

  enter(userId: string, connectionId: string): Admission {
    const full = this.fullness(userId, connectionId);
    if (full !== undefined) return { kind: 'full', message: full };
    this.all += 1;
    count(this.ofUser, userId, 1);
    count(this.ofConnection, connectionId, 1);
    let isIn = true;
    const leave = (): void => {
      if (!isIn) return;
      isIn = false;
      this.all -= 1;
      count(this.ofUser, userId, -1);
      count(this.ofConnection, connectionId, -1);
    };
    return { kind: 'place', leave };
  }

  private fullness(userId: string, connectionId: string): string | undefined {
    const {
      POSTGRES_PROXY_CLIENTS: all,
      POSTGRES_PROXY_CLIENTS_PER_USER: perUser,
      POSTGRES_PROXY_CLIENTS_PER_CONNECTION: perConnection,
    } = this.settings;
    if (this.all >= all) return 'The gateway serves as many clients as it may. Try again later.';
    if ((this.ofUser.get(userId) ?? 0) >= perUser)
      return `You have ${perUser} connections through this gateway, and may have no more.`;
    if ((this.ofConnection.get(connectionId) ?? 0) >= perConnection)
      return 'This connection has as many clients as it may have. Try again later.';
    return undefined;
  }
}

/** Who is at none is forgotten, so that the map does not grow with all who ever came. */
function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
