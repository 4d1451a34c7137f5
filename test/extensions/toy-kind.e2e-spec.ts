import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { DataSource } from 'typeorm';
import { describeApi } from '../../src/commands/describe-api';
import { Gate } from '../../src/gate/gate';
import { IssuedCredentials } from '../../src/gate/ports/issued-credentials';
import { languages } from '../../src/languages/languages';
import type { Examined } from '../../src/operations/doctor/examined';
import { checkPorts } from '../../src/operations/doctor/ports-check';
import { checkTargets } from '../../src/operations/doctor/targets-check';
import { Settings } from '../../src/platform/config/settings';
import { Meter } from '../../src/platform/metrics/meter';
import { registerTargetKind } from '../../src/targets/kinds';
import { issue } from '../support/credentials';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { type TestGateway, startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { foundFaults } from '../support/watched-answers';
import { startEchoServer } from './toy-kind/echo-server';
import { echo } from './toy-kind/echo';
import { credentialSignIn } from './toy-kind/credential-sign-in';
import { linesPort } from './toy-kind/lines-clients';
import { linesProxy } from './toy-kind/lines-proxy';
import { spelling } from './toy-kind/spelling';

/**
 * A language, a target kind, and a protocol with its own port and credentials. Each consists only of its
 * folder and one line that registers it, and is visible and usable everywhere.
 */
describe('a new kind of target, in a language and a protocol of its own', () => {
  let gateway: TestGateway;
  let server: Awaited<ReturnType<typeof startEchoServer>>;
  let forget: () => void;
  let closeListener: () => void;

  beforeAll(async () => {
    linesPort.port = await freePort();
    forget = registerTargetKind(echo);
    languages.push(spelling);
    // Enables metrics. A gateway in this process does not listen on the port.
    const metrics = { METRICS_PORT: String(await freePort()) };
    [gateway, server] = await Promise.all([startGateway({ environment: metrics }), startEchoServer()]);
    const secret = { PORT: String(server.port) };
    const kind = { type: 'application', subtype: 'echo' };
    const created = await gateway.call('admin', 'POST', '/connections', { name: 'echoes', ...kind, secret });
    expect(created.status).toBe(201);
    // The API description contains only the shipped kinds, so the answer with this
    // kind violates it. Nothing else does.
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
    const { app } = gateway;
    const credentials = app.get(IssuedCredentials, { strict: false });
    const listener = linesProxy(app.get(Gate, { strict: false }), credentialSignIn(credentials));
    await listener.listen('127.0.0.1', linesPort.port, 'LINES_PORT');
    closeListener = () => listener.close();
  });

  afterAll(async () => {
    closeListener();
    linesPort.port = 0;
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

  it('lets no client in with another password', async () => {
    const { username } = (await issue(gateway, 'admin', {}, 'echoes')).body.connection_credentials;
    const client: Socket = connect(linesPort.port, '127.0.0.1');
    await once(client, 'connect');
    client.write(`${username} wrong\n`);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toBe('no: sign in\n');
    client.end();
  });

  it('is among the kinds that clients read', async () => {
    const { body } = await gateway.call('alice', 'GET', '/connection-kinds');
    // The API description contains only the shipped kinds, so this answer violates it.
    expect(foundFaults()).not.toEqual([]);
    expect(body.data.at(-1)).toMatchObject({
      type: 'application',
      subtype: 'echo',
      title: 'Echo',
      language: 'spelling',
      secret_fields: [{ name: 'PORT', label: 'Port', required: true, confidential: false }],
      client_endpoint: {
        protocol: 'lines',
        issues_credentials: true,
        url_template: `lines://{username}:{password}@127.0.0.1:${linesPort.port}/{database}`,
      },
      runs_scripts: true,
      has_queries: false,
    });
  });

  it('is in the API description', async () => {
    const { components = {} } = await describeApi();
    for (const name of ['ConnectionBody', 'ConnectionView', 'ConnectionKindView'])
      expect([name, components.schemas?.[name]]).toEqual([
        name,
        expect.objectContaining({
          properties: expect.objectContaining({
            subtype: expect.objectContaining({ enum: ['postgres', 'mcpproxy', 'ssh', 'echo'] }),
          }),
        }),
      ]);
  });

  it('has its port and its targets looked at by the doctor', async () => {
    const examined: Examined = {
      settings: gateway.app.get(Settings, { strict: false }),
      isProduction: false,
      given: () => true,
      secretFiles: new Map(),
      variables: [],
    };
    const [ports] = await checkPorts(examined);
    expect([ports?.state, ports?.message]).toEqual([
      'ok',
      expect.stringMatching(new RegExp(`^A gateway serves here already: .*LINES_PORT ${linesPort.port}`)),
    ]);
    const targets = await checkTargets(gateway.app.get(DataSource), examined);
    expect(targets.map(({ message }) => message)).toEqual(['All 1 targets answer.']);
  });

  it('serves clients of its protocol through the same gate', async () => {
    const { connection_credentials: credential } = (await issue(gateway, 'admin', {}, 'echoes')).body;
    const { hostname, port, username, password } = credential;
    expect(credential.connection_string).toBe(
      `lines://${username}:${password}@127.0.0.1:${linesPort.port}/echoes`,
    );
    const client: Socket = connect(port, hostname);
    await once(client, 'connect');
    const heard: string[] = [];
    createInterface({ input: client }).on('line', (line) => heard.push(line));
    client.write(`${username} ${password}\nhello\nd-r-o-p\na canary\n`);
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

  it('is counted in the metrics of sessions', async () => {
    const families = gateway.app.get(Meter, { strict: false }).families();
    const counted = (name: string, protocol: string): number[] =>
      families
        .flatMap((family) => (family.name === name ? family.samples : []))
        .filter(({ labels }) => labels['protocol'] === protocol)
        .map(({ value }) => value);
    expect(counted('gateway_sessions_started_total', 'lines')).toEqual([1]);
    expect(counted('gateway_sessions_running', 'lines')).toEqual([0]);
    expect(counted('gateway_sessions_started_total', 'other')).toEqual([]);
  });
});
