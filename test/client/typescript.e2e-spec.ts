import { inspect } from 'node:util';
import { Gateway, GatewayFault, type SessionMessage, answered, tagged } from '@access-gateway/client';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { closedLatch } from '../support/latch';
import { startTcpProxy } from '../support/tcp-proxy';

/** Tests the built TypeScript client that we publish, against a gateway. */
describeDataPath('the TypeScript client', { environment: { LOGINS_PER_MINUTE: '3' } }, ({ path, begin }) => {
  const proxy = begin(() => startTcpProxy('127.0.0.1', Number(new URL(path.gateway.api).port)));
  let admin: Gateway;

  beforeAll(async () => {
    admin = new Gateway({
      url: `http://127.0.0.1:${proxy.port}/`,
      credential: await path.gateway.token('admin'),
    });
  });

  // promises: TS-1
  it('is typed, and follows the version of a resource', async () => {
    const made = await tagged(admin.api.POST('/attributes', { body: { name: 'one' } }));
    expect(made).toEqual({
      data: expect.objectContaining({ name: 'one' }),
      etag: expect.stringMatching(/^".+"$/),
    });
    const change = (etag: string) =>
      admin.api.PUT('/attributes/{name}', {
        params: { path: { name: 'one' }, header: { 'If-Match': etag } },
        body: { description: 'changed' },
      });
    expect((await answered(change(made.etag))).description).toBe('changed');
    await expect(change(made.etag)).rejects.toMatchObject({ name: 'GatewayFault', status: 412 });
  });

  // promises: TS-1
  it('says of a refusal what the gateway says, and the id of its request', async () => {
    const refusal = await admin.api
      .GET('/sessions/{session_id}', {
        params: { path: { session_id: '00000000-0000-4000-8000-000000000000' } },
      })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(GatewayFault);
    expect(refusal).toMatchObject({
      status: 404,
      message: expect.stringContaining('session'),
      requestId: expect.stringMatching(/./),
    });
    const nowhere = new Gateway({ url: 'http://127.0.0.1:9', retries: { attempts: 1 } });
    await expect(nowhere.api.GET('/healthz')).rejects.toMatchObject({
      name: 'GatewayFault',
      status: 0,
      message: expect.stringContaining('did not answer'),
    });
  });

  // promises: TS-1
  it.each(['gwk_secret\nline', 'gwk_sec ret', 'gwk_secret…', 'gwk_secret\0', ''])(
    'does not show a credential that cannot be sent: %j',
    async (credential) => {
      const wrong = new Gateway({ url: new URL(path.gateway.api).origin, credential });
      const fault = await wrong.api.GET('/userinfo').catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(GatewayFault);
      expect(inspect(fault, { depth: 9, showHidden: true })).not.toContain('gwk_sec');
    },
  );

  // promises: TS-2
  it('asks for another token when one is refused, once, and runs nothing twice', async () => {
    const asked: (string | undefined)[] = [];
    const renewing = new Gateway({
      url: new URL(path.gateway.api).origin,
      credential: async (refused) => {
        asked.push(refused);
        return refused === undefined ? 'old' : path.gateway.token('admin');
      },
    });
    const before = await path.countSessions();
    const body = { connection: 'orders', script: 'SELECT 1 AS one' };
    expect((await answered(renewing.api.POST('/sessions', { body }))).output).toBe('one\n1\n');
    expect(asked).toEqual([undefined, 'old']);
    expect(await path.countSessions()).toBe(before + 1);
    const hopeless = new Gateway({ url: new URL(path.gateway.api).origin, credential: () => 'old' });
    await expect(hopeless.api.GET('/userinfo')).rejects.toMatchObject({ status: 401 });
  });

  // promises: TS-2
  it('waits as long as it was asked to, and no longer than it may', async () => {
    let sent = 0;
    const patient = new Gateway({
      url: new URL(path.gateway.api).origin,
      fetch: async (request) => {
        const status = [429, 503][sent++] ?? 200;
        if (status === 200) return fetch(request);
        return new Response('{}', { status, headers: status === 429 ? { 'retry-after': '0' } : {} });
      },
    });
    expect(await answered(patient.api.GET('/healthz'))).toEqual({ status: 'ok' });
    expect(sent).toBe(3);

    const logins: unknown[] = [];
    for (let n = 0; n < 4; n++)
      logins.push(
        await new Gateway({
          url: new URL(path.gateway.api).origin,
          retries: { longestWait: 0.1 },
        }).api
          .GET('/login')
          .then(
            ({ response }) => response.status,
            (error: unknown) => error,
          ),
      );
    expect(logins).toEqual([
      200,
      200,
      200,
      expect.objectContaining({ status: 429, retryAfterSeconds: expect.any(Number) }),
    ]);
  });

  // promises: TS-2
  it('sends what may do something twice once only', async () => {
    for (const method of ['POST', 'PATCH'] as const) {
      let sent = 0;
      const gateway = new Gateway({
        url: 'http://127.0.0.1:9',
        fetch: async () => {
          sent += 1;
          return new Response('{}', { status: 503, headers: { 'retry-after': '0' } });
        },
      });
      const request =
        method === 'POST'
          ? gateway.api.POST('/attributes', { body: { name: 'x' } })
          : gateway.api.PATCH('/organization', { body: { features: {} } });
      await expect(request).rejects.toMatchObject({ status: 503, retryAfterSeconds: 0 });
      expect(sent).toBe(1);
    }
  });

  // promises: TS-3
  it('reads lists to their end', async () => {
    for (const name of ['two', 'three', 'four', 'five'])
      await answered(admin.api.POST('/attributes', { body: { name } }));
    const names: string[] = [];
    for await (const { name } of admin.each('/attributes', { page_size: 2 })) names.push(name);
    expect(names).toEqual(['five', 'four', 'three', 'two', 'one']);

    const { body } = await path.run('SELECT 2', { correlation_id: 'listed' });
    const ids: string[] = [];
    for await (const { id } of admin.sessions({ correlation_id: 'listed' })) ids.push(id);
    expect(ids).toEqual([body.session_id]);
  });

  it('reads all sessions beyond the last offset, none twice', async () => {
    const stored = Array.from({ length: 10_350 }, (_, n) => ({
      id: String(n),
      // Every three sessions have the same start.
      start_date: new Date(Date.UTC(2026, 0, 1) - Math.floor(n / 3)).toISOString(),
    }));
    const gateway = new Gateway({
      url: 'http://127.0.0.1:9',
      fetch: async ({ url }) => {
        const query = new URL(url).searchParams;
        const [offset, limit, end] = [
          Number(query.get('offset')),
          Number(query.get('limit')),
          query.get('end_date'),
        ];
        if (offset > 10_000) return Response.json({ message: 'too far' }, { status: 422 });
        const matching = stored.filter(({ start_date: start }) => end === null || start <= end);
        const data = matching.slice(offset, offset + limit);
        return Response.json({ data, has_next_page: matching.length > offset + limit });
      },
    });
    const ids: string[] = [];
    for await (const { id } of gateway.sessions()) ids.push(id);
    expect(ids).toEqual(stored.map(({ id }) => id));
  });

  // promises: TS-3
  it('follows a session live, and goes on where it was when the connection is lost', async () => {
    const latch = await closedLatch(path.target);
    const script = `SELECT 'first'; SELECT ${latch.wait} AS followed_by_client; SELECT 'last'`;
    const running = path.run(script);
    await path.untilRunning(/followed_by_client/);
    const { id } = await path.sessionOf(script);
    const seen: SessionMessage[] = [];
    const followed = (async () => {
      for await (const message of admin.events(id)) seen.push(message);
    })();
    await eventually('the script arrives', async () => textOf(seen).includes(script));
    proxy.cut();
    await latch.open();
    await Promise.all([followed, running]);
    expect(textOf(seen)).toBe((await path.recording(id)).map(([, text]) => text).join(''));
    expect(textOf(seen).split(script).at(-1)).toContain('last');
    expect(seen.at(-1)).toMatchObject({ kind: 'end', status: 'done', exitCode: 0 });
    const first = seen.find((message) => message.kind === 'event');
    const rest: SessionMessage[] = [];
    for await (const message of admin.events(id, { after: first?.id ?? '' })) rest.push(message);
    expect(rest).toEqual(seen.slice(1));
    await expect(admin.events('00000000-0000-4000-8000-000000000000').next()).rejects.toMatchObject({
      status: 404,
    });
  });

  // promises: TS-1, TS-3
  it('ends a stream with a fault that has the reason of the abort, as it ends a request', async () => {
    const latch = await closedLatch(path.target);
    const script = `SELECT ${latch.wait} AS aborted_by_client`;
    const running = path.run(script);
    await path.untilRunning(/aborted_by_client/);
    const { id } = await path.sessionOf(script);
    const reason = new Error('the reader has left');
    const isFault = { name: 'GatewayFault', status: 0, cause: reason };
    const reading = new AbortController();
    const live = admin.events(id, { signal: reading.signal });
    await live.next();
    reading.abort(reason);
    // Messages that had arrived before the abort may be delivered before the error.
    const rest = async (): Promise<void> => {
      for await (const message of live) expect(message.kind).toBe('event');
    };
    await expect(rest()).rejects.toMatchObject(isFault);
    await latch.open();
    await running;

    await expect(admin.events(id, { signal: reading.signal }).next()).rejects.toMatchObject(isFault);
    const request = admin.api.GET('/healthz', { signal: reading.signal });
    await expect(request).rejects.toMatchObject(isFault);
    const waiting = new AbortController();
    const lost = new Gateway({
      url: 'http://127.0.0.1:9',
      retries: { attempts: 1 },
      fetch: async () => {
        // Aborts while the client waits before its next attempt. This wait begins before any timer runs.
        setTimeout(() => waiting.abort(reason), 0);
        throw new TypeError('fetch failed');
      },
    });
    await expect(lost.events(id, { signal: waiting.signal }).next()).rejects.toMatchObject(isFault);
  });
});

function textOf(messages: readonly SessionMessage[]): string {
  return messages
    .map((message) => (message.kind === 'event' ? Buffer.from(message.content).toString() : ''))
    .join('');
}
