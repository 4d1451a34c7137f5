import type { CompleteBody } from './catalog-connection';

/** The fields of a body, except the secret and the bindings; absent fields get their defaults. */
export function fieldsOf(body: CompleteBody) {
  return {
    name: body.name,
    type: body.type,
    subtype: body.subtype,
    description: body.description ?? '',
    tags: body.connection_tags ?? {},
    attributes: [...new Set(body.attributes)],
    accessGroups: [...new Set(body.access_groups)],
    emergencyAccessGroups: [...new Set(body.emergency_access_groups)],
    accessModeConnect: body.access_mode_connect ?? 'enabled',
    accessModeExec: body.access_mode_exec ?? 'enabled',
    accessModeRunbooks: body.access_mode_runbooks ?? 'enabled',
    accessSchema: body.access_schema ?? 'enabled',
    resourceName: body.resource_name ?? '',
    recording: body.recording ?? 'on',
    recordingMode: body.recording_mode ?? null,
    retentionDays: body.retention_days ?? null,
    recordResults: body.record_results ?? false,
  };
}
