import type { Browser } from 'playwright-core';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { type McpPath, startMcpPath } from '../../support/mcp/mcp-path';
import { RawClient } from '../../support/mcp/raw-client';
import { type RawServer, event, json, rawModern, stream } from '../../support/mcp/raw-server';
import { HostileFields, forEach, inJson, inPointer, valuesOf } from '../../support/portal/hostile-fields';
import { startProof } from '../../support/portal/hostile-proof';
import { HOSTILE_TEXTS } from '../../support/portal/hostile-texts';

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly [field: string]: unknown;
}

const PLAIN = { type: 'object' } as const;
/** Maximum length of a tool's name. */
const NAME = 250;

/** Metadata of a call that requests the log messages of the server. */
const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug' };

/** Returns all hostile strings, marked with the field in which the server sends them. */
const textsOf = (field: string): string[] => HOSTILE_TEXTS.map((text) => `${text}~${field}`);
const together = (field: string): string => textsOf(field).join(' ');

describeInBrowser('texts of MCP servers', () => {
  let browser: Browser;
  let path: McpPath;
  let server: RawServer;
  /** The current tools of the server. */
  let listed: readonly Listed[] = [];

  beforeAll(async () => {
    [browser, path, server] = await Promise.all([
      startChromium(),
      startMcpPath(),
      rawModern(({ body }, response) => {
        const say = (message: object) => json(response, { jsonrpc: '2.0', id: body.id, ...message });
        const complete = (result: object) => ({ result: { resultType: 'complete', ...result } });
        const content = (text: string) => [{ type: 'text', text }];
        if (body.method === 'tools/list') return say(complete({ tools: listed }));
        switch (body.params.name) {
          case 'answers':
            return say(
              complete({ content: content(together('mr')), structuredContent: { [together('ms')]: 1 } }),
            );
          case 'fails':
            return say(complete({ isError: true, content: content(together('me')) }));
          case 'refuses':
            return say({ error: { code: -32_000, message: together('mf') } });
          case 'logs':
            stream(response);
            response.write(
              event({
                jsonrpc: '2.0',
                method: 'notifications/message',
                params: { level: 'error', data: together('ml') },
              }),
            );
            return void response.end(
              event({ jsonrpc: '2.0', id: body.id, ...complete({ content: content('logged') }) }),
            );
          default:
            return say(complete({ content: content('done') }));
        }
      }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
    await server.close();
  });

  const asAdmin = (connection: string): RawClient => new RawClient(path, connection, 'admin');
  /** Sets the tools of the server, and makes the gateway request the list of tools. */
  async function list(connection: string, tools: readonly Listed[]): Promise<void> {
    listed = tools;
    const { status, text } = await asAdmin(connection).modern('tools/list');
    if (status !== 200) throw new Error(text);
  }

  // promises: PORTAL-7
  it('are text on the pages of tools', async () => {
    const fields = new HostileFields();
    const names = valuesOf(fields.add('tn', 'names of tools'), NAME);
    fields.add('ta', 'titles of tools, as accepted');
    fields.add('tb', 'descriptions of tools, as accepted');
    fields.add('tc', 'titles of tools');
    fields.add('td', 'descriptions of tools');
    fields.add('te', 'texts of schemas');
    fields.add('tf', 'values of schemas', { as: inJson });
    fields.add('tg', 'names in schemas', { as: inPointer });
    fields.add('th', 'texts of schemas of results');
    fields.add('ti', 'annotations');
    const connection = await path.connection(server.url);
    const told = { name: 'told', inputSchema: PLAIN };
    const typed = { name: 'typed', inputSchema: { ...PLAIN, properties: {} } };
    const noted = { name: 'noted', inputSchema: PLAIN, outputSchema: PLAIN, annotations: {} };
    await list(connection, [
      { ...told, title: together('ta'), description: together('tb') },
      typed,
      noted,
      ...names.map((name) => ({ name, inputSchema: PLAIN })),
    ]);
    const properties = valuesOf(textsOf('tg'), NAME).map((name) => [name, {}]);
    await list(connection, [
      { ...told, title: together('tc'), description: together('td') },
      {
        ...typed,
        inputSchema: {
          ...PLAIN,
          description: together('te'),
          enum: textsOf('tf'),
          properties: Object.fromEntries(properties),
        },
      },
      {
        ...noted,
        outputSchema: { ...PLAIN, description: together('th') },
        annotations: { title: together('ti') },
      },
    ]);
    const proof = await startProof(browser, path.gateway, 'admin');
    const tools = `/connections/${connection}/tools`;
    await proof.tour.pass(tools);
    for (const tool of ['told', 'typed', 'noted', names[0] ?? ''])
      await proof.tour.visit(`${tools}/${encodeURIComponent(tool)}`);
    await proof.close();
    proof.expectAll(fields);
  }, 120_000);

  // promises: PORTAL-7
  it('are text on the pages of sessions and reviews', async () => {
    const fields = new HostileFields();
    const names = valuesOf(fields.add('cn', 'names of called tools'), NAME);
    fields.add('mr', 'results of tools', { as: inJson });
    fields.add('ms', 'names in results', { as: inJson });
    fields.add('me', 'results that are errors', { as: inJson });
    fields.add('mf', 'errors of servers', { as: inJson });
    fields.add('ml', 'messages of servers', { as: inJson });
    fields.add('ma', 'arguments of calls', { as: inJson });
    fields.add('ra', 'arguments in reviews', { as: inJson });
    const rn = valuesOf(fields.add('rn', 'names of tools in reviews'), NAME);
    const own = ['answers', 'fails', 'refuses', 'logs', 'takes', 'asks', ...names, ...rn];
    const tools = own.map((name) => ({ name, inputSchema: PLAIN }));
    const called = await path.connection(server.url);
    await list(called, tools);
    await forEach(names, (name) => asAdmin(called).call(name));
    const talked = await path.connection(server.url);
    await list(talked, tools);
    for (const name of ['answers', 'fails', 'refuses']) await asAdmin(talked).call(name);
    await asAdmin(talked).modern('tools/call', { name: 'logs', arguments: {} }, {}, LOGS);
    await asAdmin(talked).call('takes', { text: together('ma') });
    const reviewed = await path.connection(server.url, { mcp_policy: { tools: { approval: ['*'] } } });
    await list(reviewed, tools);
    await Promise.all(rn.map((name) => asAdmin(reviewed).call(name)));
    const { text } = await asAdmin(reviewed).call('asks', { text: together('ra') });
    const [, review] = /review ([0-9a-f-]{36})/.exec(text) ?? [];
    const sessionsOf = async (connection: string): Promise<string[]> => {
      const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
      return (body.data as { id: string }[]).map(({ id }) => `/sessions/${id}`);
    };
    const proof = await startProof(browser, path.gateway, 'admin');
    for (const session of await sessionsOf(called)) await proof.openTab(session, 'Calls');
    for (const session of await sessionsOf(talked)) await proof.tour.pass(session);
    await proof.tour.visit(`/reviews/${review}`);
    await proof.tour.pass('/requests');
    await proof.close();
    proof.expectAll(fields);
  }, 120_000);
});
