import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { connect } from 'node:net';
import { parseJson } from '../../kernel/json/json';
import { resultWithin } from '../../kernel/async/timeout';
import type { Examined } from './examined';

const ANSWER_WITHIN_MS = 2_000;
/** PostgreSQL, "SSLRequest": length and code. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

/** A port that the gateway opens. */
export interface ListeningPort {
  readonly variable: 'PORT' | 'POSTGRES_PROXY_PORT' | 'METRICS_PORT';
  readonly host: string;
  readonly port: number;
}

/** Whether what listens on a port answers as a gateway with these settings does. */
export async function isServedByGateway(
  { variable, host, port }: ListeningPort,
  { http, tls }: Examined['settings'],
): Promise<boolean> {
  const reached = reachedBy(host);
  const isSecure = (name: 'rest' | 'metrics') => tls.cert !== undefined && tls.ports.includes(name);
  const answer = async (): Promise<boolean> => {
    switch (variable) {
      case 'PORT': {
        const health = await httpText(reached, port, `${http.apiPrefix}/healthz`, isSecure('rest'));
        return health === '{"status":"ok"}';
      }
      case 'METRICS_PORT':
        return /^# HELP gateway_/m.test(await httpText(reached, port, '/metrics', isSecure('metrics')));
      case 'POSTGRES_PROXY_PORT':
        return speaksPostgres(reached, port);
    }
  };
  return (await resultWithin(answer(), ANSWER_WITHIN_MS)) === true;
}

/**
 * The ids of the keys with which the gateway at PORT signs evidence, as it
 * publishes them; undefined: nothing there publishes keys.
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
 * The body of an answer, '' without one. Our own certificate is not checked here: its names are those of
 * clients, and nothing secret is said.
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

/** A server of PostgreSQL's protocol answers one letter: whether it has TLS. */
function speaksPostgres(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(SSL_REQUEST));
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.length === 1 && 'SN'.includes(bytes.toString('latin1')));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
