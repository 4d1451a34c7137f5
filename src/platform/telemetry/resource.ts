import type { TelemetrySettings } from '../config/groups';
import { API_VERSION } from '../config/api-version';

/** Attributes of this gateway's resource, which all its log records share. */
export function resourceAttributes({
  serviceName,
  resourceAttributes: given,
}: TelemetrySettings): Record<string, string> {
  return { 'service.version': API_VERSION, ...given, 'service.name': serviceName };
}
