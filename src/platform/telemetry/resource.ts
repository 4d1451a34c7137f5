import type { TelemetrySettings } from '../config/groups';
import { API_VERSION } from '../config/api-version';

/** What all log records of this gateway say of where they come from. */
export function resourceAttributes({
  serviceName,
  resourceAttributes: given,
}: TelemetrySettings): Record<string, string> {
  return { 'service.version': API_VERSION, ...given, 'service.name': serviceName };
}
