import type { Socket } from 'node:net';
import { Client, type QueryConfig, type QueryResult } from 'pg';
import { PostgresProxySettings } from '../../src/platform/config/groups';
import { type Caller, issue } from './credentials';
import type { DataPath } from './data-path';
import type { TestDatabase } from './database';
import { eventually } from './eventually';
import type { Answer, TestGateway } from './gateway';
import { type WireUnder, backendKeyOf, wireUnder } from './pg-parts';

export interface Way {
  /** Gateway at which the client signs in; default: the gateway of the data path. */
  readonly gateway?: TestGateway;
  readonly caller?: Caller;
  readonly connection?: string;
  /** User name and password; by default of a credential issued to the caller. */
  readonly user?: string;
  readonly password?: string;
  readonly options?: string;
}

/** A session's row in the database. */
export interface SessionRow {
  readonly id: string;
  readonly status: string;
  readonly exit_code: number | null;
  readonly end_date: Date | null;
}

/** Visitors that are connected, by their names. */
const visitors = new Map<string, Visitor>();
let entered = 0;

/** The port of a gateway's PostgreSQL listener. */
export function proxyPort(gateway: TestGateway): number {
  return gateway.app.get(PostgresProxySettings).port;
}

/** User name and password of a fresh credential. */
export async function signInOf(
  path: DataPath,
  { gateway = path.gateway, caller = 'alice', connection = 'orders' }: Way = {},
): Promise<{ user: string; password: string }> {
  const { status, text, body } = await issue(gateway, caller, {}, connection);
  if (status !== 201) throw new Error(`no credential was issued: ${text}`);
  return { user: body.connection_credentials.username, password: body.connection_credentials.password };
}

/**
 * A node-postgres client through the gateway, with the state of its session at the gateway and the target.
 */
export class Visitor {
  private readonly client: Client;
  private readonly said: string[] = [];
  private readonly over: Promise<unknown>;

  private constructor(
    private readonly path: DataPath,
    readonly user: string,
    password: string,
    readonly name: string,
    { gateway = path.gateway, connection = 'orders', options }: Way,
  ) {
    this.client = new Client({
      host: '127.0.0.1',
      port: proxyPort(gateway),
      database: connection,
      user,
      password,
      application_name: name,
      ...(options === undefined ? {} : { options }),
    });
    this.client.on('error', () => undefined);
    this.wire.on('errorMessage', ({ severity, code, message }) =>
      this.said.push(`${severity} ${code}: ${message}`),
    );
    // `events.once` is not used, because it rejects at an error, before the connection ends.
    this.over = new Promise((ended) => this.client.once('end', ended));
  }

  /** Resolves with a client that is signed in. */
  static async enter(path: DataPath, way: Way = {}): Promise<Visitor> {
    const visitor = await Visitor.approach(path, way);
    await visitor.client.connect();
    return visitor;
  }

  /** Tries to sign in. Returns the errors that the client received, or `it was let in` if there were none. */
  static async refused(path: DataPath, way: Way = {}): Promise<string> {
    const visitor = await Visitor.approach(path, way);
    const problem = await visitor.client.connect().then(
      () => 'it was let in',
      () => undefined,
    );
    if (problem !== undefined) await visitor.leave();
    return problem ?? visitor.said.join('\n');
  }

  /** Returns the client with this `application_name`, even if it has not signed in yet. */
  static named(name: string): Visitor {
    const visitor = visitors.get(name);
    if (visitor === undefined) throw new Error(`nobody is called ${name}`);
    return visitor;
  }

  private static async approach(path: DataPath, way: Way): Promise<Visitor> {
    const { user, password } =
      way.user === undefined || way.password === undefined
        ? await signInOf(path, way)
        : { user: way.user, password: way.password };
    const name = `visitor-${(entered += 1)}`;
    const visitor = new Visitor(path, user, password, name, way);
    visitors.set(name, visitor);
    visitor.socket.once('close', () => visitors.delete(name));
    return visitor;
  }

  private get wire(): WireUnder {
    return wireUnder(this.client);
  }

  get socket(): Socket {
    return this.wire.stream;
  }

  query(query: string | QueryConfig): Promise<QueryResult> {
    return this.client.query(query);
  }

  /**
   * Starts a statement that runs longer than a test. Resolves when the target runs it. After the statement
   * was aborted, `lastWords` returns its error.
   */
  async keepBusy(): Promise<void> {
    this.client.query('SELECT pg_sleep(600)').catch(() => undefined);
    await this.untilBusy();
  }

  async untilBusy(): Promise<void> {
    await eventually('the target is at work', async () => (await this.backends('active')).length > 0);
  }

  /** The process id and the secret key from BackendKeyData, for a CancelRequest. */
  get cancelKey(): { processId: number; key: Buffer } {
    const { processId, secret } = backendKeyOf(this.client);
    const key = Buffer.alloc(4);
    key.writeInt32BE(secret);
    return { processId, key };
  }

  /** Returns the process ids of the client's backends at the target. `state` is a pattern for LIKE. */
  async backends(state = '%'): Promise<number[]> {
    const rows = await this.path.target.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND state LIKE $2`,
      [this.name, state],
    );
    return rows.map(({ pid }) => pid);
  }

  /** The last error before the connection ended; '' if there was none. */
  async lastWords(): Promise<string> {
    await this.over;
    return this.said.at(-1) ?? '';
  }

  /** Disconnects with Terminate. */
  async leave(): Promise<void> {
    await this.client.end();
  }

  async session(): Promise<SessionRow> {
    return sessionNamed(this.path.gateway.database, this.name);
  }

  /** Waits until the target's backend and the session have ended. Returns exit code and last event. */
  async aftermath(): Promise<{ exit_code: number | null; hasEnd: boolean; lastEvent: string[] }> {
    await eventually('the target’s backend is gone', async () => (await this.backends()).length === 0);
    const row = await eventually('the session is done', async () => {
      const session = await this.session();
      return session.status === 'done' && session;
    });
    const events = await this.path.recording(row.id);
    return { exit_code: row.exit_code, hasEnd: row.end_date !== null, lastEvent: events.at(-1) ?? [] };
  }

  recording(): Promise<[string, string][]> {
    return this.session().then(({ id }) => this.path.recording(id));
  }
}

export async function sessionNamed(database: TestDatabase, name: string): Promise<SessionRow> {
  const rows = await database.query<SessionRow>(
    `SELECT id, status, exit_code, end_date FROM sessions WHERE labels ->> 'application_name' = $1`,
    [name],
  );
  if (rows[0] === undefined || rows.length > 1) throw new Error(`${rows.length} sessions are of ${name}`);
  return rows[0];
}

/** POST /sessions/{id}/kill. */
export async function killSession(gateway: TestGateway, visitor: Visitor): Promise<Answer> {
  return gateway.call('admin', 'POST', `/sessions/${(await visitor.session()).id}/kill`);
}
