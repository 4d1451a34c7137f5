import { readEnvironment } from '../config/environment';
import { completeSettings } from '../config/settings';
import { logsEndpoint, tracesEndpoint } from './otlp-endpoint';

const provided = {
  DATABASE_URL: 'postgres://x/y',
  IDP_ISSUER: 'http://i',
  IDP_CLIENT_ID: 'c',
  SECRET_KEY: [],
};

function endpointOf(environment: Record<string, string>, of = logsEndpoint) {
  const endpoint = of(completeSettings(readEnvironment(environment), provided).telemetry);
  return endpoint && { ...endpoint, url: endpoint.url.href };
}

describe('the endpoint of a collector', () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, 'http://localhost:4318/v1/logs'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example/otlp/' }, 'https://o.example/otlp/v1/logs'],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://o.example/in' }, 'https://o.example/in'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example', OTEL_LOGS_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example', OTEL_SDK_DISABLED: 'true' }, undefined],
  ])('of %j is %s', (environment, url) => {
    expect(endpointOf(environment)?.url).toBe(url);
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example/otlp' }, 'https://o.example/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://o.example/in' }, 'https://o.example/in'],
    [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://o.example/in' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example', OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example', OTEL_SDK_DISABLED: 'true' }, undefined],
  ])('for spans of %j is %s', (environment, url) => {
    expect(endpointOf(environment, tracesEndpoint)?.url).toBe(url);
  });

  it('gets the headers for all signals, and those of its own instead', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://o.example',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = 1',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x-tenant=2',
    };
    expect(endpointOf(environment)?.headers).toEqual({ authorization: 'Bearer a,b', 'x-tenant': '2' });
  });
});
