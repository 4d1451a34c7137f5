import type { TelemetrySettings } from '../config/groups';
import { PROGRAM_VERSION } from '../../kernel/runtime/program-version';

/** Attributes of this gateway's resource, which all its log records share. */
export function resourceAttributes({
  serviceName,
  resourceAttributes: given,
}: TelemetrySettings): Record<string, string> {
  return { 'service.version': PROGRAM_VERSION, ...given, 'service.name': serviceName };
}
