import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { OverdueReviews } from '../../src/access/life/overdue-reviews';
import { Gate } from '../../src/gate/gate';
import { Authenticator } from '../../src/gate/ports/authenticator';
import { languages } from '../../src/languages/languages';
import { registerTargetKind } from '../../src/targets/kinds';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { type Person, type TestGateway, startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { foundFaults } from '../support/watched-answers';
import { ruleForScripts, window } from '../support/waiting-scripts';
import { echo } from '../extensions/toy-kind/echo';
import { startEchoServer } from '../extensions/toy-kind/echo-server';
import { knownAs, linesProxy } from '../extensions/toy-kind/lines-proxy';
import { spelling } from '../extensions/toy-kind/spelling';

/** A client of the tests' echo protocol (test/extensions/toy-kind) in a live session. */
interface Client {
  /** Sends a line. Resolves with the answer, which comes in the order of the lines. */
  say(line: string): Promise<string>;
  close(): void;
}

const UUID = /^waits: ([0-9a-f-]{36})$/;

describe('a review of one call within a live session', () => {
  let gateway: TestGateway;
  let other: TestGateway;
  let server: Awaited<ReturnType<typeof startEchoServer>>;
  const closers: (() => void)[] = [];
  let connections = 0;

  beforeAll(async () => {
    const forget = registerTargetKind(echo);
    languages.push(spelling);
    closers.push(forget, () => languages.splice(languages.indexOf(spelling), 1));
    [gateway, server] = await Promise.all([startGateway(), startEchoServer()]);
    other = await startGateway({ beside: gateway });
    closers.push(() => server.close());
  });

  afterAll(async () => {
    // Closes the clients first, because a gateway waits for them when it closes.
    for (const close of closers.toReversed()) close();
    await other.close();
    await gateway.close();
  });

  /** Creates a connection whose calls need an approval by the group dba. Returns its name and id. */
  const reviewed = async (rule: object = {}): Promise<{ name: string; id: string }> => {
    const name = `echoes-${++connections}`;
    const secret = { PORT: String(server.port) };
    const connection = { name, type: 'application', subtype: 'echo', secret, access_groups: ['*'] };
    const created = await gateway.call('admin', 'POST', '/connections', connection);
    expect(created.status).toBe(201);
    // Ignores faults in answers so far, because the API document does not describe the test's target kind.
    foundFaults();
    await ruleForScripts(gateway, name, rule);
    return { name, id: created.body.id };
  };

  const enter = async (connection: string, person: Person = 'alice', at = gateway): Promise<Client> => {
    const bearer = await gateway.token(person);
    const principal = await at.app
      .get(Authenticator, { strict: false })
      .identify({ bearer, address: '127.0.0.1' });
    const listener = linesProxy(at.app.get(Gate, { strict: false }), knownAs(principal));
    const port = await freePort();
    await listener.listen('127.0.0.1', port, 'LINES_PORT');
    closers.push(() => listener.close());
    const socket: Socket = connect(port, '127.0.0.1');
    closers.push(() => socket.destroy());
    await once(socket, 'connect');
    const lines = createInterface({ input: socket });
    const send = (line: string): void => void socket.write(`${line}\n`);
    send(connection);
    return {
      say: async (line) => {
        const answer = once(lines, 'line');
        send(line);
        return String((await answer)[0]);
      },
      close: () => void socket.end(),
    };
  };

  const waiting = async (client: Client, line: string): Promise<string> => {
    const answer = await client.say(line);
    expect(answer).toMatch(UUID);
    return UUID.exec(answer)?.[1] ?? '';
  };
  const read = async (id: string) => (await gateway.call('admin', 'GET', `/reviews/${id}`)).body;
  const decide = async (id: string, body: object, person: Person = 'bob') => {
    const answer = await gateway.call(person, 'PUT', `/reviews/${id}`, body);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  };
  const status = (id: string, expected: string) =>
    eventually(`the review is ${expected}`, async () => (await read(id)).status === expected);
  const runs = (line: string): number => server.heard.filter((heard) => heard === line).length;
  const sql = <T extends object>(text: string, ...values: unknown[]) =>
    gateway.database.query<T>(text, values);

  // promises: REVIEW-17
  it('is pending while the session continues, and runs once when it is repeated after the approval', async () => {
    const { name } = await reviewed();
    const client = await enter(name);
    const line = 'call delete cus_1';
    const id = await waiting(client, line);
    expect(await client.say('hello')).toBe('hello');
    // A repeated call belongs to the same review request.
    expect(await client.say(line)).toBe(`waits: ${id}`);
    const asked = (await gateway.call('bob', 'GET', '/reviews?mine=to_decide')).body.data[0];
    expect(asked).toMatchObject({
      id,
      type: 'onetime',
      status: 'PENDING',
      session_id: null,
      call: { name: 'delete', arguments: 'cus_1', session_id: expect.any(String) },
      review_owner: { email: 'alice@example.com' },
    });
    expect(runs(line)).toBe(0);
    await decide(id, { status: 'APPROVED' });
    expect(await client.say(line)).toBe(line);
    await status(id, 'EXECUTED');
    expect((await read(id)).call.arguments).toBeNull();
    const again = await waiting(client, line);
    expect(again).not.toBe(id);
    expect(runs(line)).toBe(1);
    client.close();
    const session = asked.call.session_id as string;
    await eventually('the session is over', async () => {
      const { body } = await gateway.call('alice', 'GET', `/sessions/${session}`);
      return body.status === 'done' && body.exit_code === 0;
    });
    // A waiting call does not end with its session.
    expect((await read(again)).status).toBe('PENDING');
    const { body } = await gateway.call('alice', 'GET', `/sessions/${session}?expand=event_stream`);
    const inputs = (body.event_stream as [number, string, string][]).filter(([, type]) => type === 'i');
    expect(inputs.map(([, , content]) => Buffer.from(content, 'base64').toString())).toEqual([
      line,
      'hello',
      line,
      line,
      line,
    ]);
  });

  it('approves this call only: no other arguments, name, person or connection', async () => {
    const [{ name }, elsewhere] = [await reviewed(), await reviewed()];
    const client = await enter(name);
    const id = await waiting(client, 'call delete cus_2');
    await decide(id, { status: 'APPROVED' });
    const others = [
      await waiting(client, 'call delete cus_3'),
      await waiting(client, 'call delete cus_2 '),
      await waiting(client, 'call erase cus_2'),
      await waiting(await enter(name, 'admin'), 'call delete cus_2'),
      await waiting(await enter(elsewhere.name), 'call delete cus_2'),
    ];
    expect(new Set([...others, id]).size).toBe(6);
    expect(runs('call delete cus_2')).toBe(0);
    expect((await read(id)).status).toBe('APPROVED');
  });

  // promises: REVIEW-17
  it('runs once when many sessions of two gateways make it at the same time', async () => {
    const { name } = await reviewed();
    const line = 'call delete cus_4';
    const clients = await Promise.all(
      [gateway, other, gateway, other, gateway, other].map((at) => enter(name, 'alice', at)),
    );
    const asked = await Promise.all(clients.map((client) => waiting(client, line)));
    expect(new Set(asked).size).toBe(1);
    const id = asked[0] as string;
    await decide(id, { status: 'APPROVED' });
    const answers = await Promise.all(clients.map((client) => client.say(line)));
    expect(answers.filter((answer) => answer === line)).toEqual([line]);
    expect(runs(line)).toBe(1);
    await status(id, 'EXECUTED');
  });

  // promises: REVIEW-17
  it('can be made in another session, at another gateway, once it is approved', async () => {
    const { name } = await reviewed();
    const client = await enter(name);
    const id = await waiting(client, 'call delete cus_5');
    client.close();
    await decide(id, { status: 'APPROVED' });
    const later = await enter(name, 'alice', other);
    expect(await later.say('call delete cus_5')).toBe('call delete cus_5');
    await status(id, 'EXECUTED');
    const [row] = await sql<{ call_session_id: string }>(
      'SELECT call_session_id FROM reviews WHERE id = $1',
      id,
    );
    const { body } = await gateway.call('alice', 'GET', `/sessions/${row?.call_session_id}`);
    expect(body.status).toBe('open');
  });

  it('gets the rejection in its session, and a new review in another session', async () => {
    const { name } = await reviewed();
    const client = await enter(name);
    const line = 'call delete cus_6';
    const id = await waiting(client, line);
    await decide(id, { status: 'REJECTED', rejection_reason: 'not on a Friday' });
    expect(await client.say(line)).toBe('no: the review of this call was rejected: not on a Friday');
    expect(await client.say('hello')).toBe('hello');
    expect(await waiting(await enter(name), line)).not.toBe(id);
    expect(runs(line)).toBe(0);
  });

  it.each([
    ['was revoked', (id: string) => decide(id, { status: 'REVOKED' }), 'REVOKED'],
    [
      'expired',
      async (id: string) => {
        await sql(`UPDATE reviews SET expires_at = now() - interval '1 second' WHERE id = $1`, id);
        const [org] = await sql<{ id: string }>('SELECT id FROM organizations');
        await gateway.app.get(OverdueReviews, { strict: false }).expire(org?.id ?? '');
      },
      'EXPIRED',
    ],
  ])('whose approval %s does not run', async (_, end, last) => {
    const { name } = await reviewed();
    const line = `call delete ${last}`;
    const client = await enter(name);
    const id = await waiting(client, line);
    await decide(id, { status: 'APPROVED' });
    await end(id);
    expect(await read(id)).toMatchObject({ status: last, call: { arguments: null } });
    expect(await client.say(line)).toMatch(/^(waits|no): /);
    expect(runs(line)).toBe(0);
  });

  it('is refused outside the approved hours', async () => {
    const { name } = await reviewed();
    const client = await enter(name);
    const id = await waiting(client, 'call delete cus_7');
    await decide(id, { status: 'APPROVED', time_window: window(2, 3) });
    expect(await client.say('call delete cus_7')).toMatch(/^no: the approval can be used from \d\d:\d\d to /);
    expect((await read(id)).status).toBe('APPROVED');
  });

  // promises: REVIEW-18
  it('has an unknown outcome when its end is not reported, and is not repeated', async () => {
    const { name } = await reviewed();
    const line = 'call delete cus_8';
    const client = await enter(name);
    const id = await waiting(client, line);
    await decide(id, { status: 'APPROVED' });
    const [row] = await sql<{ call_session_id: string }>(
      'SELECT call_session_id FROM reviews WHERE id = $1',
      id,
    );
    // Simulates that the session's gateway died between the claim and the answer.
    await sql(
      `UPDATE reviews SET status = 'PROCESSING', created_at = now() - interval '1 day' WHERE id = $1`,
      id,
    );
    client.close();
    await eventually('the session is over', async () => {
      const { body } = await gateway.call('alice', 'GET', `/sessions/${row?.call_session_id}`);
      return body.status === 'done';
    });
    expect((await read(id)).status).toBe('PROCESSING');
    await sql(
      `UPDATE sessions SET end_date = now() - interval '2 minutes' WHERE id = $1`,
      row?.call_session_id,
    );
    await status(id, 'UNKNOWN');
    expect(await waiting(await enter(name), line)).not.toBe(id);
    expect(runs(line)).toBe(0);
  });

  it('needs no review when a guardrail blocks it', async () => {
    const { name, id } = await reviewed();
    await createRule(gateway, {
      name: `calls-${name}`,
      connection_ids: [id],
      input: denyWords(['drop'], 'Keep it.'),
    });
    const client = await enter(name);
    expect(await client.say('call delete d-r-o-p')).toBe('no: Keep it.');
    expect(await sql('SELECT FROM reviews WHERE connection_id = $1', id)).toEqual([]);
  });

  it('needs no review where no rule requires one of this person', async () => {
    const { name } = await reviewed({ reviewers_groups: ['dba'], skip_review_groups: ['engineering'] });
    const spared = await enter(name);
    expect(await spared.say('call delete cus_9')).toBe('call delete cus_9');
    expect(await (await enter(name, 'admin')).say('call delete cus_9')).toMatch(UUID);
  });

  it('is refused when its arguments are too long to read', async () => {
    const { name, id } = await reviewed();
    const client = await enter(name);
    expect(await client.say(`call delete ${'x'.repeat(70_000)}`)).toMatch(
      /^no: .*too long for people to read/,
    );
    expect(await sql('SELECT FROM reviews WHERE connection_id = $1', id)).toEqual([]);
  });

  it('ends with its connection', async () => {
    const { name } = await reviewed();
    const client = await enter(name);
    const id = await waiting(client, 'call delete cus_10');
    expect((await gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
    expect(await read(id)).toMatchObject({ status: 'REVOKED', call: { name: 'delete', arguments: null } });
  });

  it('is visible to the requester, its reviewers and admins only', async () => {
    const { name } = await reviewed({ reviewers_groups: ['nobody-here'] });
    const id = await waiting(await enter(name), 'call delete cus_11');
    const seen = await Promise.all(
      (['alice', 'bob', 'admin', 'auditor'] as const).map(
        async (person) => (await gateway.call(person, 'GET', `/reviews/${id}`)).status,
      ),
    );
    expect(seen).toEqual([200, 404, 200, 200]);
  });
});
