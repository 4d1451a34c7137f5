// Steps that test/client/generated-clients.clients-spec.ts requires of every client.
import {
  AccessRequestsApi,
  AuditApi,
  AuthenticationApi,
  Configuration,
  type ConnectionBody,
  ConnectionsApi,
  ErrorBodyFromJSON,
  GuardRailsApi,
  MachineIdentitiesApi,
  ResponseError,
  ReviewsApi,
  SessionsApi,
} from './generated/index';

const given = process.env as Record<string, string>;

const signedIn = (accessToken: string) => new Configuration({ basePath: given['GATEWAY_API'], accessToken });

/** The gateway's error for a refused call: the status, and the message of the typed body. */
async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    return `not refused: ${JSON.stringify(await call)}`;
  } catch (fault) {
    const { response } = fault as ResponseError;
    return `${response.status} ${ErrorBodyFromJSON(await response.json()).message}`;
  }
}

async function journey(): Promise<object> {
  const name = given['NAME']!;
  const key = await new MachineIdentitiesApi(signedIn(given['GATEWAY_TOKEN']!)).createApiKey({
    apiKeyBody: { name, groups: ['admin'] },
  });
  const configuration = signedIn(key.key);
  const authentication = new AuthenticationApi(configuration);
  const connections = new ConnectionsApi(configuration);
  const sessions = new SessionsApi(configuration);
  const guardrails = new GuardRailsApi(configuration);
  const rules = new AccessRequestsApi(configuration);
  const me = await authentication.getUserInfo();
  const told: Record<string, unknown> = {
    me: `${me.identityType} ${me.role}`,
    catalog: (await connections.listMcpCatalog()).length > 0,
  };
  const secret = Object.fromEntries(given['TARGET']!.split(' ').map((pair) => pair.split(/=(.*)/, 2)));
  const connectionBody = {
    name,
    type: 'database',
    subtype: 'postgres',
    secret,
    accessGroups: ['*'],
    recordResults: true,
  } satisfies ConnectionBody;
  const connection = await connections.createConnection({ connectionBody });
  told['connection'] = connection.name;
  told['conflict'] = await refusal(connections.createConnection({ connectionBody }));
  told['listed'] = (await connections.listConnections({ search: name })).pages.total;
  const { raw } = await connections.getConnectionRaw({ nameOrID: name });
  const ifMatch = raw.headers.get('etag') ?? '';
  const change = (description: string) =>
    connections.patchConnection({ nameOrID: name, ifMatch, connectionPatchBody: { description } });
  const updated = await change('changed');
  told['updated'] = updated.description;
  told['kept'] = updated.recordResults;
  told['stale'] = await refusal(change('lost'));
  await guardrails.createGuardRail({
    guardrailBody: {
      name,
      input: { rules: [{ type: 'deny_words_list', words: ['DROP TABLE'], patternRegex: '' }] },
      connectionIds: [connection.id],
    },
  });
  told['missing'] = await refusal(guardrails.getGuardRail({ id: '00000000-0000-4000-8000-000000000000' }));

  const rule = { name, accessType: 'jit' as const, connectionNames: [name] };
  told['refused'] = await refusal(rules.createAccessRequestRule({ accessRuleBody: rule }));
  await rules.createAccessRequestRule({
    accessRuleBody: { ...rule, reviewersGroups: ['dba'], minApprovals: 1, accessMaxDuration: 600 },
  });
  told['rule'] = (await rules.getAccessRequestRule({ name })).accessMaxDuration;
  await rules.deleteAccessRequestRule({ name });

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
  // Reads the audit log, because its lines contain values of every type.
  await new AuditApi(configuration).listAuditLogs();

  await connections.deleteConnection({ nameOrID: name });
  told['gone'] = await refusal(connections.getConnection({ nameOrID: name }));
  await new MachineIdentitiesApi(configuration).revokeApiKey({ id: key.id });
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
