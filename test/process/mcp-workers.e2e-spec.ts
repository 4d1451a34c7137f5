import { randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { describeProcesses } from '../support/describe';
import { GatewayProcess, until } from '../support/gateway-process';
import { passwordToken } from '../support/gateway';
import { MODERN_META } from '../support/mcp/raw-client';
import { type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';

const STARTS_WITHIN_MS = 240_000;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly message: any;
}

/** A keep-alive HTTP connection to one worker process. All requests on it reach that worker. */
interface Lane {
  readonly worker: number;
  send(body: object | null, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** Resolves with the headers of the answer. */
  post(body: object, headers: Record<string, string>): Promise<IncomingMessage>;
}

// promises: WORKER-1, WORKER-2, WORKER-3, TOOL-9
describeProcesses('MCP at a gateway of two processes', ({ folder, database, production }) => {
  let gateway: GatewayProcess;
  let admin: string;
  let alice: string;
  let server: McpTestServer;
  const agents: Agent[] = [];
  let count = 0;

  beforeAll(async () => {
    server = await startMcpServer('legacy');
    gateway = await GatewayProcess.start({
      ...production.variables,
      WORKERS: '2',
      JOURNAL_DIR: folder.path,
      MCP_ALLOWED_HOSTS: '127.0.0.1',
      MCP_HOLD_SECONDS: '0',
      MCP_CLIENTS_PER_CONNECTION: '8',
      HEARTBEAT_SECONDS: '1',
    });
    await gateway.says('2 workers serve');
    admin = await production.token();
    alice = await passwordToken(production.provider.issuer, 'alice');
    await change('/organization', { features: { access_control: true } });
    await connection('tools', { server_requests: ['elicitation', 'sampling', 'roots'] });
  }, STARTS_WITHIN_MS);

  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
    await server.close();
  });

  async function change(path: string, body: object): Promise<void> {
    const { status } = await fetch(`${gateway.api}${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  }

  async function connection(name: string, mcp_policy: object = {}): Promise<void> {
    const answer = await gateway.post('/connections', admin, {
      name,
      type: 'application',
      subtype: 'mcpproxy',
      access_groups: ['*'],
      secret: { REMOTE_URL: server.url },
      mcp_policy,
    });
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
  }

  /** Returns a keep-alive connection to each of the two workers. `to` is the name of an MCP connection. */
  async function lanes(to: string, token = alice): Promise<[Lane, Lane]> {
    const found = new Map<number, Lane>();
    for (let tries = 0; tries < 20 && found.size < 2; tries++) {
      const lane = await laneOf(to, token);
      found.set(lane.worker, lane);
    }
    const [first, second] = [...found.values()];
    if (first === undefined || second === undefined) throw new Error('one worker is never reached');
    return [first, second];
  }

  async function laneOf(to: string, token: string): Promise<Lane> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const id = `lane-${++count}`;
    await read(
      await call('GET', '/userinfo', { authorization: `Bearer ${admin}`, 'x-request-id': id }, agent),
    );
    let worker = 0;
    await until(() => {
      worker = Number(lineOf(id)?.['pid'] ?? 0);
      return worker !== 0;
    });
    const headersOf = (more: Record<string, string>) => ({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...more,
    });
    return {
      worker,
      send: async (body, headers = {}, method = 'POST') =>
        read(await call(method, `/mcp/${to}`, headersOf(headers), agent, body ?? undefined)),
      post: (body, headers) => call('POST', `/mcp/${to}`, headersOf(headers), agent, body),
    };
  }

  function call(
    method: string,
    path: string,
    headers: Record<string, string>,
    agent: Agent,
    body?: object,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(`${gateway.api}${path}`, { method, headers, agent });
      sent.once('response', resolve).once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function read(response: IncomingMessage): Promise<Answer> {
    const text = Buffer.concat(await response.toArray()).toString();
    const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
    const data = isStream ? [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] : text;
    const { statusCode: status, headers } = response;
    return { status, headers, text, message: data ? JSON.parse(data) : undefined };
  }

  const lineOf = (id: string) =>
    gateway.logLines().find(({ req }) => (req as { id?: string } | undefined)?.id === id);

  async function begin(lane: Lane, capabilities: object = {}): Promise<Record<string, string>> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'raw', version: '1' },
    };
    const answer = await lane.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('serverInfo')]);
    return {
      'mcp-session-id': String(answer.headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    };
  }

  const legacyCall = (name: string, args: object = {}, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  function modernCall(lane: Lane, name: string, args: object = {}, more: object = {}): Promise<Answer> {
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
    const _meta = { ...MODERN_META, ...capabilities };
    return lane.send(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...more, _meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    );
  }

  it('serves a legacy session at either worker, as the one that began it would', async () => {
    const [here, there] = await lanes('tools');
    const session = await begin(here);
    const before = await sessionsOn('tools');
    for (const [at, lane] of [here, there, here, there].entries()) {
      const id = `call-${at}-${randomBytes(4).toString('hex')}`;
      const answer = await lane.send(legacyCall('echo', { text: String(at + 1) }, at + 1), {
        ...session,
        'x-request-id': id,
      });
      expect([answer.status, answer.message.result.content]).toEqual([
        200,
        [expect.objectContaining({ text: String(at + 1) })],
      ]);
      expect(answer.headers['x-request-id']).toBe(id);
      await until(() => lineOf(id) !== undefined);
      // Only the worker that has the session logs the request, with the client's address.
      expect(gateway.logLines().filter(({ req }) => (req as { id?: string } | undefined)?.id === id)).toEqual(
        [
          expect.objectContaining({
            pid: here.worker,
            req: expect.objectContaining({ remoteAddress: '127.0.0.1' }),
          }),
        ],
      );
    }
    expect(await sessionsOn('tools')).toEqual(before);
    expect((await there.send(null, session, 'DELETE')).status).toBe(204);
    expect((await here.send(legacyCall('echo', { text: 'two' }), session)).status).toBe(404);
  });

  async function sessionsOn(name: string): Promise<string[]> {
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM sessions WHERE connection_name = $1 AND status = 'open' ORDER BY id`,
      [name],
    );
    return rows.map(({ id }) => id);
  }

  it('checks token and principal where the session is', async () => {
    const [here] = await lanes('tools');
    const session = await begin(here);
    const [, otherAdmin] = await lanes('tools', admin);
    const strangers = await lanes('tools', 'stolen');
    for (const lane of [otherAdmin, ...(await lanes('tools', admin))])
      expect((await lane.send(legacyCall('echo', { text: 'two' }), session)).status).toBe(404);
    // The gateway refuses before it reads the body. The answer must still arrive, so this is tried 20 times.
    for (let tries = 0; tries < 20; tries++)
      for (const lane of strangers)
        expect((await lane.send(legacyCall('echo', { text: 'two' }), session)).status).toBe(401);
    const [name = ''] = String(session['mcp-session-id']).split('.');
    for (const lane of await lanes('tools'))
      for (const forged of [`${name}.${randomBytes(32).toString('base64url')}`, `${name}.`, `../${name}.x`]) {
        const answer = await lane.send(legacyCall('echo', { text: 'two' }), {
          ...session,
          'mcp-session-id': forged,
        });
        expect([forged, answer.status]).toEqual([forged, 404]);
      }
  });

  it('cancels a call that goes through one worker by a message that comes to the other', async () => {
    const [here, there] = await lanes('tools');
    const session = await begin(here);
    const cancelled = server.counts.cancelled;
    const answer = there.send(legacyCall('wait', { ms: 60_000 }, 7), session);
    answer.catch(() => undefined);
    await until(() => (server.counts.runs.get('wait') ?? 0) > 0);
    const [, other] = await lanes('tools');
    await other.send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
      session,
    );
    await until(() => server.counts.cancelled > cancelled);
    await answer;
  });

  it('takes the answers of a client at either worker', async () => {
    const [here, there] = await lanes('tools');
    const session = await begin(here, { elicitation: {} });
    const agent = new Agent();
    agents.push(agent);
    const headers = {
      ...session,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${alice}`,
    };
    const stream = await call('POST', '/mcp/tools', headers, agent, legacyCall('ask_person', {}, 3));
    let text = '';
    stream.on('data', (data: Buffer) => (text += data.toString()));
    await until(() => text.includes('elicitation/create'));
    const asked = JSON.parse(/^data: (.*elicitation\/create.*)$/m.exec(text)?.[1] ?? '{}') as { id: string };
    const result = { action: 'accept', content: { environment: 'test' } };
    const lane = here.worker === there.worker ? here : there;
    expect((await lane.send({ jsonrpc: '2.0', id: asked.id, result }, session)).status).toBe(202);
    await until(() => text.includes('"result"'));
  });

  it('continues a request of a modern client that a legacy server waits for, at either worker', async () => {
    for (const isSwapped of [false, true]) {
      const both = await lanes('tools');
      const [here, there] = isSwapped ? both.toReversed() : both;
      const asked = await modernCall(here as Lane, 'ask_person');
      expect(asked.message.result).toMatchObject({ resultType: 'input_required' });
      const { inputRequests, requestState } = asked.message.result;
      const [key = ''] = Object.keys(inputRequests as object);
      const more = {
        inputResponses: { [key]: { action: 'accept', content: { environment: 'test' } } },
        requestState,
      };
      const answer = await modernCall(there as Lane, 'ask_person', {}, more);
      expect([answer.status, JSON.stringify(answer.message)]).toEqual([200, expect.stringContaining('test')]);
      // A `requestState` is accepted once, by any worker. A forged worker name in it is refused.
      for (const lane of both)
        expect((await modernCall(lane, 'ask_person', {}, more)).message.error).toMatchObject({
          code: -32602,
        });
      const forged = { ...more, requestState: `AAAAAAAA${String(requestState).slice(8)}` };
      expect((await modernCall(here as Lane, 'ask_person', {}, forged)).message.error).toMatchObject({
        code: -32602,
      });
    }
  });

  it('counts calls a minute, streams and visits over both workers', async () => {
    await connection('limited', { calls_per_minute: 3, streams: 1 });
    const [here, there] = await lanes('limited');
    const sessions = [await begin(here), await begin(there)];
    const texts: string[] = [];
    for (let at = 0; at < 6; at++) {
      const lane = at % 2 === 0 ? here : there;
      const answer = await lane.send(legacyCall('echo', { text: 'two' }, at + 1), sessions[at % 2]);
      texts.push(answer.message.result.content[0].text as string);
    }
    expect(texts.slice(0, 3)).toEqual(['two', 'two', 'two']);
    for (const text of texts.slice(3)) expect(text).toMatch(/^You may call this tool 3 times a minute/);

    const listen = (lane: Lane): Promise<IncomingMessage> =>
      lane.post(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'subscriptions/listen',
          params: { notifications: { toolsListChanged: true }, _meta: MODERN_META },
        },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      );
    const first = await listen(here);
    expect(first.statusCode).toBe(200);
    expect((await read(await listen(there))).status).toBe(429);
    first.destroy();
    let second: IncomingMessage | undefined;
    await until(async () => {
      second = await listen(there);
      if (second.statusCode !== 200) await read(second);
      return second.statusCode === 200;
    });
    second?.destroy();

    // Four client sessions are open: two legacy sessions, and one of the modern client at each worker. The
    // connection allows 8, so four more may open. If each worker counted only its own two, it would allow
    // six more.
    const statuses: number[] = [];
    for (let at = 0; at < 8; at++) {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      };
      const lane = at % 2 === 0 ? here : there;
      statuses.push((await lane.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })).status ?? 0);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    for (const session of sessions) await here.send(null, session, 'DELETE');
    await begin(there);
  });

  it('ends visits at whichever worker has them: a kill, and groups that the connection lost', async () => {
    await connection('ending');
    const [here, there] = await lanes('ending');
    const ways: ((id: string) => Promise<unknown>)[] = [
      (id) => gateway.post(`/sessions/${id}/kill`, admin),
      () => change('/connections/ending', { access_groups: ['nobody'] }),
    ];
    for (const end of ways) {
      const sessions = [await begin(here), await begin(there)];
      const open = await sessionsOn('ending');
      expect(open).toHaveLength(2);
      for (const id of open) await end(id);
      for (const session of sessions)
        for (const lane of [here, there])
          await until(
            async () => (await lane.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, session)).status === 404,
          );
      expect(await sessionsOn('ending')).toEqual([]);
    }
  });

  it('lets clients begin anew when the worker of their session is gone: 404', async () => {
    const [here, there] = await lanes('tools');
    const [kept, lost] = [await begin(here), await begin(there)];
    process.kill(there.worker, 'SIGKILL');
    await until(() => gateway.stdout.includes(`Worker ${there.worker} is gone (SIGKILL)`));
    expect((await here.send(legacyCall('echo', { text: 'two' }), lost)).status).toBe(404);
    expect((await here.send(legacyCall('echo', { text: 'two' }), kept)).status).toBe(200);
    await until(() => gateway.logLines().some(({ msg }) => /^Worker \d+ serves$/.test(String(msg))));
    const [, newcomer] = (await lanes('tools')).toSorted((one) => (one.worker === here.worker ? -1 : 1));
    expect((await (newcomer as Lane).send(legacyCall('echo', { text: 'two' }, 2), kept)).status).toBe(200);
    expect((await (newcomer as Lane).send(legacyCall('echo', { text: 'two' }), lost)).status).toBe(404);
    await begin(newcomer as Lane);
  });
});
