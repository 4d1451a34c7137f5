import type { TestDatabase } from './database';
import { eventually } from './eventually';
import { type Answer, type GatewayOptions, type Person, type TestGateway, startGateway } from './gateway';
import { connect, freshTarget } from './target';

/** A gateway with one connection, `orders`, to a real PostgreSQL database; and helpers to use it. */
export interface DataPath {
  readonly gateway: TestGateway;
  readonly target: TestDatabase;
  readonly connectionId: string;
  /** Runs a script on `orders`, or on `more.connection`. */
  run(script: string, more?: object, person?: Person): Promise<Answer>;
  /** GET /sessions/{id}. */
  read(id: string, query?: string, person?: Person): Promise<Answer>;
  /** Returns type and decoded content of each event of the recording: `['i', 'SELECT 1']`. */
  recording(id: string): Promise<[string, string][]>;
  /** Creates another connection to the target database. Returns its id. */
  connect(name: string, more?: object): Promise<string>;
  /** Number of sessions in the gateway's database. */
  countSessions(): Promise<number>;
  /** Returns the row of the only session that ran this script. */
  sessionOf(
    script: string,
  ): Promise<{ id: string; status: string; exit_code: number; end_date: Date | null }>;
  /** Resolves when the target runs a statement that matches the pattern. */
  untilRunning(statement: RegExp): Promise<void>;
  /** Sets the status of a user in the gateway's database, without the API. */
  setStatus(subject: string, status: 'active' | 'inactive'): Promise<void>;
  close(): Promise<void>;
}

export async function startDataPath(
  environment: Record<string, string> = {},
  provider: GatewayOptions['provider'] = {},
): Promise<DataPath> {
  const [gateway, target] = await Promise.all([startGateway({ environment, provider }), freshTarget()]);
  const connectionId = await connect(gateway, target, 'orders');
  const read: DataPath['read'] = (id, query = '', person = 'admin') =>
    gateway.call(person, 'GET', `/sessions/${id}${query}`);
  return {
    gateway,
    target,
    connectionId,
    run: (script, more = {}, person = 'admin') =>
      gateway.call(person, 'POST', '/sessions', { connection: 'orders', script, ...more }),
    read,
    recording: async (id) => {
      const { body } = await read(id, '?expand=event_stream');
      return (body.event_stream as [number, string, string][]).map(([, type, content]) => [
        type,
        Buffer.from(content, 'base64').toString(),
      ]);
    },
    connect: (name, more) => connect(gateway, target, name, more),
    countSessions: async () => {
      const [row] = await gateway.database.query<{ count: number }>('SELECT count(*)::int FROM sessions');
      return row?.count ?? -1;
    },
    sessionOf: async (script) => {
      const rows = await gateway.database.query<Awaited<ReturnType<DataPath['sessionOf']>>>(
        'SELECT id, status, exit_code, end_date FROM sessions WHERE script = $1',
        [script],
      );
      if (rows[0] === undefined || rows.length > 1) throw new Error(`${rows.length} sessions ran ${script}`);
      return rows[0];
    },
    untilRunning: async (statement) => {
      await eventually(`the target runs ${statement}`, async () =>
        (await runningOn(target)).some((query) => statement.test(query)),
      );
    },
    setStatus: async (subject, status) => {
      await gateway.database.query('UPDATE users SET status = $2 WHERE subject = $1', [subject, status]);
    },
    close: async () => {
      await gateway.close();
      await target.drop();
    },
  };
}

/** The statements that the gateway runs on the target now. */
export async function runningOn(target: TestDatabase): Promise<string[]> {
  const rows = await target.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'access-gateway' AND state = 'active'`,
  );
  return rows.map((row) => row.query);
}
