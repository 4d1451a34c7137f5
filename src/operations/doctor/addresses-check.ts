import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { messageOf } from '../../kernel/app-error';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';

const report = new Reporter('addresses');
const ANY_ADDRESS = ['0.0.0.0', '::', '[::]'];

/** Checks that `API_URL`, TLS and reverse proxies fit together. */
export async function checkAddresses({ settings, isProduction }: Examined): Promise<Diagnosis[]> {
  const { http } = settings;
  const url = new URL(http.apiUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const found = [
    ...checkHost(http.apiUrl, host, isProduction),
    ...checkScheme(settings, url, host),
    ...checkPath(settings, url),
    ...(await unknownHost(host)),
  ];
  return found.length > 0 ? found : [report.ok(`Clients reach the gateway at ${http.apiUrl}.`)];
}

function checkHost(apiUrl: string, host: string, isProduction: boolean): Diagnosis[] {
  const found: Diagnosis[] = [];
  if (ANY_ADDRESS.includes(host))
    found.push(
      report.fault(
        `API_URL is ${apiUrl}, which no client can call: it is HOST, where the gateway listens.`,
        'Set API_URL to the address that clients use.',
      ),
    );
  if (isProduction && isLoopback(host))
    found.push(
      report.warning(
        `API_URL is ${apiUrl}, so only programs on this machine reach the gateway.`,
        'Set API_URL to the address that people and clients use.',
      ),
    );
  return found;
}

function checkScheme({ http, tls }: Examined['settings'], url: URL, host: string): Diagnosis[] {
  const isSecure = url.protocol === 'https:';
  const speaksTls = tls.cert !== undefined && tls.ports.includes('rest');
  const found: Diagnosis[] = [];
  if (!isSecure && !isLoopback(host))
    found.push(
      report.warning(
        `API_URL is ${http.apiUrl}: tokens and cookies travel in clear text.`,
        'Set TLS_CERT_FILE and TLS_KEY_FILE, or end TLS at a reverse proxy, and let API_URL begin with https.',
      ),
    );
  if (!isSecure && speaksTls)
    found.push(
      report.fault(
        'API_URL begins with http:, but PORT speaks TLS.',
        'Let API_URL begin with https:, or leave rest out of TLS_PORTS.',
      ),
    );
  if (isSecure && !speaksTls && http.trustProxy === 0)
    found.push(
      report.warning(
        'API_URL begins with https:, so a reverse proxy ends TLS, but TRUST_PROXY is 0: all clients seem to have its address, and share its limits.',
        'Set TRUST_PROXY to the number of reverse proxies in front of the gateway.',
      ),
    );
  if (speaksTls && http.trustProxy > 0)
    found.push(
      report.warning(
        `PORT speaks TLS and TRUST_PROXY is ${http.trustProxy}: a client that reaches the port directly can choose its own address.`,
        'Set TRUST_PROXY=0 if clients reach the port directly.',
      ),
    );
  return found;
}

function checkPath({ http }: Examined['settings'], url: URL): Diagnosis[] {
  if (url.pathname === '/') return [];
  return [
    report.warning(
      `API_URL has the path ${url.pathname}: routes are expected at ${http.apiUrl}${http.apiPrefix}.`,
      `Leave the path out, unless a reverse proxy removes it. API_PREFIX (${http.apiPrefix}) is not part of API_URL.`,
    ),
  ];
}

async function unknownHost(host: string): Promise<Diagnosis[]> {
  if (isIP(host) !== 0) return [];
  const fault = await lookup(host).then(() => undefined, messageOf);
  if (fault === undefined) return [];
  return [
    report.warning(
      `The host of API_URL, ${host}, has no address here (${fault}).`,
      'Create its name in the DNS, or correct API_URL.',
    ),
  ];
}

/** Whether a host is this machine, so that data for it does not cross a network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
