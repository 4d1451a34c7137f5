// What test/client/generated-clients.clients-spec.ts asks of every client.
import { isAxiosError } from 'axios';
import {
  AuditApi,
  Configuration,
  ConnectionsApi,
  GuardRailsApi,
  ReviewsApi,
  SessionsApi,
} from './generated/index';

const given = process.env as Record<string, string>;

async function journey(): Promise<object> {
  const configuration = new Configuration({
    basePath: given['GATEWAY_API'],
    accessToken: given['GATEWAY_TOKEN'],
  });
  const connections = new ConnectionsApi(configuration);
  const sessions = new SessionsApi(configuration);
  const guardrails = new GuardRailsApi(configuration);
  const told: Record<string, unknown> = { catalog: (await connections.listMcpCatalog()).data.length > 0 };
  const name = given['NAME']!;
  const secret = Object.fromEntries(given['TARGET']!.split(' ').map((pair) => pair.split(/=(.*)/, 2)));
  const { data: connection } = await connections.createConnection({
    name,
    type: 'database',
    subtype: 'postgres',
    secret,
    access_groups: ['*'],
  });
  told['connection'] = connection.name;
  await guardrails.createGuardRail({
    name,
    input: { rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], pattern_regex: '' }] },
    connection_ids: [connection.id],
  });
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
  // The audit log has values of every type.
  await new AuditApi(configuration).listAuditLogs();
  try {
    await guardrails.getGuardRail('00000000-0000-4000-8000-000000000000');
  } catch (fault) {
    if (isAxiosError(fault))
      told['error'] = `${fault.response?.status} ${JSON.stringify(fault.response?.data)}`;
  }
  return told;
}

journey().then(
  (told) => console.log(JSON.stringify(told)),
  (fault) => {
    console.error(fault);
    process.exitCode = 1;
  },
);
