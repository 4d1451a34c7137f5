import { join } from 'node:path';
import type { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/development/embedded-postgres/embedded-postgres';
import { type TcpProxy, startTcpProxy } from '../tcp-proxy';
import { DATABASE, type FallibleServer, type ServerFault, killServer } from './fragile-postgres';
import { SURVIVES_DEATH, commitOnBoth, onServer, startStandby } from './standby';

interface Member {
  readonly folder: string;
  readonly server: EmbeddedPostgres;
}

/**
 * A database server and its synchronous standby, each with an address that stays the same. When the server
 * dies, the standby replaces it and gets its own standby. This class does the work of Patroni and a load
 * balancer.
 */
export class ReplicatedPostgres implements FallibleServer {
  private made = 0;
  private dead: Member[] = [];

  private constructor(
    private readonly folder: string,
    private primary: Member,
    private standby: Member,
    private readonly toPrimary: TcpProxy,
    private readonly toStandby: TcpProxy,
  ) {}

  static async start(folder: string): Promise<ReplicatedPostgres> {
    const primary = await launch(join(folder, 'server-0'));
    await primary.server.createDatabase(DATABASE);
    const standby = await follow(primary, join(folder, 'server-1'));
    const replicated = new ReplicatedPostgres(
      folder,
      primary,
      standby,
      await startTcpProxy('127.0.0.1', primary.server.port),
      await startTcpProxy('127.0.0.1', standby.server.port),
    );
    replicated.made = 2;
    return replicated;
  }

  get url(): string {
    return through(this.toPrimary, this.primary.server);
  }

  /** URL of the standby. */
  get replicaUrl(): string {
    return through(this.toStandby, this.standby.server);
  }

  async connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return onServer(this.primary.server, work, DATABASE);
  }

  /** Connects to the standby directly, and closes the connection after the work. */
  async connectedToStandby<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return onServer(this.standby.server, work, DATABASE);
  }

  /** Delays the replay on the standby by a time; '0' ends the delay. */
  async holdStandbyBack(delay: string): Promise<void> {
    await onServer(this.standby.server, async (client) => {
      await client.query(`ALTER SYSTEM SET recovery_min_apply_delay = '${delay}'`);
      await client.query('SELECT pg_reload_conf()');
    });
  }

  /** Hides the standby from gateways, or shows it again. It still streams from the primary. */
  async hideStandby(isHidden: boolean): Promise<void> {
    // Port 1 of this machine refuses connections.
    this.toStandby.lead(isHidden ? 1 : this.standby.server.port);
    this.toStandby.cut();
  }

  /** Makes the standby stop answering while its connections stay open, or makes it continue. */
  freezeStandby(isFrozen: boolean): void {
    this.toStandby.freeze(isFrozen);
  }

  /**
   * Points the standby's address to the primary, as after a promotion that the gateways do not know of; or
   * back to the standby.
   */
  async replaceStandby(isReplaced: boolean): Promise<void> {
    this.toStandby.lead((isReplaced ? this.primary : this.standby).server.port);
    this.toStandby.cut();
  }

  async fail(fault: ServerFault): Promise<void> {
    await killServer(join(this.primary.folder, 'postgres'), fault);
  }

  /** Promotes the standby to the primary, and starts a new standby for it. */
  async startAgain(): Promise<void> {
    this.dead.push(this.primary);
    this.primary = this.standby;
    await onServer(this.primary.server, async (client) => {
      await client.query('SELECT pg_promote(true, 60)');
    });
    this.toPrimary.lead(this.primary.server.port);
    this.toPrimary.cut();
    this.standby = await follow(this.primary, join(this.folder, `server-${this.made++}`));
    this.toStandby.lead(this.standby.server.port);
    this.toStandby.cut();
  }

  async stop(): Promise<void> {
    await Promise.all([this.toPrimary.close(), this.toStandby.close()]);
    // Without its standby, the server could not commit during its shutdown.
    await onServer(this.primary.server, async (client) => {
      await client.query('ALTER SYSTEM RESET synchronous_standby_names');
      await client.query('SELECT pg_reload_conf()');
    });
    await this.standby.server.stop();
    await this.primary.server.stop();
    for (const { server } of this.dead) await server.stop();
  }
}

async function launch(folder: string): Promise<Member> {
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    settings: SURVIVES_DEATH,
    log: () => undefined,
  });
  return { folder, server };
}

async function follow(primary: Member, folder: string): Promise<Member> {
  const server = await startStandby(primary.server, primary.folder, folder);
  await commitOnBoth(primary.server);
  return { folder, server };
}

function through(proxy: TcpProxy, server: EmbeddedPostgres): string {
  const url = new URL(server.url(DATABASE));
  url.port = String(proxy.port);
  return url.href;
}
