// What test/client/generated-clients.clients-spec.ts asks of every client.
import {
  AuditApi,
  Configuration,
  ConnectionsApi,
  GuardRailsApi,
  ResponseError,
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
  const told: Record<string, unknown> = { catalog: (await connections.listMcpCatalog()).length > 0 };
  const name = given['NAME']!;
  const secret = Object.fromEntries(given['TARGET']!.split(' ').map((pair) => pair.split(/=(.*)/, 2)));
  const connection = await connections.createConnection({
    connectionBody: { name, type: 'database', subtype: 'postgres', secret, accessGroups: ['*'] },
  });
  told['connection'] = connection.name;
  await guardrails.createGuardRail({
    guardrailBody: {
      name,
      input: { rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], patternRegex: '' }] },
      connectionIds: [connection.id],
    },
  });
  const run = (script: string) => sessions.createSession({ execBody: { connection: name, script } });
  told['blocked'] = (await run('DROP TABLE customers')).outputStatus;
  const { sessionId, output } = await run('SELECT 1 AS one');
  told['output'] = output;
  told['plain'] = (await sessions.getSession({ sessionId, expand: ['event_stream'] })).eventStream;
  for (const eventStream of ['utf8', 'base64', 'raw-queries'] as const) {
    told[eventStream] = (await sessions.getSession({ sessionId, eventStream })).eventStream;
  }
  told['unreviewed'] = (await sessions.getSession({ sessionId })).review;
  const review = await new ReviewsApi(configuration).getReview({ id: given['REVIEW']! });
  told['review'] = `${review.status} ${review.reviewGroupsData[0]?.reviewedBy}`;
  const waiting = await sessions.getSession({ sessionId: review.sessionId ?? '' });
  told['waiting'] = `${waiting.review?.status} ${waiting.script?.data}`;
  // The audit log has values of every type.
  await new AuditApi(configuration).listAuditLogs();
  try {
    await guardrails.getGuardRail({ id: '00000000-0000-4000-8000-000000000000' });
  } catch (fault) {
    const { response } = fault as ResponseError;
    told['error'] = `${response.status} ${await response.text()}`;
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
