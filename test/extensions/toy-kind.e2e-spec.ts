import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Gate } from '../../src/gate/gate';
import { Authenticator } from '../../src/gate/ports/authenticator';
import { languages } from '../../src/languages/languages';
import { registerTargetKind } from '../../src/targets/kinds';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { type TestGateway, startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { foundFaults } from '../support/watched-answers';
import { startEchoServer } from './toy-kind/echo-server';
import { echo } from './toy-kind/echo';
import { linesProxy } from './toy-kind/lines-proxy';
import { spelling } from './toy-kind/spelling';

/**
 * A language, a kind of target and a protocol that are nothing but their
 * folder and a line each that registers them.
 */
describe('a new kind of target, in a language and a protocol of its own', () => {
  let gateway: TestGateway;
  let server: Awaited<ReturnType<typeof startEchoServer>>;
  let forget: () => void;
  let port: number;
  let closeListener: () => void;

  beforeAll(async () => {
    forget = registerTargetKind(echo);
    languages.push(spelling);
    [gateway, server] = await Promise.all([startGateway(), startEchoServer()]);
    const secret = { PORT: String(server.port) };
    const kind = { type: 'application', subtype: 'echo' };
    const created = await gateway.call('admin', 'POST', '/connections', { name: 'echoes', ...kind, secret });
    expect(created.status).toBe(201);
    // The document describes the kinds that are shipped; this one is an answer
    // beside it, and nothing else is.
    expect(foundFaults()).toEqual([expect.stringContaining('/subtype must be equal')]);
    const { id } = created.body as { id: string };
    const output = {
      rules: [{ type: 'deny_words_list', words: ['canary'], pattern_regex: '', action: 'mask' }],
    };
    await createRule(gateway, {
      name: 'toy',
      connection_ids: [id],
      input: denyWords(['drop'], 'Keep it.'),
      output,
    });
    const address = { address: '127.0.0.1' };
    const principal = await gateway.app
      .get(Authenticator, { strict: false })
      .identify({ bearer: await gateway.token('admin'), ...address });
    const listener = linesProxy(gateway.app.get(Gate, { strict: false }), principal);
    port = await freePort();
    await listener.listen('127.0.0.1', port, 'LINES_PORT');
    closeListener = () => listener.close();
  });

  afterAll(async () => {
    closeListener();
    forget();
    languages.splice(languages.indexOf(spelling), 1);
    server.close();
    await gateway.close();
  });

  const run = (script: string) =>
    gateway.call('admin', 'POST', '/sessions', { connection: 'echoes', script });

  const events = async (id: string): Promise<[string, string][]> => {
    const { body } = await gateway.call('admin', 'GET', `/sessions/${id}?expand=event_stream`);
    return (body.event_stream as [number, string, string][]).map(([, type, content]) => [
      type,
      Buffer.from(content, 'base64').toString(),
    ]);
  };

  it('has its secret checked, and its target tested', async () => {
    const without = { name: 'wrong', type: 'application', subtype: 'echo', secret: { HOST: 'x' } };
    const { status, body } = await gateway.call('admin', 'POST', '/connections', without);
    expect([status, body.message]).toEqual([
      422,
      'secret.PORT is required; secret.HOST is not known for application/echo',
    ]);
    const tested = await gateway.call('admin', 'GET', '/connections/echoes/test');
    expect([tested.status, tested.body.success]).toEqual([200, true]);
  });

  it('runs scripts, screened and recorded', async () => {
    const { status, body } = await run('a canary sings');
    expect([status, body.output]).toEqual([200, 'a **** sings\n']);
    expect(await events(body.session_id as string)).toEqual([
      ['i', 'a canary sings'],
      ['o', 'a **** sings\n'],
    ]);
  });

  it('has its inputs judged in its own language, and its refusals recorded', async () => {
    const { body } = await run('d-r-o-p it');
    expect([body.output_status, body.output]).toEqual(['blocked', 'Keep it.']);
    expect(server.heard).not.toContain('d-r-o-p it');
    expect(await events(body.session_id as string)).toEqual([
      ['i', 'd-r-o-p it'],
      ['e', 'Keep it.\n'],
    ]);
  });

  it('serves clients of its protocol through the same gate', async () => {
    const client: Socket = connect(port, '127.0.0.1');
    await once(client, 'connect');
    const heard: string[] = [];
    createInterface({ input: client }).on('line', (line) => heard.push(line));
    client.write('echoes\nhello\nd-r-o-p\na canary\n');
    await eventually('all is answered', async () => heard.length === 3);
    expect([...heard].sort()).toEqual(['a ****', 'hello', 'no: Keep it.']);
    client.end();
    const [row] = await eventually('the session is over', async () => {
      const rows = await gateway.database.query<{ id: string }>(
        `SELECT id FROM sessions WHERE verb = 'connect' AND status = 'done'`,
      );
      return rows.length === 1 && rows;
    });
    const recorded = await events((row as { id: string }).id);
    expect(recorded.filter(([type]) => type === 'i').map(([, text]) => text)).toEqual([
      'hello',
      'd-r-o-p',
      'a canary',
    ]);
    expect(recorded).toEqual(
      expect.arrayContaining([
        ['o', 'hello\n'],
        ['o', 'a ****\n'],
        ['e', 'Keep it.\n'],
      ]),
    );
  });
});
