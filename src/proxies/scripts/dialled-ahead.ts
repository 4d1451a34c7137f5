import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ProcessSettings, ScriptSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import type { Target } from '../../gate/ports/target-directory';
import type { AheadOfScript, OpenTarget, ScriptRunner } from '../../targets/contract/script-runner';
import { ReadyTargets } from './ready-targets';

type Secret = Readonly<Record<string, string>>;

/** Tables that decide on access. A change to one of them closes all connections that were dialed ahead. */
const DECIDING = new Set([
  'access_request_rules',
  'api_keys',
  'guardrail_connections',
  'guardrail_rules',
  'organizations',
  'user_groups',
  'users',
]);

/**
 * Number of connections that must stay free at a target. Counted for each gateway process, because all
 * processes may dial ahead at the same moment.
 */
const LEAST_ROOM = 10;

interface Pool {
  readonly secret: string;
  readonly ready: ReadyTargets;
}

/**
 * Dials the targets of busy connections ahead, so that a script need not wait for the sign-in. Each dialed
 * connection is used by one script. While the change feed is down, nothing is dialed ahead, because a changed
 * secret would not be noticed.
 */
@Injectable()
export class DialledAhead implements OnModuleDestroy {
  /** Pools of dialed connections by connection id, only for busy connections. */
  private readonly pools = new Map<string, Pool>();
  private isStopping = false;

  constructor(
    private readonly settings: ScriptSettings,
    private readonly feed: ChangeFeed,
    private readonly processes: ProcessSettings,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'connections' && id !== '') this.close(id);
        else if (table === 'connections' || DECIDING.has(table)) this.closeAll();
      },
      reset: () => this.closeAll(),
    });
  }

  onModuleDestroy(): void {
    this.isStopping = true;
    this.closeAll();
  }

  /** Runs a script on the target, with a connection that was dialed ahead if there is one. */
  async during<T>(
    { id, role }: Pick<Target, 'id' | 'role'>,
    secret: Secret,
    runner: ScriptRunner,
    run: (ahead: AheadOfScript | undefined) => Promise<T>,
  ): Promise<T> {
    const { dialAhead } = this.settings;
    // A personal role gets a new connection, because one that was dialed ahead may serve any person.
    const isPersonal = role !== undefined;
    if (runner.dial === undefined || isPersonal || dialAhead === 0 || this.isStopping || !this.feed.live)
      return run(undefined);
    const { ready } = this.poolOf(
      id,
      secret,
      () => runner.dial?.(secret) ?? Promise.reject(new Error('no dial')),
    );
    const ahead = ready.begin();
    try {
      return await run(ahead);
    } finally {
      ready.over();
    }
  }

  private poolOf(id: string, secret: Secret, dial: () => Promise<OpenTarget>): Pool {
    const text = JSON.stringify(secret);
    const known = this.pools.get(id);
    if (known?.secret === text) return known;
    known?.ready.close();
    const { dialAhead: ahead, perConnection: all } = this.settings;
    const forgotten = (): void => {
      if (this.pools.get(id) === pool) this.pools.delete(id);
    };
    const room = LEAST_ROOM * this.processes.workers;
    const pool = { secret: text, ready: new ReadyTargets(dial, { ahead, all, room }, forgotten) };
    this.pools.set(id, pool);
    return pool;
  }

  private close(id: string): void {
    this.pools.get(id)?.ready.close();
    this.pools.delete(id);
  }

  private closeAll(): void {
    for (const { ready } of this.pools.values()) ready.close();
    this.pools.clear();
  }
}
