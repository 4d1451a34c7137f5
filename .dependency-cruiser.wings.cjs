/**
 * The wings (folders) of `src`, lowest first, each with the other wings that it may import. `process` and
 * `commands` combine all wings. The picture is in src/README.md.
 */
const wings = {
  kernel: [],
  languages: ['kernel'],
  platform: ['kernel'],
  gate: ['kernel', 'languages'],
  targets: ['kernel', 'languages', 'platform', 'gate'],
  identity: ['kernel', 'platform', 'gate'],
  // Guardrails import only the attributes of `connections`, which join rules and connections but import
  // neither.
  guardrails: ['kernel', 'languages', 'platform', 'gate', 'targets', 'connections/attributes'],
  connections: ['kernel', 'platform', 'gate', 'targets', 'identity', 'guardrails'],
  approvals: ['kernel', 'platform', 'gate', 'identity', 'connections'],
  sessions: ['kernel', 'platform', 'gate', 'targets', 'identity', 'approvals'],
  access: [
    'kernel',
    'platform',
    'gate',
    'targets',
    'identity',
    'guardrails',
    'connections',
    'approvals',
    'sessions',
  ],
  mcp: ['kernel', 'platform', 'gate', 'targets', 'identity', 'connections'],
  proxies: ['kernel', 'languages', 'platform', 'gate', 'targets'],
  integrations: ['kernel', 'platform'],
  operations: [
    'kernel',
    'platform',
    'gate',
    'targets',
    'identity',
    'connections',
    'sessions',
    'mcp',
    'integrations',
  ],
};

/**
 * Wings that all higher wings may import completely. From `gate`, only `proxies` and `operations` may import
 * more than the ports.
 */
const ground = ['kernel', 'languages', 'platform'];

/**
 * The rooms (parts) of the wings with their doors, which are the files that other rooms may import. `*` means
 * every file. A file that is not a door can be changed without a look at other rooms.
 */
const rooms = {
  'targets/contract': '*',
  'targets/kinds.ts': '*',
  'targets/mcp': 'mcp-server|mcp-auth-mode|secret|upstream|protocol/[^/]+',
  'targets/ssh':
    'ssh|open-ssh|ssh-faults|run-script|client-policy|driver-parts|forwards/forward-(end|host|policy)',
  'targets/postgres':
    'postgres|ask-touched|on-catalog|postgres-faults|sign-in|start-up-packet|start-up-report|target-socket|target-tls|with-timeout',
  'identity/auth':
    'auth\\.module|credential\\.strategy|organization/(feature-events|organizations\\.service)|sign-in/(login-cookie|login\\.service|page-sign-in)|tokens/(failed-credentials|resource-tokens|scim-token-start)|users/(groups\\.service|principals|provisioned-access|sign-in-events)',
  'identity/issued-secrets': '*',
  'identity/scim': 'scim\\.module|endpoint/scim-endpoint',
  guardrails:
    'guardrails\\.module|engine/statement-reader|entries/rule-entry\\.dto|rules/(binding-events|guardrail-bindings|guardrail\\.dto|rule-inspector)',
  'connections/attributes': 'attributes\\.module|attribute-events|attributes\\.service',
  'connections/catalog': 'catalog\\.module|catalog-entries',
  'connections/kinds': 'connection-kinds\\.module',
  'connections/registry':
    'connections\\.module|connection-deleted|connection-states|connections\\.service|fields/access-groups',
  'approvals/access-rules': 'access-rules\\.module|access-rules\\.service',
  'approvals/reviews':
    'reviews\\.module|decisions/(emergencies|review-executions|reviews-of-connections|reviews-of-sessions)|filing/grant-reviews|pages/review-pages|requests/(request\\.dto|review-requests|review\\.dto|reviews\\.service)|steps/review-consequences|stream/review-readings',
  'sessions/format': '*',
  'sessions/journal': '*',
  'sessions/archive': 'archive\\.module|archived-chunks|archive-readings',
  'sessions/recording':
    'recording\\.module|session\\.entity|event-writer|gateway-pipeline|journal-replay|journaling-session-recorder|live-sessions|stored-sessions|recording-(reader|removed|store)',
  'sessions/ledger':
    'session-ledger\\.module|session-ledger|session-facts|sealed-approval|ledger-(anchors|check|database|entry|verification\\.(dto|service)|writer)',
  'sessions/search':
    'session-search\\.module|audited-searches|settled-counts|session-(list-query|search|words)',
  'sessions/list':
    'sessions\\.module|session-head|session\\.dto|visible-sessions|abandoned-sessions|connect-sessions|pending-sessions|session-closing',
  'sessions/evidence': 'session-evidence\\.module|files/(evidence-files|verify-command)',
  'sessions/reading': 'session-reading\\.module|recorded-texts|session/session\\.controller',
  'sessions/calls': 'session-calls\\.module',
  'sessions/retention': 'retention\\.module',
  access: 'access\\.module|policy/policy\\.module|review-context/review-context\\.module',
  'mcp/authorization-server':
    'authorization\\.module|authorization-endpoints|consent/(device-decisions|device-pages)|protocol/metadata',
  'mcp/tools': 'mcp-tools\\.module',
  'mcp/upstream-credentials': 'upstream-credentials\\.module|sign-in/(connect-endpoints|upstream-clients)',
  'proxies/kit': '*',
  'proxies/mcp':
    'mcp-proxy\\.module|endpoint|conversation|http/(arrival|cross-origin|refusals)|client/requesting-client|legacy/legacy-(client|sessions)|modern/modern-client|states/request-states|visits/(room|served-visit)',
  'proxies/own-tools': 'own-tools\\.module|own-tools-endpoint',
  'proxies/postgres': 'postgres-proxy\\.module',
  'proxies/scripts': 'exec\\.module',
  'proxies/ssh': 'ssh-proxy\\.module|terminal-endpoint',
  'integrations/webhooks': 'webhooks\\.module|delivery-readings',
  'integrations/event-export': 'event-export\\.module',
  'operations/health': 'health\\.module|readiness',
  'operations/portal': 'serve-portal',
};

/**
 * The rooms (parts) of the wing `sessions`, lowest first, each with the rooms that it may import. Dependency
 * injection has the same direction: a lower room notifies a higher one only through observers
 * (`LiveSessions`) and callbacks.
 */
const sessionRooms = {
  format: [],
  journal: ['format'],
  archive: ['format'],
  recording: ['format', 'journal', 'archive'],
  ledger: ['format', 'recording'],
  search: ['format'],
  list: ['format', 'recording', 'ledger', 'search'],
  evidence: ['format', 'recording', 'ledger', 'list'],
  reading: ['format', 'recording', 'list', 'evidence'],
  calls: ['recording', 'list'],
  retention: ['ledger'],
};

module.exports = { wings, ground, rooms, sessionRooms };
