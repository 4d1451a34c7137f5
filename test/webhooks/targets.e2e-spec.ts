import dns from 'node:dns/promises';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { DataSource } from 'typeorm';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { withSettings } from '../support/settings';
import { describeWith, makeCertificate } from '../support/tls';
import { WebhookReceiver, subscribe } from '../support/webhook-receiver';

type Found = Awaited<ReturnType<typeof dns.lookup>>[];

/** A public address that no host uses, because it is reserved for documentation (RFC 5737). */
const PUBLIC = { address: '203.0.113.7', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const NAME = 'hooks.example.com';
const ALLOWED = 'allowed.example.com';
/** Settings with a short time-out, because a public address that no host uses never answers. */
const BRIEFLY = { webhooks: { timeoutSeconds: 1 } };

const SETTINGS = {
  environment: {
    WEBHOOK_ALLOWED_HOSTS: ALLOWED,
    WEBHOOK_RETRY_SECONDS: '3600',
  },
};

/** Targets to which webhooks are sent, and refused targets. Each test sets the addresses of host names. */
describeGateway('the target of a webhook', SETTINGS, ({ gateway }) => {
  let bystander: Server;
  let connections: number;
  let port: number;
  let asked: string[];
  let answers: Found[];

  beforeAll(async () => {
    bystander = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => bystander.listen(0, '127.0.0.1', listening));
    port = (bystander.address() as AddressInfo).port;
  });

  beforeEach(() => {
    [connections, asked, answers] = [0, [], []];
    const known = dns.lookup;
    jest.spyOn(dns, 'lookup').mockImplementation((async (host: string, options: object) => {
      if (!host.endsWith('.example.com')) return known(host, options);
      asked.push(host);
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    }) as typeof dns.lookup);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    bystander.close();
  });

  /** Sends a test message to the URL. Returns the result of the first attempt. */
  const attempt = async (url: string): Promise<{ state: string; error: string | null }> => {
    const { id } = await subscribe(gateway, url, ['session.ended']);
    await gateway.call('admin', 'POST', `/webhooks/${id}/test`);
    const tried = await eventually('it was tried', async () => {
      const [found] = (await gateway.call('admin', 'GET', `/webhooks/${id}/deliveries`)).body.data;
      return (found.state !== 'pending' || found.last_error !== null) && found;
    });
    await gateway.call('admin', 'DELETE', `/webhooks/${id}`);
    return { state: tried.state, error: tried.last_error };
  };

  const REFUSED =
    'The gateway does not connect to this address: the address of its host is private. To allow it, add its host to WEBHOOK_ALLOWED_HOSTS.';

  // promises: WEBHOOK-5
  it.each([
    ['a private address', [LOOPBACK]],
    ['a private address beside a public one', [PUBLIC, LOOPBACK]],
    ['the address of the cloud’s metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['a private address, mapped', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ])('is refused when its name stands for %s', async (_, found) => {
    answers = [found];
    expect((await attempt(`https://${NAME}:${port}/`)).error).toBe(REFUSED);
    expect(connections).toBe(0);
  });

  it('is refused when it is the gateway’s own machine by name', async () => {
    expect((await attempt(`https://localhost:${port}/`)).error).toBe(REFUSED);
    expect(connections).toBe(0);
  });

  // promises: WEBHOOK-5
  it('is the checked address, even if the name then resolves differently', async () => {
    answers = [[PUBLIC], [LOOPBACK]];
    const { error } = await withSettings(gateway, BRIEFLY, () => attempt(`https://${NAME}:${port}/`));
    expect(error).toMatch(/^(There was no answer within 1 s|The endpoint could not be reached \(\w+\))\.$/);
    expect(asked).toEqual([NAME]);
    expect(connections).toBe(0);
  });

  it('is checked at each attempt: an address that became private is refused', async () => {
    answers = [[PUBLIC], [LOOPBACK]];
    const { id } = await subscribe(gateway, `https://${NAME}:${port}/`, ['session.ended']);
    await withSettings(gateway, BRIEFLY, async () => {
      await gateway.call('admin', 'POST', `/webhooks/${id}/test`);
      await eventually('an hour has passed', async () => {
        const [, changed] = await gateway.app
          .get(DataSource)
          .query(
            'UPDATE webhook_deliveries SET next_attempt_at = now() WHERE webhook_id = $1 AND lease IS NULL AND attempts = 1',
            [id],
          );
        return changed === 1;
      });
    });
    const dead = await eventually('it is dead', async () => {
      const [found] = (await gateway.call('admin', 'GET', `/webhooks/${id}/deliveries?state=dead`)).body.data;
      return found !== undefined && found;
    });
    expect([dead.attempts, dead.last_error, asked, connections]).toEqual([2, REFUSED, [NAME, NAME], 0]);
    await gateway.call('admin', 'DELETE', `/webhooks/${id}`);
  });

  it('may be private and without TLS if the setting lists its host', async () => {
    const receiver = await WebhookReceiver.start();
    answers = [[LOOPBACK], [PUBLIC]];
    const url = receiver.url.replace('127.0.0.1', ALLOWED);
    expect(await attempt(url)).toEqual({ state: 'delivered', error: null });
    expect(receiver.received[0]?.headers.host).toBe(new URL(url).host);
    expect(asked).toEqual([ALLOWED]);
    await receiver.close();
  });

  describeWith('openssl')('over TLS', () => {
    it('must have a valid certificate', async () => {
      let requests = 0;
      const server = createSecureServer(makeCertificate(), (_, response) => {
        requests += 1;
        response.end();
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      answers = [[LOOPBACK]];
      const { error } = await attempt(`https://${ALLOWED}:${(server.address() as AddressInfo).port}/`);
      expect(error).toBe('The endpoint could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT).');
      expect(requests).toBe(0);
      server.close();
    });
  });
});
