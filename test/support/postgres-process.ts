import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { type TestDatabase, freshDatabase } from './database';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { GatewayProcess, buildIfNeeded, productionEnvironment, temporaryFolder } from './gateway-process';
import { freshTarget, secretOf } from './target';
import { type SessionRow, sessionNamed } from './visitor';
import { wireUnder } from './pg-parts';

/** Time limit for the end of a session. A new gateway needs less time to detect that the old one is dead. */
const CLOSES_WITHIN_MS = 60_000;
const LOOKS_EVERY_MS = 50;

export interface ProcessClient {
  readonly client: Client;
  /** The client's `application_name`: the label of its session, and the name of its backend at the target. */
  readonly name: string;
  readonly socket: Socket;
  /** The last error before the connection ended; '' if there was none. */
  readonly lastWords: Promise<string>;
}

/**
 * A gateway as a process of its own, with one connection, `orders`, whose
 * clients speak PostgreSQL's protocol.
 */
export class PostgresProcess {
  private gateway!: GatewayProcess;
  private clients = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly target: TestDatabase,
    private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>,
    private readonly production: Awaited<ReturnType<typeof productionEnvironment>>,
    readonly token: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<PostgresProcess> {
    await buildIfNeeded();
    const [database, target] = await Promise.all([freshDatabase(), freshTarget()]);
    const production = await productionEnvironment(database.url);
    const token = await production.token();
    const folder = await temporaryFolder();
    const started = new PostgresProcess(database, target, folder, production, token, await freePort());
    await started.start();
    await started.connect('orders');
    return started;
  }

  /** Starts the next gateway, with the same folders and ports. */
  async start(more: Record<string, string> = {}): Promise<void> {
    this.gateway = await GatewayProcess.start({
      ...this.production.variables,
      DATA_DIR: join(this.folder.path, 'data'),
      HEARTBEAT_SECONDS: '1',
      POSTGRES_PROXY_PORT: String(this.port),
      ...more,
    });
  }

  /** The gateway that was started last. */
  get running(): GatewayProcess {
    return this.gateway;
  }

  async kill(): Promise<void> {
    this.gateway.kill('SIGKILL');
    await this.gateway.exited;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.production.provider.close();
    await Promise.all([this.database.drop(), this.target.drop(), this.folder.remove()]);
  }

  async connect(name: string, more: object = {}): Promise<void> {
    const body = { name, type: 'database', subtype: 'postgres', secret: secretOf(this.target), ...more };
    const answer = await this.gateway.post('/connections', this.token, body);
    if (answer.status !== 201) throw new Error(`the connection was not created: ${await answer.text()}`);
  }

  async enter(connection = 'orders'): Promise<ProcessClient> {
    const name = `client-${++this.clients}`;
    const client = new Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'me',
      password: this.token,
      database: connection,
      application_name: name,
    });
    let words = '';
    client.on('error', () => undefined);
    const wire = wireUnder(client);
    wire.on('errorMessage', ({ severity, code, message }) => (words = `${severity} ${code}: ${message}`));
    const lastWords = new Promise<string>((ended) => client.once('end', () => ended(words)));
    await client.connect();
    return { client, name, socket: wire.stream, lastWords };
  }

  /** Whether the target runs a statement of the client with this `application_name`. */
  async isAtWork(name: string): Promise<boolean> {
    const rows = await this.target.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND application_name = $1`,
      [name],
    );
    return rows.length > 0;
  }

  /** Whether the target has no backend of any client. */
  async nobodyIsLeft(): Promise<boolean> {
    const rows = await this.target.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'client-%'`,
    );
    return rows.length === 0;
  }

  session({ name }: Pick<ProcessClient, 'name'>): Promise<SessionRow> {
    return sessionNamed(this.database, name);
  }

  done(client: Pick<ProcessClient, 'name'>): Promise<SessionRow> {
    const look = async () => {
      const session = await this.session(client);
      return session.status === 'done' && session;
    };
    return eventually(`the session of ${client.name} is done`, look, CLOSES_WITHIN_MS);
  }

  /** Returns type and content of each event of the recording. */
  async recording(id: string): Promise<string[]> {
    const view = await (await this.gateway.get(`/sessions/${id}?expand=event_stream`, this.token)).json();
    const { event_stream } = view as { event_stream: [number, string, string][] };
    return event_stream.map(([, type, content]) => `${type} ${Buffer.from(content, 'base64').toString()}`);
  }

  /** Returns the maximum growth of the gateway's memory during the work, in bytes. */
  async growthDuring(work: () => Promise<unknown>): Promise<number> {
    const before = await this.residentBytes();
    let most = before;
    const look = setInterval(() => {
      this.residentBytes().then(
        (now) => (most = Math.max(most, now)),
        () => undefined,
      );
    }, LOOKS_EVERY_MS);
    await work().finally(() => clearInterval(look));
    return most - before;
  }

  private async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.gateway.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }
}
