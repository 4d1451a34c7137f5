import { eventually } from '../../../test/support/eventually';
import { OtlpReceiver } from '../../../test/support/siem/otlp-receiver';
import { readEnvironment } from '../config/environment';
import { completeSettings } from '../config/settings';
import { currentSpan, inSpan, runIn } from '../../kernel/runtime/spans';
import { tracesEndpoint } from './otlp-endpoint';
import { OtlpSender } from './otlp-sender';
import { Tracing } from './tracing';

const provided = {
  DATABASE_URL: 'postgres://x/y',
  IDP_ISSUER: 'http://i',
  IDP_CLIENT_ID: 'c',
  SECRET_KEY: [],
};

describe('spans', () => {
  let receiver: OtlpReceiver;
  let outcomes: string[];
  beforeEach(async () => {
    outcomes = [];
    receiver = await OtlpReceiver.start();
  });
  afterEach(async () => {
    await receiver.close();
    expect(receiver.faults).toEqual([]);
  });

  const tracing = (environment: Record<string, string> = {}): Tracing => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment };
    const { telemetry } = completeSettings(readEnvironment(given), provided);
    const endpoint = tracesEndpoint(telemetry);
    if (endpoint === undefined) throw new Error('there is no endpoint');
    return new Tracing(telemetry, {
      sender: new OtlpSender(endpoint, telemetry, ['127.0.0.1']),
      sent: (count) => outcomes.push(`${count} sent`),
      lost: (count, why) => outcomes.push(`${count} lost: ${why}`),
    });
  };

  const caller = (flags: string): { traceparent: string } => ({
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-${flags}`,
  });

  // promises: TRACE-5
  it.each([
    ['parentbased_always_on', '1', undefined, 1],
    ['parentbased_always_on', '1', '00', 0],
    ['parentbased_always_off', '1', undefined, 0],
    ['parentbased_always_off', '1', '01', 1],
    ['parentbased_traceidratio', '0', undefined, 0],
    ['parentbased_traceidratio', '0', '01', 1],
    ['traceidratio', '0', '01', 0],
    ['traceidratio', '1', '00', 1],
    ['always_on', '1', '00', 1],
  ])('are sampled by %s %s, with the flags %s of the caller: %d', async (sampler, arg, flags, count) => {
    const traces = tracing({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg });
    const span = traces.begin(flags === undefined ? {} : caller(flags), 'GET');
    expect(span.traceparent).toMatch(count === 1 ? /-01$/ : /-00$/);
    if (flags !== undefined) expect(span.traceId).toBe('a'.repeat(32));
    runIn(span, () => inSpan('gateway.access', {}, () => expect(currentSpan()?.traceId).toBe(span.traceId)));
    span.end();
    await traces.stop();
    expect(receiver.spans).toHaveLength(2 * count);
  });

  it.each(['http/protobuf', 'http/json'])(
    'belong to the work in which they began, and end with it (%s)',
    async (protocol) => {
      const traces = tracing({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
      const request = traces.begin({}, 'GET');
      await runIn(request, async () => {
        const failing = inSpan('gateway.access', {}, async () => {
          await inSpan('gateway.record', {}, () =>
            Promise.resolve(currentSpan()?.note({ 'gateway.verdict': 'pass' })),
          );
          throw new TypeError('canary');
        });
        await expect(failing).rejects.toThrow('canary');
      });
      request.end();
      expect(currentSpan()).toBeUndefined();
      expect(inSpan('gateway.judge', {}, () => 1)).toBe(1);
      await traces.stop();
      const by = new Map(receiver.spans.map((span) => [span.name, span]));
      expect([...by.keys()].sort()).toEqual(['GET', 'gateway.access', 'gateway.record']);
      expect(by.get('gateway.access')).toMatchObject({
        parentId: by.get('GET')?.spanId,
        isError: true,
        attributes: { 'error.type': 'TypeError' },
      });
      expect(by.get('gateway.record')).toMatchObject({
        parentId: by.get('gateway.access')?.spanId,
        isError: false,
        attributes: { 'gateway.verdict': 'pass' },
      });
      expect(receiver.texts.join()).not.toContain('canary');
    },
  );

  // promises: TRACE-6
  it('are sent again where the collector may take them later, and dropped where it never will', async () => {
    const answers = [{ status: 503, headers: { 'retry-after': '0' } }, { status: 200 }, { status: 400 }];
    receiver.answering = () => answers.shift() ?? { status: 200 };
    const traces = tracing({ OTEL_BSP_SCHEDULE_DELAY: '10' });
    traces.begin({}, 'GET').end();
    await eventually('the first is taken', async () => outcomes.length === 1);
    traces.begin({}, 'PUT').end();
    await traces.stop();
    expect(outcomes).toEqual(['1 sent', '1 lost: the collector answered with status 400']);
    expect(receiver.spans.map(({ name }) => name)).toEqual(['GET']);
  });
});
