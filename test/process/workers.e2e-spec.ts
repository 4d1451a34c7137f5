import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expectClosedSets } from '../support/closed-labels';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess, until } from '../support/gateway-process';
import { closedLatch } from '../support/latch';
import { type ScrapedSeries, scrapeMetrics, sumOf } from '../support/scrape';
import { secretOf } from '../support/target';

/** Number of workers: the worker that a test calls or kills, and one more. */
const WORKERS = 2;
/** Time limit of a test that starts several processes, on a machine that is busy with other tests. */
const STARTS_WITHIN_MS = 240_000;

interface Answer {
  readonly status: number | undefined;
  readonly body: Record<string, unknown>;
}

describeProcesses('a gateway of several processes', ({ folder, database, target, production }) => {
  let variables: Record<string, string>;
  let metricsPort: string;
  let token: string;
  let gateway: GatewayProcess;
  const agents: Agent[] = [];
  const killed: number[] = [];
  let count = 0;

  beforeAll(async () => {
    metricsPort = String(await freePort());
    variables = {
      ...production.variables,
      WORKERS: String(WORKERS),
      JOURNAL_DIR: folder.path,
      HEARTBEAT_SECONDS: '1',
      METRICS_PORT: metricsPort,
      SHUTDOWN_DELAY_SECONDS: '3',
      // The grace period is long, so that nothing is canceled during a test, even on a busy machine.
      SHUTDOWN_GRACE_SECONDS: '120',
    };
    token = await production.token();
    gateway = await startAll();
    await gateway.post('/connections', token, {
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret: secretOf(target),
    });
  }, STARTS_WITHIN_MS);

  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });

  async function startAll(): Promise<GatewayProcess> {
    const started = await GatewayProcess.start(variables);
    await started.says(`${WORKERS} workers serve`);
    return started;
  }

  /** The workers that were not killed, in the order of their start. */
  const workers = (): number[] =>
    gateway
      .logLines()
      .filter((line) => String(line['msg']).startsWith('listening on'))
      .map((line) => Number(line['pid']))
      .filter((pid) => !killed.includes(pid));

  /** Returns a caller that keeps one HTTP connection open, and the worker to which it is connected. */
  async function caller() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const call = (method: string, path: string, body?: object, id = `call-${++count}`): Promise<Answer> =>
      send(agent, method, path, body, { 'x-request-id': id });
    const { status } = await call('GET', '/userinfo', undefined, `who-${++count}`);
    expect(status).toBe(200);
    const id = `who-${count}`;
    let worker = 0;
    await until(() => {
      const line = gateway.logLines().find(({ req }) => (req as { id?: string } | undefined)?.id === id);
      worker = Number(line?.['pid'] ?? 0);
      return worker !== 0;
    });
    return { call, worker };
  }

  async function callerOf(isMeant: (worker: number) => boolean) {
    for (let tries = 0; tries < 4 * WORKERS; tries++) {
      const found = await caller();
      if (isMeant(found.worker)) return found;
    }
    throw new Error('that worker is never reached');
  }

  async function send(
    agent: Agent,
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(`${gateway.api}${path}`, {
        agent,
        method,
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const text = response.setEncoding('utf8').toArray() as Promise<string[]>;
        text.then(
          (parts) => resolve({ status: response.statusCode, body: JSON.parse(parts.join('') || '{}') }),
          reject,
        );
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Makes the caller run a script. Resolves when the target runs it. */
  async function startScript(by: Awaited<ReturnType<typeof caller>>, wait = 'pg_sleep(100)') {
    const mark = `mark_${++count}`;
    const answer = by.call('POST', '/sessions', {
      connection: 'orders',
      script: `SELECT ${wait}, 'kept' AS ${mark}`,
    });
    // The request fails if its worker is killed, which some tests do.
    answer.catch(() => undefined);
    let id = '';
    await until(async () => {
      const running = await target.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
           AND query LIKE $1 AND pid <> pg_backend_pid()`,
        [`%${mark}%`],
      );
      const rows = await database.query<{ id: string }>('SELECT id FROM sessions WHERE script LIKE $1', [
        `%${mark}%`,
      ]);
      id = rows[0]?.id ?? '';
      return running.length > 0 && id !== '';
    });
    return { id, answer };
  }

  /** Returns the id of the process that writes the journal of the session's gateway. */
  async function holderOf(session: string): Promise<number> {
    const [row] = await database.query<{ gateway_id: string }>(
      'SELECT gateway_id FROM sessions WHERE id = $1',
      [session],
    );
    const owner = await readFile(join(folder.path, row?.gateway_id ?? '', 'owner.json'), 'utf8');
    return (JSON.parse(owner) as { pid: number }).pid;
  }

  it('is served by all of them in turn, each a gateway of its own', async () => {
    const reached = new Set<number>();
    for (let index = 0; index < 2 * WORKERS; index++) {
      const { call, worker } = await caller();
      reached.add(worker);
      expect((await call('GET', '/readyz')).status).toBe(200);
    }
    expect(reached).toEqual(new Set(workers()));
    expect(reached.size).toBe(WORKERS);
    const feeds = await database.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'access-gateway changes'`,
    );
    expect(feeds).toHaveLength(WORKERS);
  });

  it('shows metrics of all of them in one answer, each series with its process', async () => {
    for (let times = 0; times < 20; times += 1) {
      const agent = new Agent();
      await send(agent, 'GET', '/serverinfo', undefined, {});
      agent.destroy();
    }
    const counted = (series: ScrapedSeries[], worker = {}): number =>
      sumOf(series, 'gateway_http_requests_total', { area: 'serverinfo', ...worker });
    await until(async () => counted(await scrapeMetrics(metricsPort)) === 20);
    const series = await scrapeMetrics(metricsPort);
    expect(sumOf(series, 'gateway_workers', { state: 'answering' })).toBe(WORKERS);
    for (const worker of ['0', '1']) expect(counted(series, { worker })).toBeGreaterThan(0);
    const processes = series.filter(({ name }) => name === 'process_resident_memory_bytes');
    expect(processes.map(({ labels }) => labels['worker'])).toEqual(['primary', '0', '1']);
    expectClosedSets(series);
  });

  it('ends a session on a request to another worker', async () => {
    const here = await caller();
    const { id, answer } = await startScript(here);
    expect(await holderOf(id)).toBe(here.worker);
    const there = await callerOf((worker) => worker !== here.worker);
    expect((await there.call('POST', `/sessions/${id}/kill`)).status).toBeLessThan(300);
    expect((await answer).body).toMatchObject({ output_status: 'failed', exit_code: 254 });
    expect((await there.call('GET', `/sessions/${id}`)).body).toMatchObject({
      status: 'done',
      exit_code: 254,
    });
  });

  it('survives a killed worker: its session ends, others continue, and it is replaced', async () => {
    const here = await caller();
    const there = await callerOf((worker) => worker !== here.worker);
    const latch = await closedLatch(target);
    const [lost, kept] = [await startScript(here), await startScript(there, latch.wait)];
    process.kill(here.worker, 'SIGKILL');
    killed.push(here.worker);
    await expect(lost.answer).rejects.toThrow(/socket hang up|ECONNRESET/);
    await until(() => gateway.stdout.includes(`Worker ${here.worker} is gone (SIGKILL)`));
    for (let calls = 0; calls < WORKERS; calls++) {
      expect((await (await caller()).call('GET', '/userinfo')).status).toBe(200);
    }
    await latch.open();
    expect((await kept.answer).body).toMatchObject({ output_status: 'success' });

    await until(() => workers().length === WORKERS);
    const newcomer = workers().at(-1);
    expect((await callerOf((worker) => worker === newcomer)).worker).toBe(newcomer);
    await until(async () => {
      const series = await scrapeMetrics(metricsPort);
      return (
        sumOf(series, 'gateway_worker_restarts_total') === 1 &&
        sumOf(series, 'gateway_workers', { state: 'answering' }) === WORKERS
      );
    });
    await until(
      async () => (await (await caller()).call('GET', `/sessions/${lost.id}`)).body['status'] === 'done',
    );
    const { body } = await (await caller()).call('GET', `/sessions/${lost.id}?event_stream=utf8`);
    expect(body).toMatchObject({
      exit_code: 254,
      event_stream: expect.arrayContaining([
        expect.stringContaining('The gateway stopped while this session was running.'),
      ]) as unknown,
    });
  });

  it(
    'is gone as a whole when the first process is killed, and starts again',
    async () => {
      const { id } = await startScript(await caller());
      gateway.kill('SIGKILL');
      // `exited` waits for the output to close, so all workers have ended too.
      expect(await gateway.exited).toEqual({ code: null, signal: 'SIGKILL' });
      await expect(gateway.get('/healthz')).rejects.toThrow('fetch failed');
      gateway = await startAll();
      await until(
        async () => (await (await caller()).call('GET', `/sessions/${id}`)).body['status'] === 'done',
      );
    },
    STARTS_WITHIN_MS,
  );

  // promises: STOP-2
  it('lets scripts of every worker finish when it is told to stop, loses no request, and exits with 0', async () => {
    const callers: Awaited<ReturnType<typeof caller>>[] = [];
    for (const worker of workers()) callers.push(await callerOf((found) => found === worker));
    const latch = await closedLatch(target);
    const scripts = await Promise.all(callers.map((each) => startScript(each, latch.wait)));
    const authorization = `Bearer ${token}`;
    const asking = [
      ...Array.from({ length: 4 }, () => new KeptConnection(`${gateway.api}/serverinfo`, { authorization })),
      new KeptConnection(`${gateway.origin}/`, { accept: 'text/html' }),
      new KeptConnection(`http://127.0.0.1:${metricsPort}/metrics`),
    ];
    await until(() => asking.every(({ answers }) => answers >= 3));
    gateway.kill('SIGTERM');
    // Each keep-alive connection ends with a complete answer before the gateway closes its ports.
    const ends = await Promise.allSettled(asking.map(({ ended }) => ended));
    expect(ends).toEqual(asking.map(() => ({ status: 'fulfilled' })));
    // The gateway still accepts connections, because load balancers have not noticed the stop yet.
    expect((await gateway.get('/healthz')).headers.get('connection')).toBe('close');
    await until(() => gateway.stdout.split('finishing what runs').length === WORKERS + 2);
    await until(() =>
      gateway.get('/healthz').then(
        () => false,
        () => true,
      ),
    );
    await expect(gateway.get('/healthz')).rejects.toThrow('fetch failed');
    await latch.open();
    for (const { answer } of scripts) expect((await answer).body).toMatchObject({ output_status: 'success' });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(gateway.stderr).toBe('');
    // A regular stop leaves no journal.
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('says once, in plain words, that a port is taken', async () => {
    const occupant = createServer();
    await new Promise<void>((listening) => occupant.listen(0, '127.0.0.1', listening));
    const { port } = occupant.address() as AddressInfo;
    const refused = await GatewayProcess.spawn({ ...variables, PORT: String(port) });
    expect((await refused.exited).code).toBe(1);
    expect(refused.stderr).toBe(
      `Something else listens on 127.0.0.1:${port} already. Stop it, or set PORT to a free port.\n`,
    );
    occupant.close();
  });
});

/**
 * A client that sends one request after another on one HTTP connection, as load balancers do, until an answer
 * has the header `Connection: close`.
 */
class KeptConnection {
  answers = 0;
  /** Resolves after the answer with `Connection: close`. Rejects if a request gets no answer. */
  readonly ended: Promise<void>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.ended = this.repeat(url, headers);
  }

  private async repeat(url: string, headers: Record<string, string>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let isKept = true; isKept;) {
      const sent = request(url, { agent, headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      expect(sent.reusedSocket).toBe(this.answers > 0);
      await once(answer.resume(), 'end');
      this.answers += 1;
      isKept = answer.headers.connection !== 'close';
    }
    agent.destroy();
  }
}
