// Compiled and run by test/client/hey-api.e2e-spec.ts, beside the client that is generated into ./generated.
import { client } from './generated/client.gen';
import {
  createAccessRequestRule,
  createApiKey,
  createAttribute,
  createConnection,
  createGroup,
  createGuardRail,
  createUser,
  deleteAccessRequestRule,
  deleteAttribute,
  deleteConnection,
  deleteGroup,
  deleteGuardRail,
  deleteUser,
  getAccessRequestRule,
  getApiKey,
  getAttribute,
  getConnection,
  getGuardRail,
  getUser,
  listApiKeys,
  listGroups,
  patchConnection,
  revokeApiKey,
  updateAccessRequestRule,
  updateAttribute,
  updateConnection,
  updateGuardRail,
  updateUser,
} from './generated';
import type { ErrorBody, GuardrailBody } from './generated';

/** Results for one resource: a field as read, the changed fields, and the HTTP status of the deletion. */
export interface Life {
  read: unknown;
  changed: unknown;
  end: number | undefined;
}

/** Creates, reads, changes and deletes each resource. */
export async function journey(baseUrl: string, auth: string): Promise<Record<string, Life>> {
  client.setConfig({ baseUrl, auth });
  return {
    guardrail: await guardrail(),
    accessRule: await accessRule(),
    connection: await connection(),
    attribute: await attribute(),
    user: await user(),
    group: await group(),
    apiKey: await apiKey(),
  };
}

/** The gateway's error for a refused request. */
export async function refusal(id: string): Promise<ErrorBody | undefined> {
  return (await getGuardRail({ path: { id } })).error;
}

async function guardrail(): Promise<Life> {
  const body: GuardrailBody = {
    name: 'no-drops',
    input: { rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], pattern_regex: '' }] },
  };
  const created = await createGuardRail({ body, throwOnError: true });
  const path = { id: created.data.id };
  const headers = { 'If-Match': created.response.headers.get('etag') ?? '' };
  const read = await getGuardRail({ path });
  const changed = await updateGuardRail({ path, headers, body: { ...body, description: 'changed' } });
  const gone = await deleteGuardRail({ path });
  return { read: read.data?.name, changed: changed.data?.description, end: gone.response?.status };
}

async function accessRule(): Promise<Life> {
  const body = {
    name: 'prod',
    access_type: 'jit' as const,
    reviewers_groups: ['dba'],
    min_approvals: 1,
    attributes: ['pii'],
  };
  const path = { name: (await createAccessRequestRule({ body, throwOnError: true })).data.name };
  const read = await getAccessRequestRule({ path });
  const changed = await updateAccessRequestRule({ path, body: { ...body, access_max_duration: 600 } });
  const gone = await deleteAccessRequestRule({ path });
  return { read: read.data?.name, changed: changed.data?.access_max_duration, end: gone.response?.status };
}

async function connection(): Promise<Life> {
  const kind = { name: 'orders', type: 'database' as const, subtype: 'postgres' as const };
  const secret = { HOST: '127.0.0.1', PORT: '5432', USER: 'app', PASS: 'secret', DB: 'orders' };
  const created = await createConnection({ body: { ...kind, secret }, throwOnError: true });
  const path = { nameOrID: created.data.id };
  const read = await getConnection({ path });
  await updateConnection({ path, body: { ...kind, secret, description: 'replaced' } });
  const changed = await patchConnection({ path, body: { access_groups: ['dba'] } });
  const gone = await deleteConnection({ path });
  return {
    read: read.data?.name,
    changed: [changed.data?.description, changed.data?.access_groups],
    end: gone.response?.status,
  };
}

async function attribute(): Promise<Life> {
  const path = { name: 'secret stuff/1' };
  await createAttribute({ body: path, throwOnError: true });
  const read = await getAttribute({ path });
  const changed = await updateAttribute({ path, body: { description: 'changed' } });
  const gone = await deleteAttribute({ path });
  return { read: read.data?.name, changed: changed.data?.description, end: gone.response?.status };
}

async function user(): Promise<Life> {
  const path = { id: 'idp|1' };
  await createUser({ body: { ...path, email: 'grace@example.com' }, throwOnError: true });
  const read = await getUser({ path });
  const changed = await updateUser({ path, body: { status: 'inactive', groups: ['dba'] } });
  const gone = await deleteUser({ path });
  return {
    read: read.data?.id,
    changed: [changed.data?.status, changed.data?.groups],
    end: gone.response?.status,
  };
}

async function group(): Promise<Life> {
  const body = { name: 'night shift', description: 'at night' };
  const created = await createGroup({ body, throwOnError: true });
  const read = (await listGroups()).data?.data.find(({ name }) => name === created.data.name);
  const gone = await deleteGroup({ path: { name: body.name } });
  // The API cannot change a group.
  return { read: read?.name, changed: undefined, end: gone.response?.status };
}

async function apiKey(): Promise<Life> {
  const created = await createApiKey({ body: { name: 'nightly', groups: ['auditor'] }, throwOnError: true });
  const path = { id: created.data.id };
  const read = await getApiKey({ path });
  const gone = await revokeApiKey({ path });
  const [revoked] = (await listApiKeys({ query: { page_size: 1 } })).data?.data ?? [];
  return { read: read.data?.name, changed: revoked?.status, end: gone.response?.status };
}
