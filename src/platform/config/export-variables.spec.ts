import { join } from 'node:path';
import { ConfigurationError, readEnvironment } from './environment';

function faultsIn(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('where events are exported to', () => {
  const folder = join(__dirname, 'no-such-folder');

  it('is read as the standard has it', () => {
    expect(
      readEnvironment({
        SYSLOG_URL: 'TLS://SIEM.example.com',
        OTEL_RESOURCE_ATTRIBUTES: 'a=1, b = x%20y',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      }),
    ).toMatchObject({
      SYSLOG_URL: { isTls: true, host: 'siem.example.com', port: 6514 },
      OTEL_RESOURCE_ATTRIBUTES: { a: '1', b: 'x y' },
      OTEL_SERVICE_NAME: 'access-gateway',
    });
    expect(readEnvironment({ SYSLOG_URL: 'tcp://[::1]:601' }).SYSLOG_URL).toEqual({
      isTls: false,
      host: '::1',
      port: 601,
    });
  });

  it.each([
    [{ SYSLOG_URL: 'udp://siem.example.com:514' }, /^SYSLOG_URL: must look like tls:/],
    [{ SYSLOG_URL: 'tls://siem.example.com:66000' }, /^SYSLOG_URL: must look like/],
    [{ SYSLOG_URL: 'tcp://siem.example.com:514' }, /^SYSLOG_URL: must be tls:.*EXPORT_ALLOWED_HOSTS/],
    [{ SYSLOG_CERT: 'x' }, /^SYSLOG_CERT and SYSLOG_KEY: one is missing/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.example.com' },
      /^OTEL_EXPORTER_OTLP_ENDPOINT: must be https/,
    ],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /gRPC is not spoken/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'canary' }, /^OTEL_EXPORTER_OTLP_HEADERS: must be pairs/],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: folder }, /^OTEL_EXPORTER_OTLP_CERTIFICATE: .*ENOENT/],
  ])('cannot be %j', (environment, fault) => {
    expect(faultsIn(environment)).toEqual([expect.stringMatching(fault)]);
    expect(faultsIn(environment).join()).not.toContain('canary');
  });

  it('may be named hosts without TLS', () => {
    const named = { EXPORT_ALLOWED_HOSTS: 'siem.example.com,otel.example.com' };
    expect(faultsIn({ ...named, SYSLOG_URL: 'tcp://siem.example.com:514' })).toEqual([]);
    expect(faultsIn({ ...named, OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://otel.example.com/x' })).toEqual([]);
  });
});
