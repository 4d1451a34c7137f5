import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CredentialFault, SignInNeeded } from '../../../gate/ports/upstream-credentials';
import { Clock } from '../../../kernel/async/clock';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import { type Lease, type LeasedRow, type TokenOwner, TokenRows } from './token-rows';
import type { IssuedToken } from '../oauth/issued-token';
import { entriesAtMost } from '../../../kernel/runtime/entries-at-most';

const CACHED = 10_000;
/** Interval at which a gateway checks whether another gateway has renewed a token. */
const LOOK_MS = 50;
/** Interval at which a gateway extends its lease, several times within the lifetime of a lease. */
const EXTEND_MS = 5_000;
/** Maximum number of renewals for one call whose tokens were all replaced before they were stored. */
const MOST_RENEWALS = 3;
/** Time for which a fault is cached, so that not every call repeats a request that the endpoint refuses. */
const FAULT_MS = 2_000;
/** Age up to which a refused token is not renewed, because the server would refuse the next token too. */
const FRESH_MS = 10_000;

/** Maximum time for which other gateways may use a token that a user ended. */
const RECHECK_MS = 2_000;

interface Cached {
  readonly token: IssuedToken;
  readonly readAt: number;
}

/** Result of `TokenSource.outdated` for a refused token. */
interface Asked {
  readonly accessToken: string;
  readonly fault: Promise<CredentialFault | undefined>;
}

/** Owner of a token, and how to obtain the token. */
export interface TokenSource {
  readonly owner: TokenOwner;
  readonly binding: string;
  /** Whether people can end the token. If so, the database is read again after `RECHECK_MS`. */
  readonly canEnd?: boolean;
  /**
   * @param kept stored token that is not valid anymore; undefined if there is none.
   * @throws CredentialFault
   */
  obtain(kept: IssuedToken | undefined): Promise<IssuedToken>;
  /** Revokes a new token whose account or connection was deleted during the renewal. Never rejects. */
  discard?(token: IssuedToken): Promise<void>;
  /**
   * Returns why renewal of a refused token cannot help; undefined if it may help. Called once for each token.
   * Never rejects.
   */
  outdated?(refused: IssuedToken): Promise<CredentialFault | undefined>;
}

/** Access tokens for MCP servers. All calls on all gateways that wait for a new token share one request. */
@Injectable()
export class UpstreamTokens {
  private readonly log = new Logger(UpstreamTokens.name);
  private readonly tokens = new LRUCache<string, Cached>(entriesAtMost(CACHED));
  private readonly faults = new LRUCache<string, CredentialFault>({
    ...entriesAtMost(CACHED),
    ttl: FAULT_MS,
  });
  private readonly underWay = new Map<string, Promise<IssuedToken>>();
  private readonly asked = new LRUCache<string, Asked>({ max: CACHED });

  constructor(
    private readonly rows: TokenRows,
    private readonly clock: Clock,
  ) {}

  /** Returns a token that has not expired. @throws CredentialFault */
  async current(source: TokenSource): Promise<string> {
    return (await this.token(source, undefined)).accessToken;
  }

  /**
   * Replaces a token that the server refused.
   * @returns whether there is another token now. @throws CredentialFault
   */
  async replace(source: TokenSource, refused: string): Promise<boolean> {
    const known = this.tokens.get(keyOf(source))?.token;
    const fault = known?.accessToken === refused ? await this.outdated(source, known) : undefined;
    if (fault !== undefined) {
      await this.token({ ...source, obtain: () => Promise.reject(fault) }, refused);
      return true;
    }
    if (known?.accessToken === refused && this.clock.now() - known.obtainedAt < FRESH_MS) return false;
    const { accessToken } = await this.token(source, refused);
    return accessToken !== refused;
  }

  private outdated(source: TokenSource, refused: IssuedToken): Promise<CredentialFault | undefined> {
    if (source.outdated === undefined) return Promise.resolve(undefined);
    const key = keyOf(source);
    const { accessToken } = refused;
    const earlier = this.asked.get(key);
    if (earlier?.accessToken === accessToken) return earlier.fault;
    const fault = source.outdated(refused);
    this.asked.set(key, { accessToken, fault });
    return fault;
  }

  /** Removes a token from the cache after it was ended or replaced by a sign-in. */
  forget(source: Pick<TokenSource, 'owner' | 'binding'>): void {
    this.tokens.delete(keyOf(source));
    this.faults.delete(keyOf(source));
  }

  private async token(source: TokenSource, refused: string | undefined): Promise<IssuedToken> {
    const key = keyOf(source);
    const known = this.tokens.get(key);
    const isRecent = source.canEnd !== true || performance.now() - (known?.readAt ?? 0) < RECHECK_MS;
    if (known !== undefined && isRecent && this.isGood(known.token, refused)) return known.token;
    const fault = this.faults.get(key);
    if (fault !== undefined) throw fault;
    const running = this.underWay.get(key);
    if (running !== undefined) return running;
    const begun = this.acquire(source, refused)
      .then((token) => {
        this.tokens.set(key, { token, readAt: performance.now() });
        return token;
      })
      .catch((error: unknown) => {
        // `SignInNeeded` is not cached, because it is found without a request to a server, and a user may
        // sign in at any moment.
        if (error instanceof CredentialFault && !(error instanceof SignInNeeded)) this.faults.set(key, error);
        throw error;
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, begun);
    return begun;
  }

  /**
   * Waits as long as another gateway holds the lease. The wait has an end, because each request of a renewal
   * has a time limit, and the lease of a gateway that died is not extended.
   */
  private async acquire(source: TokenSource, refused: string | undefined): Promise<IssuedToken> {
    const { owner, binding } = source;
    for (let renewals = 0; ;) {
      const kept = await this.rows.find(owner, binding);
      if (kept !== undefined && this.isGood(kept, refused)) return kept;
      if (renewals === MOST_RENEWALS)
        throw new CredentialFault(
          'unreachable',
          'The gateway could not renew its token for this MCP server.',
        );
      const taken = await this.rows.take(owner, binding);
      if (taken === undefined) {
        await pause(LOOK_MS);
        continue;
      }
      renewals += 1;
      const token = await this.renewed(source, taken, refused);
      if (token !== undefined) return token;
    }
  }

  /** Returns the new token; undefined if it was not stored, so that the caller must read the stored token. */
  private async renewed(
    { owner, binding, ...source }: TokenSource,
    { lease, kept, isForeign }: LeasedRow,
    refused: string | undefined,
  ): Promise<IssuedToken | undefined> {
    try {
      if (kept !== undefined && this.isGood(kept, refused)) {
        await this.rows.giveUp(lease);
        return kept;
      }
      const token = await this.extending(lease, () => source.obtain(kept));
      if (!isForeign)
        return (await this.isKept({ owner, binding, ...source }, lease, token)) ? token : undefined;
      await this.rows.giveUp(lease);
      return token;
    } catch (error) {
      if (error instanceof CredentialFault && error.reason === 'needs_reauth' && !isForeign)
        await this.rows.needReauth(owner, lease);
      else await this.rows.giveUp(lease);
      throw error;
    }
  }

  /** Holds the lease while the work runs, because a renewal may take several slow requests. */
  private async extending<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
    const extension = new PeriodicTask({
      everyMs: EXTEND_MS,
      work: () => this.rows.extend(lease),
      onError: (message) => this.log.warn(`The lease of a token could not be extended: ${message}`),
    });
    extension.start();
    try {
      return await work();
    } finally {
      void extension.stop();
    }
  }

  /**
   * Stores a new token and returns whether it was stored. Logs a token that was not stored, because most
   * refresh tokens can be used only once, so the loss must be noticed.
   */
  private async isKept(source: TokenSource, lease: Lease, token: IssuedToken): Promise<boolean> {
    const { owner, binding } = source;
    const { connectionId, subjectId } = owner;
    try {
      const keeping = await this.rows.keep(owner, lease, binding, token);
      if (keeping === 'stored') return true;
      this.log.warn({ connectionId, subjectId }, `A renewed token was not stored: it is ${keeping}`);
      if (keeping === 'ended') await source.discard?.(token);
      return false;
    } catch (err) {
      this.log.error({ err, connectionId, subjectId }, 'A renewed token for an MCP server was lost');
      throw err;
    }
  }

  private isGood({ accessToken, renewAt }: IssuedToken, refused: string | undefined): boolean {
    return accessToken !== refused && this.clock.now() < renewAt;
  }
}

function keyOf({
  owner: { orgId, connectionId, subjectId },
  binding,
}: Pick<TokenSource, 'owner' | 'binding'>): string {
  return JSON.stringify([orgId, connectionId, subjectId, binding]);
}
