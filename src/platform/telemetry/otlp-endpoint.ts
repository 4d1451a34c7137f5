import type { TelemetrySettings } from '../config/groups';

/** URL and headers for one signal: logs or traces. */
export interface OtlpEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The endpoint for log records; undefined: nothing is sent. */
export function logsEndpoint(settings: TelemetrySettings): OtlpEndpoint | undefined {
  const { logsExporter, logsEndpoint: whole, logsHeaders } = settings;
  return logsExporter === 'none' ? undefined : endpointOf(settings, 'logs', whole, logsHeaders);
}

/** The endpoint for spans; undefined: nothing is traced. */
export function tracesEndpoint(settings: TelemetrySettings): OtlpEndpoint | undefined {
  const { tracesExporter, tracesEndpoint: whole, tracesHeaders } = settings;
  return tracesExporter === 'none' ? undefined : endpointOf(settings, 'traces', whole, tracesHeaders);
}

/**
 * Follows the specification of OTLP exporters. An endpoint that is set for the signal is used unchanged;
 * otherwise `v1/<signal>` is added to the base URL. Headers that are set for the signal have priority.
 */
function endpointOf(
  { isDisabled, endpoint, headers }: TelemetrySettings,
  signal: 'logs' | 'traces',
  whole: string | undefined,
  ownHeaders: Readonly<Record<string, string>> | undefined,
): OtlpEndpoint | undefined {
  if (isDisabled) return undefined;
  const below = endpoint === undefined ? undefined : `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
  const address = whole ?? below;
  return address === undefined
    ? undefined
    : { url: new URL(address), headers: { ...headers, ...ownHeaders } };
}
