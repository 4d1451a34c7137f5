import type { TelemetrySettings } from '../config/groups';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';

/** Returns the resource attributes of this gateway, which all its log records and spans share. */
export function resourceAttributes({
  serviceName,
  resourceAttributes: given,
}: TelemetrySettings): Record<string, string> {
  return { 'service.version': PROGRAM_VERSION, ...given, 'service.name': serviceName };
}
