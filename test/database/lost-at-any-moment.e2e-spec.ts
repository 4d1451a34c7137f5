import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { describeScoped } from '../support/describe';
import { type TestGateway, startGateway } from '../support/gateway';
import { operations } from '../support/operations';
import { secretOf } from '../support/target';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy';
import { volume } from '../support/volume';

const ROUNDS = volume(24, 400);
/** Recording modes of the scripts. For each mode there is a connection with its name. */
const MODES = ['journal', 'store'];
/** Longest time between the requests of a round and the loss of the database. A request takes some 10 ms. */
const WITHIN_MS = 40;

/** The answer to a request during which the database may be lost. */
interface Seen {
  readonly request: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Sends requests of all kinds through one gateway that loses its database repeatedly, in several ways. */
describeScoped('a request whose database is lost at any moment', (begin) => {
  const steady = begin(() => startGateway());
  let wire: TcpProxy;
  let gateway: TestGateway;
  let token: string;
  let scimToken: string;

  beforeAll(async () => {
    const { hostname, port } = new URL(steady.database.url);
    wire = await startTcpProxy(hostname, Number(port));
    const url = new URL(steady.database.url);
    url.port = String(wire.port);
    gateway = await startGateway({ beside: steady, environment: { DATABASE_URL: url.href } });
    token = await gateway.token('admin');
    const created = await steady.call('admin', 'POST', '/scim-tokens', { name: 'directory' });
    scimToken = created.body.token;
    for (const recording_mode of MODES)
      await steady.call('admin', 'POST', '/connections', {
        name: recording_mode,
        type: 'database',
        subtype: 'postgres',
        secret: secretOf(steady.database),
        access_groups: ['*'],
        recording_mode,
      });
  });

  afterAll(async () => {
    await gateway.close();
    await wire.close();
  });

  const LOSSES: Record<string, () => Promise<unknown>> = {
    'its connections are cut': async () => wire.cut(),
    'the server ends its sessions': () =>
      steady.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND client_port IN (SELECT unnest($1::int[]))`,
        [wire.targetPorts()],
      ),
    'nothing can be dialled': async () => {
      wire.refuse(true);
      wire.cut();
      await new Promise((passed) => setTimeout(passed, 200));
      wire.refuse(false);
    },
  };

  const lists = operations
    .filter(
      ({ method, path, parameters }) =>
        method === 'GET' && !path.includes('{') && !parameters.some(({ name }) => name === 'seconds'),
    )
    .map(({ path }) => path.replace(/^\/api/, ''));

  async function ask(method: string, path: string, body?: unknown, bearer = token): Promise<Seen> {
    const response = await fetch(`${gateway.api}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    return {
      request: `${method} ${path}`,
      status,
      retryAfter: headers.get('retry-after'),
      text: await response.text(),
    };
  }

  function requests(round: number): Promise<Seen>[] {
    const from = (round * 6) % lists.length;
    return [
      ...[...lists, ...lists].slice(from, from + 6).map((path) => ask('GET', path)),
      ask('POST', '/guardrails', { name: `rule ${round}` }),
      ask('POST', '/sessions', { connection: 'none', script: 'SELECT 1' }),
      ...MODES.map((connection) => ask('POST', '/sessions', { connection, script: 'SELECT 1' })),
      ask('GET', '/scim/v2/Users', undefined, scimToken),
      ask('POST', '/mcp/none', { jsonrpc: '2.0', id: 1, method: 'ping' }),
    ];
  }

  let unavailable = 0;

  it.each(Object.keys(LOSSES))('is answered, or told when to try again: %s', async (loss) => {
    const seen: Seen[] = [];
    const errors = jest.spyOn(Logger.prototype, 'error');
    for (let round = 0; round < ROUNDS; round++) {
      const answers = requests(round);
      await new Promise((passed) => setTimeout(passed, (WITHIN_MS * round) / ROUNDS));
      await LOSSES[loss]?.();
      seen.push(...(await Promise.all(answers)));
    }
    const failed = seen.filter(
      ({ status, retryAfter }) => status >= 500 && (status !== 503 || retryAfter === null),
    );
    // Shows the gateway's log with a failure, because only the log contains the cause.
    const causes = failed.length === 0 ? [] : errors.mock.calls.map((call) => inspect(call, { depth: 4 }));
    expect({ failed, causes }).toEqual({ failed: [], causes: [] });
    unavailable += seen.filter(({ status }) => status === 503).length;
  });

  it('has met such losses', () => expect(unavailable).toBeGreaterThan(0));
});
