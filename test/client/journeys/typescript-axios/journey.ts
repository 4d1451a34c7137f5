// Steps that test/client/generated-clients.clients-spec.ts requires of every client.
import { isAxiosError } from 'axios';
import {
  AccessRequestsApi,
  AuditApi,
  AuthenticationApi,
  Configuration,
  type ConnectionBody,
  ConnectionsApi,
  type ErrorBody,
  GuardRailsApi,
  MachineIdentitiesApi,
  ReviewsApi,
  SessionsApi,
} from './generated/index';

const given = process.env as Record<string, string>;

const signedIn = (accessToken: string) => new Configuration({ basePath: given['GATEWAY_API'], accessToken });

/** The gateway's error for a refused call: the status, and the message of the typed body. */
async function refusal(call: Promise<{ data: unknown }>): Promise<string> {
  try {
    return `not refused: ${JSON.stringify((await call).data)}`;
  } catch (fault) {
    if (!isAxiosError<ErrorBody>(fault)) throw fault;
    return `${fault.response?.status} ${fault.response?.data.message}`;
  }
}

async function journey(): Promise<object> {
  const name = given['NAME']!;
  const { data: key } = await new MachineIdentitiesApi(signedIn(given['GATEWAY_TOKEN']!)).createApiKey({
    name,
    groups: ['admin'],
  });
  const configuration = signedIn(key.key);
  const authentication = new AuthenticationApi(configuration);
  const connections = new ConnectionsApi(configuration);
  const sessions = new SessionsApi(configuration);
  const guardrails = new GuardRailsApi(configuration);
  const rules = new AccessRequestsApi(configuration);
  const { data: me } = await authentication.getUserInfo();
  const told: Record<string, unknown> = {
    me: `${me.identity_type} ${me.role}`,
    catalog: (await connections.listMcpCatalog()).data.length > 0,
  };
  const secret = Object.fromEntries(given['TARGET']!.split(' ').map((pair) => pair.split(/=(.*)/, 2)));
  const body: ConnectionBody = {
    name,
    type: 'database',
    subtype: 'postgres',
    secret,
    access_groups: ['*'],
    record_results: true,
  };
  const { data: connection } = await connections.createConnection(body);
  told['connection'] = connection.name;
  told['conflict'] = await refusal(connections.createConnection(body));
  told['listed'] = (await connections.listConnections(1, 10, name)).data.pages.total;
  const { headers } = await connections.getConnection(name);
  const change = (description: string) =>
    connections.patchConnection(name, { description }, String(headers['etag']));
  const { data: updated } = await change('changed');
  told['updated'] = updated.description;
  told['kept'] = updated.record_results;
  told['stale'] = await refusal(change('lost'));
  await guardrails.createGuardRail({
    name,
    input: { rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], pattern_regex: '' }] },
    connection_ids: [connection.id],
  });
  told['missing'] = await refusal(guardrails.getGuardRail('00000000-0000-4000-8000-000000000000'));

  const rule = { name, access_type: 'jit' as const, connection_names: [name] };
  told['refused'] = await refusal(rules.createAccessRequestRule(rule));
  await rules.createAccessRequestRule({
    ...rule,
    reviewers_groups: ['dba'],
    min_approvals: 1,
    access_max_duration: 600,
  });
  told['rule'] = (await rules.getAccessRequestRule(name)).data.access_max_duration;
  await rules.deleteAccessRequestRule(name);

  const run = async (script: string) => (await sessions.createSession({ connection: name, script })).data;
  told['blocked'] = (await run('DROP TABLE customers')).output_status;
  const { session_id: id, output } = await run('SELECT 1 AS one');
  told['output'] = output;
  const read = async (form?: 'utf8' | 'base64' | 'raw-queries', expand?: 'event_stream'[]) =>
    (await sessions.getSession(id, undefined, undefined, form, undefined, expand)).data;
  told['plain'] = (await read(undefined, ['event_stream'])).event_stream;
  for (const form of ['utf8', 'base64', 'raw-queries'] as const) told[form] = (await read(form)).event_stream;
  told['unreviewed'] = (await read()).review;
  const { data: review } = await new ReviewsApi(configuration).getReview(given['REVIEW']!);
  told['review'] = `${review.status} ${review.review_groups_data[0]?.reviewed_by}`;
  const { data: waiting } = await sessions.getSession(review.session_id ?? '');
  told['waiting'] = `${waiting.review?.status} ${waiting.script?.data}`;
  // Reads the audit log, because its lines contain values of every type.
  await new AuditApi(configuration).listAuditLogs();

  await connections.deleteConnection(name);
  told['gone'] = await refusal(connections.getConnection(name));
  await new MachineIdentitiesApi(configuration).revokeApiKey(key.id);
  told['revoked'] = await refusal(authentication.getUserInfo());
  return told;
}

journey().then(
  (told) => console.log(JSON.stringify(told)),
  (fault) => {
    console.error(fault);
    process.exitCode = 1;
  },
);
