import { once } from 'node:events';
import { Client, Query } from 'pg';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess, until } from '../support/gateway-process';
import { secretOf } from '../support/target';
import { cancelOn } from '../support/pg-parts';
import { volume } from '../support/volume';

const WORKERS = volume(2, 3);
jest.setTimeout(480_000);

describeProcesses('PostgreSQL clients of several processes', ({ folder, database, target, production }) => {
  let token: string;
  let gateway: GatewayProcess;
  let address: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    token = await production.token();
    gateway = await GatewayProcess.start({
      ...production.variables,
      POSTGRES_PROXY_PORT: String(await freePort()),
      WORKERS: String(WORKERS),
      JOURNAL_DIR: folder.path,
    });
    await gateway.says(`${WORKERS} workers serve`);
    const orders = { name: 'orders', type: 'database', subtype: 'postgres', secret: secretOf(target) };
    await gateway.post('/connections', token, orders);
    const issued = await gateway.post('/connections/orders/credentials', token, {});
    const { connection_credentials } = (await issued.json()) as {
      connection_credentials: { connection_string: string };
    };
    address = connection_credentials.connection_string.replace('?sslmode=disable', '');
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  });

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  /** Opens a client. Returns it with the id of its session, and with the gateway id of its worker. */
  async function connect(): Promise<{ client: Client; session: string; worker: string }> {
    const client = new Client(address);
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    const [row] = await database.query<{ id: string; gateway_id: string }>(
      'SELECT id, gateway_id FROM sessions ORDER BY id DESC LIMIT 1',
    );
    return { client, session: row?.id ?? '', worker: row?.gateway_id ?? '' };
  }

  /** Opens one client at each worker. */
  async function oneEach(): Promise<Awaited<ReturnType<typeof connect>>[]> {
    const found = new Map<string, Awaited<ReturnType<typeof connect>>>();
    for (let tries = 0; tries < 4 * WORKERS && found.size < WORKERS; tries += 1) {
      const each = await connect();
      if (!found.has(each.worker)) found.set(each.worker, each);
    }
    return [...found.values()];
  }

  /** Starts a statement that does not end by itself; resolves once the target runs it. */
  async function keepBusy(
    client: Client,
    mark: string,
  ): Promise<{ query: Query; error: Promise<DriverError> }> {
    const query = client.query(new Query(`SELECT pg_sleep(300), '${mark}'`));
    const error = once(query, 'error').then(([failure]) => failure as DriverError);
    await until(async () => (await running(mark)) === 1);
    return { query, error };
  }

  async function running(mark: string): Promise<number> {
    const rows = await target.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
         AND query LIKE $1 AND pid <> pg_backend_pid()`,
      [`%${mark}%`],
    );
    return rows.length;
  }

  it('are served by all of them', async () => {
    const served = await oneEach();
    expect(new Set(served.map(({ worker }) => worker)).size).toBe(WORKERS);
    for (const [index, { client }] of served.entries())
      expect((await client.query('SELECT $1::int AS n', [index])).rows).toEqual([{ n: index }]);
  });

  it('cancel what their session runs, through any worker', async () => {
    const { client } = await connect();
    const other = await connect();
    const bystander = await keepBusy(other.client, 'bystander');
    // Sends one CancelRequest per worker. Connections go to the workers in turn, so each worker gets one.
    for (let turn = 0; turn < WORKERS; turn += 1) {
      const { query, error } = await keepBusy(client, `turn ${turn}`);
      cancelOn(address, client, query);
      expect((await error).code).toBe('57014');
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    }
    expect(await running('bystander')).toBe(1);
    cancelOn(address, other.client, bystander.query);
    expect((await bystander.error).code).toBe('57014');
  });

  it('get the reason when their session is killed, through any worker', async () => {
    for (const { client, session, worker } of await oneEach()) {
      const { error } = await keepBusy(client, `served by ${worker}`);
      expect((await gateway.post(`/sessions/${session}/kill`, token)).status).toBeLessThan(300);
      const { code, message } = await error;
      expect({ code, message }).toEqual({
        code: '57P01',
        message: expect.stringMatching(/ended/) as unknown,
      });
      await until(async () => (await running(`served by ${worker}`)) === 0);
      const answer = await gateway.get(`/sessions/${session}?event_stream=utf8`, token);
      expect(await answer.json()).toMatchObject({
        status: 'done',
        exit_code: 254,
        event_stream: [expect.stringContaining(message)],
      });
    }
  });
});

interface DriverError {
  readonly code: string;
  readonly message: string;
}
