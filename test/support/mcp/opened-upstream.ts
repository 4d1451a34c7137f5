import type { Json, JsonObject } from '../../../src/kernel/json/json';
import {
  type ExchangeOptions,
  type McpUpstream,
  type UpstreamAnswer,
  type UpstreamOptions,
  type UpstreamRequest,
  openUpstream,
} from '../../../src/targets/mcp/upstream';

export const CLIENT_CAPABILITIES: JsonObject = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

/** The gateway's side of a connection to a test server. Records calls of `remember`, and notifications. */
export interface OpenedUpstream extends McpUpstream {
  readonly remembered: [string, string][];
  readonly told: { readonly method: string; readonly params: JsonObject }[];
  /** Sends a request. Adds the notifications that arrive during it to `told`. */
  ask(
    method: string,
    params?: JsonObject,
    more?: Partial<UpstreamRequest> & { signal?: AbortSignal },
  ): Promise<UpstreamAnswer>;
  /** Sends `tools/call` with `ask`. */
  call(
    name: string,
    args?: JsonObject,
    more?: Partial<UpstreamRequest> & { signal?: AbortSignal },
  ): Promise<UpstreamAnswer>;
}

export function openedUpstream(url: string, options: Partial<UpstreamOptions> = {}): OpenedUpstream {
  const remembered: [string, string][] = [];
  const told: OpenedUpstream['told'] = [];
  const upstream = openUpstream({
    url: new URL(url),
    transport: 'auto',
    headers: () => ({ authorization: 'Bearer of-the-connection' }),
    allowedHosts: ['127.0.0.1'],
    client: { info: { name: 'test-client', version: '1' }, capabilities: CLIENT_CAPABILITIES },
    maxMessageBytes: 32 * 1024 * 1024,
    timeoutMs: 30_000,
    remember: (era, revision) => void remembered.push([era, revision]),
    ...options,
  });
  const notify: ExchangeOptions['notify'] = (method, params) => void told.push({ method, params });
  const ask: OpenedUpstream['ask'] = (method, params = {}, { signal, ...more } = {}) =>
    upstream.exchange(
      { method, params, ...more },
      { signal: signal ?? new AbortController().signal, notify },
    );
  return {
    remembered,
    told,
    ask,
    call: (name, args = {}, more = {}) => ask('tools/call', { name, arguments: args }, more),
    discover: (signal) => upstream.discover(signal),
    exchange: (request, on) => upstream.exchange(request, on),
    subscribe: (filter, on) => upstream.subscribe(filter, on),
    rootsChanged: () => upstream.rootsChanged(),
    close: () => upstream.close(),
  };
}

/** The text of the first content of a tool's result. */
export function textOf(answer: UpstreamAnswer): string {
  if (answer.kind !== 'result') throw new Error(`no result: ${JSON.stringify(answer)}`);
  const [first] = answer.result['content'] as { text: string }[];
  return first?.text ?? '';
}

/** Returns a copy for comparisons. Its objects have a prototype; objects of `Json` have none. */
export function plain(value: Json | object | undefined): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
