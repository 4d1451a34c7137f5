import { Agent, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { scoped } from '../support/scoped';
import { IS_LONG, someOf } from '../support/volume';

const META = JSON.stringify(MODERN_META);
const VERSION = '2026-07-28';
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const raw = (text: string): string => (/^[\x21-\x7e]+$/.test(text) ? text : base64(text));

/** Tools of the server. The policy denies `secret`. */
const TOOLS = ['echo', 'grüße', 'region', 'secret'];
const isAllowed = (name: string): boolean => TOOLS.includes(name) && name !== 'secret';

/** The value of a header: a list if the header is repeated, undefined if it is missing. */
type Header = string | readonly string[] | undefined;

/** Values of the header with the tool's name. `other` is a name that an attacker wants a proxy to believe. */
function namesOf(name: string, other: string): Header[] {
  return [
    raw(name),
    base64(name),
    raw(other),
    base64(other),
    undefined,
    '',
    [raw(name), raw(other)],
    [raw(other), raw(name)],
    [raw(name), raw(name)],
    `${raw(name)}, ${raw(other)}`,
    `${raw(name)};${raw(other)}`,
    `"${raw(name)}"`,
    raw(name).toUpperCase(),
    raw(name.replace(/e/, 'е')),
    base64(`${name}\u200b`),
    base64(`${name}\u0000`),
    base64(`${name}\r\n`),
    base64(`${name}\r\nMcp-Name: ${other}`),
    base64(` ${name}`),
    base64(name.normalize('NFD') === name ? `${name}\u0301` : name.normalize('NFD')),
    base64(base64(name)),
    base64(name).replace('base64', 'BASE64'),
    base64(name).replace('?=', ''),
    base64(`${name}x`).replace(/=+\?=$/, '?='),
    base64(name).replace(/.\?=$/, '*?='),
    `=?base64?${Buffer.from(name, 'utf16le').toString('base64')}?=`,
    `=?base64?${Buffer.concat([Buffer.from(name), Buffer.from([0xff])]).toString('base64')}?=`,
    '=?base64?=',
    '=?base64??=',
    `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`,
    encodeURIComponent(name).replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`),
    `${raw(name)}/`,
    `../${raw(name)}`,
  ];
}

const METHODS: Header[] = [
  'tools/list',
  'TOOLS/CALL',
  'tools%2fcall',
  'tools/call/',
  'tools/call,tools/list',
  ['tools/call', 'tools/list'],
  ['tools/list', 'tools/call'],
  ['tools/call', 'tools/call'],
  undefined,
  '',
  'prompts/get',
  'resources/read',
  base64('tools/call'),
  'server/discover',
  'notifications/cancelled',
];
const VERSIONS: Header[] = [
  undefined,
  '',
  '2025-11-25',
  '2025-03-26',
  '2026-07-29',
  '2099-01-01',
  [VERSION, VERSION],
  [VERSION, '2025-11-25'],
  `${VERSION},${VERSION}`,
  `"${VERSION}"`,
  base64(VERSION),
];

const escaped = (text: string): string =>
  JSON.stringify(
    [...text].map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  ).replaceAll('\\\\', '\\');

/** Returns bodies that name a tool. `isPlain`: every parser reads the same name. */
function bodiesOf(name: string, other: string): { text: string; isPlain: boolean }[] {
  const [mine, theirs] = [JSON.stringify(name), JSON.stringify(other)];
  const call = (params: string, more = ''): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call"${more},"params":{${params},"_meta":${META}}}`;
  const args = '"arguments":{}';
  const plain = [
    call(`"name":${mine},${args}`),
    call(`"name":${escaped(name)},${args}`),
    call(`"name":${mine},"arguments":{"name":${theirs},"params":{"name":${theirs}}}`),
    ` \n${call(`"name" : ${mine} ,${args}`)}\r\n `,
    call(`"name":${mine},${args}`, `,"name":${theirs},"tool":{"name":${theirs}}`),
  ];
  const torn = [
    call(`"name":${mine},"name":${theirs},${args}`),
    call(`"name":${theirs},"name":${mine},${args}`),
    call(`${args},"Name":${theirs},"NAME":${theirs},"name":${mine}`),
    call(`"name":${mine},"n\\u0061me":${theirs},${args}`),
    call(`"n\\u0061me":${theirs},${args},"name":${mine}`),
    call(`"name":${mine},${args}`, `,"params":{"name":${theirs},"_meta":${META}}`),
    call(`"name":${mine},${args}`, ',"method":"tools/list"'),
    `${call(`"name":${mine},${args}`)}${call(`"name":${theirs},${args}`)}`,
    `[${call(`"name":${mine},${args}`)}]`,
    call(`"name":${mine},${args},"_meta":{}`),
    call(`"name":[${mine}],${args}`),
    call(`"name":{"name":${mine}},${args}`),
  ];
  return [
    ...plain.map((text) => ({ text, isPlain: true })),
    ...torn.map((text) => ({ text, isPlain: false })),
  ];
}

interface Form {
  readonly body: string;
  readonly isPlain: boolean;
  readonly name: string;
  readonly version: Header;
  readonly method: Header;
  readonly named: Header;
  /** The header `Mcp-Param-Region`, which mirrors a parameter of the tool `region`. */
  readonly region?: Header;
  /** The argument in the body that `Mcp-Param-Region` must mirror. */
  readonly argument?: string;
}

function forms(): Form[] {
  const all: Form[] = [];
  for (const name of TOOLS) {
    for (const other of TOOLS.filter((one) => one !== name && one !== 'region')) {
      const right = { version: VERSION, method: 'tools/call', name };
      for (const { text: body, isPlain } of bodiesOf(name, other))
        for (const named of namesOf(name, other)) all.push({ ...right, body, isPlain, named });
      const [first] = bodiesOf(name, other);
      const body = first?.text ?? '';
      for (const named of [raw(name), raw(other), undefined]) {
        for (const method of METHODS) all.push({ ...right, body, isPlain: true, named, method });
        for (const version of VERSIONS) all.push({ ...right, body, isPlain: true, named, version });
      }
    }
  }
  for (const region of ['eu', 'ü', '=?base64?ZXU=?=']) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"region","arguments":{"region":${JSON.stringify(region)}},"_meta":${META}}}`;
    for (const said of namesOf(region, 'us'))
      all.push({
        body,
        isPlain: true,
        name: 'region',
        version: VERSION,
        method: 'tools/call',
        named: 'region',
        region: said,
        argument: region,
      });
  }
  return all;
}

/**
 * Decodes a header by the specification, without code of the gateway: one value, plain text or canonical
 * base64 of UTF-8.
 */
function readingOf(header: Header): string | undefined {
  const one = typeof header === 'string' ? header.trim() : undefined;
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(one ?? '') ?? [];
  if (encoded === undefined) return one;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  return bytes.toString('base64') === encoded && Buffer.from(text).equals(bytes) ? text : undefined;
}

function agrees({ name, version, method, named, region, argument }: Form): boolean {
  return (
    // The headers with the version and the method have no encoded form, so they are compared as they are.
    version === VERSION &&
    method === 'tools/call' &&
    readingOf(named) === name &&
    readingOf(region) === argument
  );
}

describe(
  'headers that disagree with the body',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() =>
      rawModern(({ body }, response) => {
        const result =
          body.method === 'tools/list'
            ? {
                resultType: 'complete',
                tools: TOOLS.map((name) => ({
                  name,
                  inputSchema: {
                    type: 'object',
                    properties:
                      name === 'region' ? { region: { type: 'string', 'x-mcp-header': 'Region' } } : {},
                  },
                })),
              }
            : { resultType: 'complete', content: [{ type: 'text', text: String(body.params.name) }] };
        json(response, { jsonrpc: '2.0', id: body.id, result });
      }),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    afterAll(() => agent.destroy());

    async function send(url: string, token: string, form: Form): Promise<{ status: number; text: string }> {
      const headers: OutgoingHttpHeaders = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'content-length': Buffer.byteLength(form.body),
      };
      const given: Record<string, Header> = {
        'mcp-protocol-version': form.version,
        'mcp-method': form.method,
        'mcp-name': form.named,
        'mcp-param-region': form.region,
      };
      for (const [name, value] of Object.entries(given))
        if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value];
      return new Promise((resolve, reject) => {
        const asked = requestHttp(url, { method: 'POST', agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        });
        asked.on('error', reject);
        asked.end(form.body);
      });
    }

    it('change nothing: the server and the policy have one view of every call', async () => {
      const name = await path.connection(server.url, { mcp_policy: { tools: { denied: ['secret'] } } });
      const token = await path.gateway.token('alice');
      const tried = someOf(forms(), 9);
      const wrong: string[] = [];
      const counts = { disagreeing: 0, agreeing: 0, allowed: 0, forwarded: 0 };
      await forAll(tried, 8, async (form) => {
        const { status, text } = await send(path.endpoint(name), token, form);
        const answer = JSON.parse(text) as {
          result?: { content?: { text: string }[] };
          error?: { code: number };
        };
        const isAgreed = agrees(form);
        const mayRun = isAgreed && form.isPlain && isAllowed(form.name);
        counts[isAgreed && form.isPlain ? 'agreeing' : 'disagreeing'] += 1;
        if (mayRun) counts.allowed += 1;
        const ran = answer.result?.content?.[0]?.text;
        const isRight = mayRun ? ran === form.name : answer.error !== undefined && status < 500;
        // A wrong header with a plain body must be refused with status 400 and one of these codes.
        const isNamed =
          isAgreed ||
          !form.isPlain ||
          (status === 400 && [-32020, -32022, -32602, 400].includes(answer.error?.code ?? 0));
        if (!isRight || !isNamed) wrong.push(`${JSON.stringify(form)} → ${status} ${text}`);
      });
      // Each call that reached the server must name an allowed tool. Its body must have only one reading, and
      // its headers must agree with the body.
      for (const { headers, text, body } of server.heard.filter((one) => one.body.method === 'tools/call')) {
        counts.forwarded += 1;
        const { name: called, arguments: args } = body.params as {
          name: string;
          arguments: { region?: string };
        };
        const isOne =
          JSON.stringify(body).length === text.length &&
          headers['mcp-method'] === 'tools/call' &&
          readingOf(headers['mcp-name']) === called &&
          readingOf(headers['mcp-param-region']) === (called === 'region' ? args.region : undefined);
        if (!isOne || !isAllowed(called)) wrong.push(`heard ${text} with ${JSON.stringify(headers)}`);
      }
      figure('headers', { ...counts, differing: wrong.length });
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(counts.forwarded).toBe(counts.allowed);
      expect(counts.forwarded).toBeGreaterThan(IS_LONG ? 50 : 5);
      expect(counts.disagreeing).toBeGreaterThan(IS_LONG ? 2_000 : 200);
      // The recording has as many calls as the server received.
      const recorded = (await path.recorded(name)).filter(
        ([type, text]) => type === 'o' && text.includes('"content"'),
      );
      expect(recorded).toHaveLength(counts.forwarded);
    });
  }),
);
