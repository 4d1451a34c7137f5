import { readEnvironment } from '../../../platform/config/environment';
import { completeSettings } from '../../../platform/config/settings';
import { OtlpReceiver } from '../../../../test/support/siem/otlp-receiver';
import { logsEndpoint } from '../../../platform/telemetry/otlp-endpoint';
import { NotTaken } from '../contract/destination';
import type { ExportedEvent } from '../contract/exported-event';
import { OtlpDestination } from './otlp-destination';

const provided = {
  DATABASE_URL: 'postgres://x/y',
  IDP_ISSUER: 'http://i',
  IDP_CLIENT_ID: 'c',
  SECRET_KEY: [],
};
const never = new AbortController().signal;
const HERE = ['127.0.0.1'];

const event: ExportedEvent = {
  id: 'an-id',
  position: 3,
  orgId: 'o',
  type: 'session.ended',
  at: new Date(1_700_000_000_123),
  severity: 'info',
  summary: 'a session ended',
  facts: { user: 'alice@example.com' },
  data: { nested: { list: [1, 'two', { three: null }], yes: true }, text: 'ü\u0000' },
};

describe('a collector', () => {
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    expect(receiver.faults).toEqual([]);
  });

  const destination = (more: Record<string, string> = {}, allowed = HERE): OtlpDestination => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      ...more,
    };
    const { telemetry } = completeSettings(readEnvironment(environment), provided);
    const endpoint = logsEndpoint(telemetry);
    if (endpoint === undefined) throw new Error('there is no endpoint');
    return new OtlpDestination(endpoint, telemetry, allowed);
  };

  // promises: SIEM-2
  it.each([
    ['http/protobuf', 'none', 'application/x-protobuf'],
    ['http/json', 'gzip', 'application/json'],
  ])('gets log records by %s, compressed by %s', async (protocol, compression, type) => {
    const to = destination({
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
    });
    expect(await to.send([event], never)).toEqual({ refused: 0 });
    expect(receiver.requests).toMatchObject([
      { path: '/v1/logs', headers: { 'x-key': 'a b', 'content-type': type } },
    ]);
    expect(receiver.records).toMatchObject([
      {
        id: 'an-id',
        position: 3,
        type: 'session.ended',
        severity: 9,
        time: '1700000000123000000',
        attributes: { 'gateway.user': 'alice@example.com', 'gateway.summary': 'a session ended' },
        body: { nested: { list: [1, 'two', { three: undefined }], yes: true }, text: 'ü\u0000' },
      },
    ]);
  });

  it.each([
    [503, { 'retry-after': '7' }, { pauseMs: 7_000, isTooMuch: false }],
    [401, {}, { pauseMs: 0, isTooMuch: false }],
    [413, {}, { pauseMs: 0, isTooMuch: true }],
    [302, { location: 'http://127.0.0.1/elsewhere' }, { pauseMs: 0, isTooMuch: false }],
  ])('that answers %d has not taken anything', async (status, headers, expected) => {
    receiver.answering = () => ({ status, headers, body: 'try later\n' });
    const failure = await destination()
      .send([event], never)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotTaken);
    expect(failure).toMatchObject({
      ...expected,
      message: expect.stringContaining(`${status}: try later`) as string,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('may say that it has refused some for good', async () => {
    // The body is ExportLogsServiceResponse { partial_success { rejected_log_records: 1, error_message: "x" }
    // }.
    receiver.answering = () => ({
      status: 200,
      body: Buffer.from([0x0a, 0x05, 0x08, 0x01, 0x12, 0x01, 0x78]),
    });
    expect(await destination().send([event, event], never)).toEqual({ refused: 1 });
  });

  it.each([
    ['http/json', '{"partialSuccess":{"rejectedLogRecords":"1"}}', 1],
    ['http/json', '{"partialSuccess":{"rejectedLogRecords":7}}', 2],
    ['http/json', '{"partialSuccess":{"rejectedLogRecords":-7}}', 0],
    ['http/json', 'OK', 0],
    ['http/json', 'null', 0],
    ['http/protobuf', 'OK', 0],
    ['http/protobuf', '{}', 0],
  ])(
    'that answers 200 has taken the batch, whatever else it says: %s, %s',
    async (protocol, body, refused) => {
      receiver.answering = () => ({ status: 200, body });
      const to = destination({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
      expect(await to.send([event, event], never)).toEqual({ refused });
    },
  );

  // promises: SIEM-8
  it('at a private address that is not named gets nothing', async () => {
    await expect(destination({}, []).send([event], never)).rejects.toThrow('is private');
    expect(receiver.connections).toBe(0);
  });

  it('that does not answer is not waited for longer than OTEL_EXPORTER_OTLP_TIMEOUT', async () => {
    receiver.answering = () => 'nothing';
    const sent = destination({ OTEL_EXPORTER_OTLP_TIMEOUT: '200' }).send([event], never);
    await expect(sent).rejects.toThrow('within 200 ms');
  });
});
