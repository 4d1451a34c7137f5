import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { PostgresProxySettings } from '../../src/platform/config/groups';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { ipv4Header } from '../support/proxy-header';
import { startTcpProxy } from '../support/tcp-proxy';

const CLIENT = '198.51.100.9';

function whyWithoutHaproxy(): string | undefined {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'haproxy is not installed here';
  }
}

describeDataPath(
  'PostgreSQL clients behind a load balancer',
  { environment: { PROXY_PROTOCOL_FROM: '127.0.0.1' } },
  ({ path, gateway }) => {
    const issued = async (): Promise<{ username: string; password: string }> => {
      const { body, status, text } = await gateway.call(
        'admin',
        'POST',
        '/connections/orders/credentials',
        {},
      );
      expect([status, text]).toEqual([201, expect.any(String)]);
      return body.connection_credentials;
    };
    const ask = async (port: number): Promise<void> => {
      const { username: user, password } = await issued();
      const client = new Client({ host: '127.0.0.1', port, user, password, database: 'orders' });
      await client.connect();
      expect((await client.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
      await client.end();
    };
    const lastAddress = async (): Promise<string> => {
      const { body } = await gateway.call('admin', 'GET', '/sessions?connection=orders');
      return body.data[0].labels.client_address as string;
    };
    const wirePort = (): number => gateway.app.get(PostgresProxySettings).port;

    it('are named in their sessions, and not the load balancer', async () => {
      let isFirst = true;
      const balancer = await startTcpProxy('127.0.0.1', wirePort(), {
        toTarget: (bytes) => {
          const sent = isFirst ? Buffer.concat([ipv4Header(CLIENT), bytes]) : bytes;
          isFirst = false;
          return sent;
        },
      });
      await ask(balancer.port);
      expect(await lastAddress()).toBe(CLIENT);
      await balancer.close();
    });

    const why = whyWithoutHaproxy();
    (why === undefined ? it : it.skip)(
      `are served through HAProxy with send-proxy-v2${why === undefined ? '' : ` (skipped: ${why})`}`,
      async () => {
        const port = await freePort();
        const folder = await mkdtemp(join(tmpdir(), 'gateway-haproxy-'));
        const file = join(folder, 'haproxy.cfg');
        const lines = [
          'defaults',
          '  mode tcp',
          '  timeout connect 5s',
          '  timeout client 1m',
          '  timeout server 1m',
          'frontend postgres',
          `  bind 127.0.0.1:${port}`,
          '  default_backend gateways',
          'backend gateways',
          `  server a 127.0.0.1:${wirePort()} check check-send-proxy send-proxy-v2`,
        ];
        await writeFile(file, `${lines.join('\n')}\n`);
        const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
        const gone = new Promise((resolve) => haproxy.once('close', resolve));
        const startTls = await path.countSessions();
        await eventually('HAProxy serves', () =>
          ask(port).then(
            () => true,
            () => false,
          ),
        );
        expect(await path.countSessions()).toBeGreaterThan(startTls);
        expect(await lastAddress()).toBe('127.0.0.1');
        haproxy.kill('SIGTERM');
        await gone;
        await rm(folder, { recursive: true });
      },
    );
  },
);
