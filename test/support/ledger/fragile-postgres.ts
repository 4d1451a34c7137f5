import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/development/embedded-postgres/embedded-postgres';
import { processIsAlive } from '../../../src/development/embedded-postgres/postmaster-pid';
import { type TcpProxy, startTcpProxy } from '../tcp-proxy';
import { SURVIVES_DEATH, onServer } from './standby';

export const DATABASE = 'gateway';

/** `kill -9` of the server and all its processes at once, or PostgreSQL's own immediate shutdown. */
export type ServerFault = 'kill' | 'immediate';

/** A database server that a test kills. */
export interface FallibleServer {
  /** URL of the server for gateways. It stays the same after a restart or a replacement. */
  readonly url: string;
  /** Connects to the server directly, runs the work, and closes the connection. */
  connected<T>(work: (client: Client) => Promise<T>): Promise<T>;
  fail(fault: ServerFault): Promise<void>;
  /** Restarts the dead server, or replaces it by another server with its data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** A database server for one gateway that can be killed and restarted. Its address stays the same. */
export class FragilePostgres implements FallibleServer {
  private constructor(
    private readonly folder: string,
    private readonly wire: TcpProxy,
    private server: EmbeddedPostgres,
  ) {}

  static async start(folder: string): Promise<FragilePostgres> {
    const server = await launch(folder);
    await server.createDatabase(DATABASE);
    return new FragilePostgres(folder, await startTcpProxy('127.0.0.1', server.port), server);
  }

  /** URL for the gateway, with the port of the TCP proxy, because each start changes the server's port. */
  get url(): string {
    const url = new URL(this.server.url(DATABASE));
    url.port = String(this.wire.port);
    return url.href;
  }

  async connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return onServer(this.server, work, DATABASE);
  }

  async fail(fault: ServerFault): Promise<void> {
    await killServer(join(this.folder, 'postgres'), fault);
  }

  async startAgain(): Promise<void> {
    this.server = await launch(this.folder);
    this.wire.lead(this.server.port);
  }

  async stop(): Promise<void> {
    await this.wire.close();
    await this.server.stop();
  }
}

function launch(folder: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    settings: SURVIVES_DEATH,
    log: () => undefined,
  });
}

/** Kills the server whose data is in the folder `cluster`, and waits until it is gone. */
export async function killServer(cluster: string, fault: ServerFault): Promise<void> {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const children = await childrenOf(pid);
  process.kill(pid, fault === 'kill' ? 'SIGKILL' : 'SIGQUIT');
  if (fault === 'kill') for (const child of children) killIfThere(child);
  while (processIsAlive(pid)) await delay(10);
}

/** Returns the ids of child processes on Linux. On other systems, they end by themselves with the server. */
async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    pids.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The process name is in parentheses and may contain spaces. The state and the parent's id follow it.
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) };
    }),
  );
  return parents.filter(({ parent }) => parent === pid).map((child) => child.pid);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
