import type { TelemetrySettings } from '../config/groups';

/** Where log records are sent. */
export interface OtlpEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The endpoint for log records, by the rules of the OTLP exporter's specification: its own URL is used as it is, `v1/logs` is added to
 * the base URL, and its own headers win. undefined: nothing is sent.
 */
export function logsEndpoint(settings: TelemetrySettings): OtlpEndpoint | undefined {
  const { isDisabled, logsExporter, endpoint, headers, logsHeaders } = settings;
  if (isDisabled || logsExporter === 'none') return undefined;
  const below = endpoint === undefined ? undefined : `${endpoint.replace(/\/+$/, '')}/v1/logs`;
  const address = settings.logsEndpoint ?? below;
  return address === undefined
    ? undefined
    : { url: new URL(address), headers: { ...headers, ...logsHeaders } };
}
