import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { parseJson } from '../../kernel/json/json';
import { resultWithin } from '../../kernel/async/timeout';
import { portEndpoints } from '../../targets/kinds';
import type { Examined } from './examined';

const ANSWER_WITHIN_MS = 2_000;

/** A port that the gateway opens. */
export interface ListeningPort {
  /** Name of the environment variable that sets the port. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
  /** Returns whether the program at this port answers like a gateway. Never rejects. */
  readonly isServed: (host: string, port: number) => Promise<boolean>;
}

/** Returns all ports of a gateway with these settings. Leaves out port 0, because it is not opened. */
export function portsOf(settings: Examined['settings']): ListeningPort[] {
  const { http, metrics, tls } = settings;
  const isSecure = (name: 'rest' | 'metrics') => tls.cert !== undefined && tls.ports.includes(name);
  const ports: ListeningPort[] = [
    {
      variable: 'PORT',
      host: http.host,
      port: http.port,
      isServed: async (host, port) => {
        const health = await httpText(host, port, `${http.apiPrefix}/healthz`, isSecure('rest'));
        return health === '{"status":"ok"}';
      },
    },
    ...portEndpoints().map((endpoint) => {
      const { variable, port } = endpoint.port(settings);
      return {
        variable,
        host: http.host,
        port,
        isServed: (at: string, number: number) => endpoint.isSpokenAt(at, number),
      };
    }),
    {
      variable: 'METRICS_PORT',
      host: metrics.host,
      port: metrics.port,
      isServed: async (host, port) =>
        /^# HELP gateway_/m.test(await httpText(host, port, '/metrics', isSecure('metrics'))),
    },
  ];
  return ports.filter(({ port }) => port > 0);
}

/** Whether the program at a port answers like a gateway. */
export async function isServedByGateway({ host, port, isServed }: ListeningPort): Promise<boolean> {
  return (await resultWithin(isServed(reachedBy(host), port), ANSWER_WITHIN_MS)) === true;
}

/**
 * Returns the ids of the evidence keys that the gateway at PORT publishes; undefined if nothing there
 * publishes keys.
 */
export async function publishedKeyIds({
  http,
  tls,
}: Examined['settings']): Promise<readonly string[] | undefined> {
  const isSecure = tls.cert !== undefined && tls.ports.includes('rest');
  const asked = httpText(reachedBy(http.host), http.port, `${http.apiPrefix}/evidence-keys`, isSecure);
  const text = await resultWithin(asked, ANSWER_WITHIN_MS);
  try {
    const { keys } = parseJson(text ?? '') as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  } catch {
    return undefined;
  }
}

function reachedBy(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : host;
}

/**
 * Returns the body of a response; '' if there is none. Does not verify the gateway's own certificate, because
 * the certificate is for the host name of clients, and nothing secret is sent.
 */
function httpText(host: string, port: number, path: string, isSecure: boolean): Promise<string> {
  return new Promise((resolve) => {
    const send = isSecure ? requestSecure : requestPlain;
    const request = send({ host, port, path, rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('end', () => resolve(text));
      response.once('error', () => resolve(''));
    });
    request.once('error', () => resolve(''));
    request.setTimeout(ANSWER_WITHIN_MS, () => request.destroy());
    request.end();
  });
}
