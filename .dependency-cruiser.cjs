/**
 * Allowed imports between folders; each rule gives its reason. The table of wings (folders of `src`) and
 * doors (files that other folders may import) is in .dependency-cruiser.wings.cjs.
 */
const { wings, ground, rooms, sessionRooms } = require('./.dependency-cruiser.wings.cjs');

const PRODUCT = '\\.spec\\.ts$';
/** Programs that combine or examine all wings (folders of `src`). They may also import internal files. */
const INSIDERS = '^src/(process|commands|development|operations/(doctor|key-rotation))/|^src/main\\.ts$';
/** Modules that use the SDK of OpenTelemetry, and are loaded with it. */
const WITH_SDK = '^src/platform/telemetry/(tracing|sampler|log-export)\\.ts$';
const METRICS = 'platform/metrics/exposition|process/serve-metrics|process/worker-scrapes';

/** Returns a rule that forbids imports from files of `from`, except their specs, to files of `to`. */
function forbidden(name, comment, from, to) {
  return { name, comment, severity: 'error', from: { path: from, pathNot: PRODUCT }, to };
}

const arrows = Object.entries(wings).map(([wing, below]) =>
  forbidden(
    `wing-${wing}`,
    `The wings have one direction: ${wing} imports ${below.join(', ') || 'no other wing'}.`,
    `^src/${wing}/`,
    { path: '^src/', pathNot: `^src/(${[wing, ...below].join('|')})/` },
  ),
);

const doors = Object.entries(rooms)
  .filter(([, files]) => files !== '*')
  .map(([room, files]) => ({
    name: `doors-of-${room.replaceAll('/', '-')}`,
    comment: 'A room is reached through its doors; what is behind them is its own business.',
    severity: 'error',
    from: { path: '^src/', pathNot: `^src/${room}/|${INSIDERS}|${PRODUCT}` },
    to: { path: `^src/${room}/`, pathNot: `^src/${room}/(${files})\\.ts$` },
  }));

const sessionOrder = Object.entries(sessionRooms).map(([room, lower]) =>
  forbidden(
    `sessions-${room}`,
    'What a recording is, is told apart from who records, finds, reads and removes it: one direction.',
    `^src/sessions/${room}/`,
    { path: '^src/sessions/', pathNot: `^src/sessions/(${[room, ...lower].join('|')})/` },
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one, and neither can be read alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...arrows,
    ...doors,
    ...sessionOrder,
    forbidden(
      'ground-is-plain',
      'Everyone imports the kernel, and what SQL means hangs on its text alone: no framework and no database, only the parser of PostgreSQL and a cache.',
      '^src/(kernel|languages)/',
      { path: '^node_modules/', pathNot: '^node_modules/(libpg-query|lru-cache|@pgsql/types)/' },
    ),
    forbidden(
      'the-gate-knows-only-ports',
      'The order of the data path holds for every protocol because the gate knows no socket, no SQL and no HTTP.',
      '^src/gate/',
      { path: '^node_modules/', pathNot: '^node_modules/@nestjs/common/' },
    ),
    forbidden(
      'features-serve-ports',
      'A feature gives the gate what a port asks for. One that reached into the data path could change its order.',
      `^src/(${Object.keys(wings)
        .filter((wing) => ![...ground, 'gate', 'proxies', 'operations'].includes(wing))
        .join('|')})/`,
      { path: '^src/gate/', pathNot: '^src/gate/ports/' },
    ),
    forbidden(
      'no-protocol-holds-the-raw-steps',
      'Screening, recording and releasing happen inside a session of the gate, in one order. A protocol that held one of the steps could skip another.',
      '^src/proxies/',
      {
        path: '^src/gate/(approval|guarded-trail|pending-events|screened-pieces|ports/(access-decider|guardrails|review-desk|session-recorder))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbidden(
      'scripts-share-no-protocol',
      'Scripts go through the gate as every protocol does, and need nothing of another one.',
      '^src/proxies/scripts/',
      { path: '^src/proxies/', pathNot: '^src/proxies/scripts/' },
    ),
    forbidden(
      'own-tools-call-the-api',
      'The tools act by requests of the REST API, as every client does. One that reached a feature by itself could skip a guard, a limit or a line of the audit log.',
      '^src/proxies/own-tools/',
      {
        path: '^src/',
        pathNot:
          '^src/((kernel|proxies/(own-tools|kit|mcp)|platform/config|targets/mcp)/|platform/database/database\\.module\\.ts|gate/(refusal|ports/authenticator)\\.ts)',
      },
    ),
    forbidden(
      'the-portal-is-served-only',
      'The portal does what its reader may do over the API. Code that serves it has nothing to reach a feature for.',
      '^src/operations/portal/',
      { path: '^src/', pathNot: '^src/(operations/portal|kernel|platform/(config|http))/' },
    ),
    forbidden(
      'recordings-can-be-read-without-a-gateway',
      'What a recording and a journal are has to be known to tools that have no framework and no database.',
      '^src/sessions/(format|journal)/',
      { path: '^(node_modules/(@nestjs|typeorm|pg)|src/platform/(database|http))/' },
    ),
    forbidden(
      'keys-know-nothing-of-secrets',
      'Whatever is sealed or signed hangs on the keys, so they know nothing of what that is.',
      '^src/platform/keys/',
      { path: '^src/platform/', pathNot: '^src/platform/(keys|config|database|http)/' },
    ),
    forbidden(
      'outbound-is-checked-in-one-way',
      'Addresses that users name are checked in one way for all callers, so the check imports none of them.',
      '^src/platform/outbound/',
      { path: '^src/platform/', pathNot: '^src/platform/outbound/' },
    ),
    forbidden(
      'telemetry-is-shared-ground',
      'Where data of OpenTelemetry are sent is the same for all of them, so it knows none. It counts what it drops.',
      '^src/platform/telemetry/',
      { path: '^src/platform/', pathNot: '^src/platform/(telemetry|config|outbound|metrics)/' },
    ),
    {
      name: 'libraries-of-exports-are-loaded-late',
      comment: 'An export that is off costs nothing: no memory for the libraries, and no time to load them.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${WITH_SDK}|^src/(${METRICS})\\.ts$|${PRODUCT}` },
      to: {
        path: `^node_modules/(@opentelemetry|prom-client)/|${WITH_SDK}|^src/(${METRICS})\\.ts$`,
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'development-is-loaded-by-main-only',
      comment: 'What stands in for real services must never be within reach of the product.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(development/|main\\.ts$|process/serve\\.ts$)' },
      to: { path: '^src/development/' },
    },
    {
      name: 'main-loads-late',
      comment:
        'A start that fails should say so at once, and a primary process needs nothing of the app: import() loads the rest.',
      severity: 'error',
      from: { path: '^src/main\\.ts$' },
      to: {
        path: '^src/',
        pathNot: '^src/(platform/config/|kernel/|development/needed|process/(shutdown|worker-process))',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    forbidden('source-knows-no-tests', 'What ships must not need what does not.', '^src/', {
      path: '^(test|bench|dist)/',
    }),
    forbidden(
      'no-undeclared-packages',
      'A package that only comes along with another may be gone with its next version.',
      '^src/',
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/.*\\.(json|cjs)$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.cjs', '.json'],
    },
  },
};
