import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GuardrailsService } from '../../src/guardrails/rules/guardrails.service';
import { type ErrorStatus, errorExample, meanings } from '../../src/platform/http/routes/api-errors';
import { describeGateway } from '../support/describe';

const SETTINGS = { environment: { REQUEST_SECONDS: '1', FAILED_CREDENTIALS_PER_MINUTE: '1' } };
const UNKNOWN_ID = '/guardrails/00000000-0000-4000-8000-000000000000';

interface Caused {
  readonly status: number;
  readonly body: unknown;
}

/** The API description shows an example message for each error status. The gateway must send exactly it. */
describeGateway('the example of an error', SETTINGS, ({ gateway }) => {
  const guardrail = { name: 'customer data' };
  const admin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    gateway.call('admin', method, path, body, headers);

  /** Sends the bytes of a request, and reads until the gateway hangs up. */
  async function send(bytes: string): Promise<Caused> {
    const { hostname, port } = new URL(gateway.api);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as unknown };
  }
  const head = (...headers: string[]) =>
    ['GET /api/healthz HTTP/1.1', 'Host: gateway.example.com', 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    );

  /** Makes a service throw an error that occurs only if the gateway is broken or has no database. */
  function failing(error: Error): Promise<Caused> {
    jest.spyOn(gateway.app.get(GuardrailsService, { strict: false }), 'get').mockRejectedValueOnce(error);
    return admin('GET', UNKNOWN_ID);
  }

  const causes: Record<ErrorStatus, () => Promise<Caused>> = {
    400: () => admin('GET', '/guardrails/none'),
    401: () => gateway.call(null, 'GET', '/guardrails'),
    403: () => gateway.call('alice', 'POST', '/guardrails', guardrail),
    404: () => admin('GET', UNKNOWN_ID),
    405: () => admin('PATCH', '/guardrails', guardrail),
    408: () => send(head().slice(0, -4)),
    409: async () => {
      await admin('POST', '/guardrails', guardrail);
      return admin('POST', '/guardrails', guardrail);
    },
    412: async () => {
      const { body } = await admin('POST', '/guardrails', { name: 'changed' });
      return admin('PUT', `/guardrails/${body.id}`, { name: 'changed' }, { 'if-match': '"stale"' });
    },
    413: () => admin('POST', '/guardrails', { name: 'x'.repeat(1_100_000) }),
    415: () => admin('POST', '/guardrails', 'name', { 'content-type': 'text/plain' }),
    417: () => send(head('Expect: miracles')),
    422: () => admin('POST', '/guardrails', { name: '' }),
    429: async () => {
      const guess = () =>
        gateway.call(null, 'GET', '/userinfo', undefined, { authorization: 'Bearer gwk_guess' });
      await guess();
      return guess();
    },
    431: () => send(head(`a: ${'x'.repeat(20_000)}`)),
    500: () => failing(new Error('a fault of the gateway')),
    503: () => failing(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
  };

  it.each(Object.keys(meanings).map(Number) as ErrorStatus[])(
    '%i is what the gateway answers',
    async (status) => {
      const caused = await causes[status]();
      expect([caused.status, withoutSeconds(caused.body)]).toEqual([
        status,
        withoutSeconds(errorExample(status)),
      ]);
    },
  );
});

/** Replaces the number of seconds until the next attempt, because it varies. */
function withoutSeconds(body: unknown): string {
  return JSON.stringify(body).replace(/\d+ seconds/, 'N seconds');
}
