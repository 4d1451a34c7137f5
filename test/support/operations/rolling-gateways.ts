import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestDatabase } from '../database';
import { freePort } from '../free-port';
import { type Folder, GatewayProcess, type Production } from '../gateway-process';
import { type McpTestServer, startMcpServer } from '../mcp/start-mcp-server';
import { secretOf } from '../target';
import { Load } from './load';
import { LoadBalancer } from './load-balancer';

const VERIFIED_AT_ONCE = 10;

interface Given {
  readonly folder: Folder;
  readonly target: TestDatabase;
  readonly production: Production;
  readonly databaseUrl: string;
}

/**
 * Production gateways behind a load balancer. A test starts and stops them one by one while people work
 * through the load balancer.
 */
export class RollingGateways {
  private readonly all: GatewayProcess[] = [];
  private readonly postgresPorts = new Map<GatewayProcess, number>();

  private constructor(
    private readonly given: Given,
    private readonly balancer: LoadBalancer,
    private readonly server: McpTestServer,
    readonly token: string,
    private readonly postgresPort: number,
  ) {}

  static async prepare(given: Given): Promise<RollingGateways> {
    const { production } = given;
    const postgresPort = await freePort();
    // The identity provider sends browsers back to this address.
    const balancer = await LoadBalancer.start(Number(production.variables['PORT']), postgresPort);
    const server = await startMcpServer('modern');
    return new RollingGateways(given, balancer, server, await production.token(), postgresPort);
  }

  /** The address of the load balancer. */
  get origin(): string {
    return `http://127.0.0.1:${this.given.production.variables['PORT']}`;
  }

  /**
   * Starts a further gateway. Resolves when the gateway can get requests.
   * @param folder the folder of another built version
   */
  async start(variables: Record<string, string> = {}, folder?: string): Promise<GatewayProcess> {
    const postgresPort = String(await freePort());
    const gateway = await GatewayProcess.start(
      {
        ...this.given.production.variables,
        DATABASE_URL: this.given.databaseUrl,
        API_URL: this.origin,
        PORT: String(await freePort()),
        POSTGRES_PROXY_PORT: postgresPort,
        // Uses the test folder, which is mostly in memory, because installations and builds slow the disk.
        JOURNAL_DIR: await mkdtemp(join(process.env['TEST_FOLDER'] ?? this.given.folder.path, 'journals-')),
        MCP_ALLOWED_HOSTS: '127.0.0.1',
        // Sets a high limit, because one person signs in again and again.
        LOGINS_PER_MINUTE: '10000',
        SHUTDOWN_DELAY_SECONDS: '2',
        ...variables,
      },
      folder,
    );
    this.all.push(gateway);
    this.postgresPorts.set(gateway, Number(postgresPort));
    await this.balancer.add(gateway, Number(postgresPort));
    return gateway;
  }

  /** Returns the gateway's own PostgreSQL port, which bypasses the load balancer. */
  postgresPortOf(gateway: GatewayProcess): number {
    return this.postgresPorts.get(gateway) ?? 0;
  }

  /** Stops the gateways one after another, like an orchestrator. */
  async stop(...gateways: GatewayProcess[]): Promise<void> {
    for (const gateway of gateways) {
      const { code } = await gateway.stop();
      if (code !== 0) throw new Error(`did not end with 0: ${gateway.describe()}`);
    }
  }

  /** For each gateway, starts a new one, then begins to stop the old one. Resolves when all have stopped. */
  async replace(
    gateways: readonly GatewayProcess[],
    variables: Record<string, string> = {},
    folder?: string,
    isBesideAnother: () => Promise<void> = async () => undefined,
  ): Promise<GatewayProcess[]> {
    const next: GatewayProcess[] = [];
    const ends: Promise<void>[] = [];
    for (const gateway of gateways) {
      next.push(await this.start(variables, folder));
      await isBesideAnother();
      ends.push(this.stop(gateway));
    }
    await Promise.all(ends);
    return next;
  }

  /** Sends a request to the load balancer, as admin. */
  async call(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.origin}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Creates the connections, and starts the load. The load runs until its `stop` is called. */
  async load(): Promise<Load> {
    await this.connect('orders', 'database', 'postgres', secretOf(this.given.target));
    await this.connect('tools', 'application', 'mcpproxy', { REMOTE_URL: this.server.url });
    const { origin, postgresPort, token } = this;
    return new Load({ origin, postgresPort, token, database: 'orders', tools: 'tools' });
  }

  /** Verifies all sessions. Returns the number of sessions for each result of `verify`. */
  async verified(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (let offset = 0, ids: string[]; ; offset += ids.length) {
      const answer = await this.call('GET', `/sessions?limit=100&offset=${offset}`);
      ids = ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
      if (ids.length === 0) return counts;
      for (let place = 0; place < ids.length; place += VERIFIED_AT_ONCE) {
        const some = ids.slice(place, place + VERIFIED_AT_ONCE);
        for (const status of await Promise.all(some.map((id) => this.verdictOn(id))))
          counts[status] = (counts[status] ?? 0) + 1;
      }
    }
  }

  async close(): Promise<void> {
    for (const gateway of this.all) if (!gateway.hasEnded) gateway.kill('SIGKILL');
    await Promise.all(this.all.map(({ exited }) => exited));
    await this.balancer.close();
    await this.server.close();
  }

  private async verdictOn(id: string): Promise<string> {
    const verified = await this.call('GET', `/sessions/${id}/verify`);
    return ((await verified.json()) as { status: string }).status;
  }

  private async connect(name: string, type: string, subtype: string, secret: object): Promise<void> {
    const answer = await this.call('POST', '/connections', {
      name,
      type,
      subtype,
      secret,
      access_groups: ['*'],
    });
    if (answer.status !== 201) throw new Error(`${name} was not created: ${await answer.text()}`);
  }
}
