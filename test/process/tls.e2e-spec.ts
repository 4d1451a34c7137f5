import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { type TLSSocket, connect } from 'node:tls';
import { Client } from 'pg';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess, until } from '../support/gateway-process';
import { RawClient, SSL_REQUEST } from '../support/raw-client';
import { secretOf } from '../support/target';
import { makeCertificate, type TestCertificate, whyWithout } from '../support/tls';

const STARTS_WITHIN_MS = 240_000;
const WORKERS = 2;
const why = whyWithout('openssl');

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly agent?: Agent;
}

function fingerprintOf({ cert }: TestCertificate): string {
  return new X509Certificate(cert).fingerprint256;
}

const title = `TLS on all ports${why === undefined ? '' : ` (skipped: ${why})`}`;
(why === undefined ? describe : describe.skip)(title, () => {
  describeProcesses('of a gateway with workers', ({ folder, target, production }) => {
    let gateway: GatewayProcess;
    let ports: { readonly rest: number; readonly wire: number; readonly metrics: number };
    let files: { readonly cert: string; readonly key: string };
    let token: string;
    // The gateway serves these certificates one after another. The clients trust all three.
    const [first, second, third] = [makeCertificate(), makeCertificate(), makeCertificate()] as const;
    const ca = [first, second, third].map(({ cert }) => cert);

    beforeAll(async () => {
      files = { cert: join(folder.path, 'tls.crt'), key: join(folder.path, 'tls.key') };
      await writeFile(files.cert, first.cert);
      await writeFile(files.key, first.key, { mode: 0o600 });
      ports = {
        rest: Number(production.variables['PORT']),
        wire: await freePort(),
        metrics: await freePort(),
      };
      gateway = await GatewayProcess.start({
        ...production.variables,
        DATA_DIR: folder.path,
        WORKERS: String(WORKERS),
        METRICS_PORT: String(ports.metrics),
        POSTGRES_PROXY_PORT: String(ports.wire),
        TLS_CERT_FILE: files.cert,
        TLS_KEY_FILE: files.key,
        TLS_RELOAD_SECONDS: '1',
      });
      token = await production.token();
    }, STARTS_WITHIN_MS);

    afterAll(async () => {
      gateway.kill('SIGKILL');
      await gateway.exited;
    });

    /** Sends a request as a client that trusts only the certificates of this test. */
    function send(
      port: number,
      path: string,
      { method = 'GET', headers, body, agent }: Sent = {},
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, method, ca, agent: agent ?? false };
        const sent = request({ ...options, headers: { ...headers } }, (response) => {
          const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
          const { statusCode: status = 0, headers: told } = response;
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.once('end', () => resolve({ status, text, headers: told, fingerprint: fingerprint256 }));
        });
        sent.once('error', reject);
        sent.end(body);
      });
    }

    const asAdmin = (): Record<string, string> => ({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });

    async function served(): Promise<Record<'rest' | 'wire' | 'metrics', string>> {
      const wire = await RawClient.connect(ports.wire);
      expect((await wire.send(SSL_REQUEST).bytes(1)).toString()).toBe('S');
      await wire.secure();
      const { fingerprint256 } = (wire.socket as TLSSocket).getPeerCertificate();
      wire.socket.destroy();
      const rest = await send(ports.rest, '/api/healthz');
      const metrics = await send(ports.metrics, '/metrics');
      expect([rest.status, metrics.status]).toEqual([200, 200]);
      return { rest: rest.fingerprint, wire: fingerprint256, metrics: metrics.fingerprint };
    }

    /** Expected fingerprints when the workers and the metrics process serve this certificate. */
    const everywhere = (one: TestCertificate): Record<string, string> => {
      const fingerprint = fingerprintOf(one);
      return { rest: fingerprint, wire: fingerprint, metrics: fingerprint };
    };
    const everywhereTimes = async (): Promise<Record<string, string>[]> => {
      const all: Record<string, string>[] = [];
      for (let count = 0; count < 2 * WORKERS; count += 1) all.push(await served());
      return all;
    };

    async function series(name: string, label = ''): Promise<number[]> {
      const { text } = await send(ports.metrics, '/metrics');
      return text
        .split('\n')
        .filter((line) => line.startsWith(name) && line.includes(label))
        .map((line) => Number(line.split(' ').at(-1)));
    }

    async function pgClient(): Promise<Client> {
      const client = new Client({
        host: '127.0.0.1',
        port: ports.wire,
        user: 'admin',
        password: token,
        database: 'orders',
        ssl: { ca, host: '127.0.0.1' },
      });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }

    it('shows one certificate, and takes nothing in clear text', async () => {
      expect(await served()).toEqual(everywhere(first));
      for (const port of [ports.rest, ports.metrics]) {
        const plain = plainRequest({ host: '127.0.0.1', port, path: '/api/healthz' }).end();
        const [error] = (await once(plain, 'error')) as [Error];
        expect(error.message).toMatch(/hang up|ECONNRESET|Parse Error/);
      }
      await gateway.says('spoke plain HTTP to a port with TLS');
    });

    it('refuses old TLS', async () => {
      const weak = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      const socket = connect({ host: '127.0.0.1', port: ports.rest, rejectUnauthorized: false, ...weak });
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toMatch(/protocol version/);
    });

    it('passes requests of MCP sessions between workers as before', async () => {
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      };
      const path = '/api/mcp';
      const opened = await send(ports.rest, path, {
        method: 'POST',
        headers: asAdmin(),
        body: JSON.stringify(initialize),
      });
      expect([opened.status, opened.text]).toEqual([200, expect.stringContaining('protocolVersion')]);
      const session = String(opened.headers['mcp-session-id']);
      expect(session).toContain('.');
      for (let id = 2; id < 2 + 2 * WORKERS; id += 1) {
        const listed = await send(ports.rest, path, {
          method: 'POST',
          headers: { ...asAdmin(), 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' },
          body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
        });
        expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('inputSchema')]);
      }
      // Tools call the API of this gateway within the process.
      const call = { name: 'list_connections', arguments: {} };
      const called = await send(ports.rest, path, {
        method: 'POST',
        headers: { ...asAdmin(), 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'tools/call', params: call }),
      });
      expect([called.status, called.text]).toEqual([
        200,
        expect.stringContaining('"structuredContent":{"data":[]'),
      ]);
    });

    it('serves a replaced certificate to new connections, while old ones go on', async () => {
      const made = await send(ports.rest, '/api/connections', {
        method: 'POST',
        headers: asAdmin(),
        body: JSON.stringify({
          name: 'orders',
          type: 'database',
          subtype: 'postgres',
          secret: secretOf(target),
        }),
      });
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const kept = (): Promise<Answer> => send(ports.rest, '/api/serverinfo', { headers: asAdmin(), agent });
      expect(await kept()).toMatchObject({ status: 200, fingerprint: fingerprintOf(first) });
      const client = await pgClient();
      expect((await client.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);

      // Writes the certificate first, so that for a moment the key does not match the certificate.
      await writeFile(files.cert, second.cert);
      await gateway.says('its files cannot be used: TLS_KEY is the key of another certificate');
      await until(async () => Math.min(...(await series('gateway_tls_certificate_stale'))) === 1);
      expect(await served()).toEqual(everywhere(first));
      await writeFile(files.key, second.key);
      await until(async () => {
        const now = JSON.stringify(await everywhereTimes());
        return now === JSON.stringify(Array.from({ length: 2 * WORKERS }, () => everywhere(second)));
      });

      expect(await kept()).toMatchObject({ status: 200, fingerprint: fingerprintOf(first) });
      expect((await client.query('SELECT 2 AS n')).rows).toEqual([{ n: 2 }]);
      await client.end();
      agent.destroy();
      expect(await series('gateway_tls_certificate_stale')).toEqual([0, 0]);
      expect(await series('gateway_tls_reloads_total', 'result="replaced"')).toEqual([1, 1]);
      expect(await series('gateway_tls_reloads_total', 'result="refused"')).toEqual([1, 1]);
      const [end = 0] = await series('gateway_tls_certificate_end_timestamp_seconds');
      expect(new Date(end * 1000)).toEqual(new Date(new X509Certificate(second.cert).validTo));
    });

    it('keeps what it has when a file is broken or gone, says so, and goes on when it is mended', async () => {
      await writeFile(files.key, '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n');
      await gateway.says('cannot be used: TLS_KEY is no private key in PEM');
      expect(await served()).toEqual(everywhere(second));
      await rm(files.key);
      await gateway.says('cannot be used: ENOENT');
      expect(await served()).toEqual(everywhere(second));
      await writeFile(files.key, second.key, { mode: 0o600 });
      await gateway.says('The files of the TLS certificate can be used again');
      await until(async () => Math.max(...(await series('gateway_tls_certificate_stale'))) === 0);
      expect(gateway.stdout).not.toContain('canary');
    });

    it('warns of a key that every user of the machine may read', async () => {
      expect(gateway.stdout).not.toContain('may read TLS_KEY_FILE');
      await writeFile(files.key, third.key);
      await chmod(files.key, 0o644);
      await writeFile(files.cert, third.cert);
      await gateway.says('Every user of this machine may read TLS_KEY_FILE (mode 644): chmod 600 it');
    });

    it('stops with open handshakes and idle connections', async () => {
      const idle = connect({ host: '127.0.0.1', port: ports.rest, rejectUnauthorized: false });
      await once(idle, 'secureConnect');
      idle.on('error', () => undefined);
      expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    });
  });

  describeProcesses('of a gateway with one process', ({ folder, production }) => {
    it('leaves ports alone that are not listed, and stops with a handshake that never goes on', async () => {
      const pair = makeCertificate();
      const metrics = await freePort();
      const rest = Number(production.variables['PORT']);
      const gateway = await GatewayProcess.start({
        ...production.variables,
        DATA_DIR: folder.path,
        METRICS_PORT: String(metrics),
        TLS_CERT: pair.cert,
        TLS_KEY: pair.key,
        TLS_PORTS: 'rest',
      });
      expect((await fetch(`http://127.0.0.1:${metrics}/metrics`)).status).toBe(200);
      const secured = connect({ host: '127.0.0.1', port: rest, ca: pair.cert });
      await once(secured, 'secureConnect');
      secured.on('error', () => undefined);
      const silent = await RawClient.connect(rest);
      expect(await gateway.stop()).toEqual({ code: 0, signal: null });
      expect(await silent.untilEnd()).toHaveLength(0);
    });
  });
});
