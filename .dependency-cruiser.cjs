/** The table of README.md, "Folders": who may import whom. Each rule says why. */
const rank3 = [
  'access-rules',
  'attributes',
  'audit',
  'auth',
  'authorization',
  'catalog',
  'connections',
  'credentials',
  'event-export',
  'events',
  'guardrails',
  'mcp-tools',
  'policy',
  'reviews',
  'scim',
  'upstream-credentials',
  'webhooks',
];
const telemetryRules = require('./.dependency-cruiser.telemetry.cjs');
const { sessionModules, sessionDoors } = require('./.dependency-cruiser.sessions.cjs');

const rank4 = ['exec', 'health', 'proxies'];

/** Those of rank 4 that dial PostgreSQL targets. */
const dialing = ['exec', 'proxies'];

/** Doors: services that a module exports for others. Everything else of a module is its own business. */
const doors = [
  'src/(access-rules|attributes|audit|auth|connections|events|guardrails|reviews|session-reading|sessions)/[^/]+\\.module\\.ts',
  'src/access-rules/access-rules\\.service\\.ts',
  'src/attributes/(attributes\\.service|attribute-events)\\.ts',
  'src/audit/(audit\\.dto|audit-lines|audit\\.service)\\.ts',
  'src/auth/(failed-credentials|feature-events|groups\\.service|login-cookie|login\\.service|organizations\\.service|page-sign-in|principals|provisioned-access|resource-tokens|scim-token-start|sign-in-events)\\.ts',
  'src/catalog/catalog-entries\\.ts',
  'src/connections/(connection-states|connections\\.service)\\.ts',
  'src/events/(event|export-cursor\\.entity|export-cursors|outbox|outbox-reader)\\.ts',
  'src/guardrails/(binding-events|guardrail-bindings|rule-inspector|statement-reader|(guardrail|rule-entry)\\.dto)\\.ts',
  'src/reviews/(reviews\\.service|review-requests|(request|review)\\.dto)\\.ts',
  'src/session-reading/recorded-texts\\.ts',
];

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
    {
      name: 'kernel-is-the-ground',
      comment: 'Everyone imports the kernel, so it can import nobody, and no framework.',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|node_modules)/', pathNot: '^src/kernel/' },
    },
    {
      name: 'languages-are-pure',
      comment:
        'What SQL means hangs on its text alone: no framework, no database, only the parser of PostgreSQL and a cache.',
      severity: 'error',
      from: { path: '^src/languages/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(src|node_modules)/',
        pathNot: '^(src/(kernel|languages)/|node_modules/(libpg-query|lru-cache|@pgsql/types)/)',
      },
    },
    {
      name: 'rank-1-knows-no-feature',
      comment: 'config, metrics, database, tls and http serve every feature, so they depend on none.',
      severity: 'error',
      from: { path: '^src/(config|metrics|database|tls|http)/' },
      to: { path: '^src/', pathNot: '^src/(kernel|languages|config|metrics|database|tls|http)/' },
    },
    {
      name: 'prom-client-is-loaded-late',
      comment: 'Metrics that are off cost nothing: no memory for the library, and no time to load it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(metrics/exposition|serve-metrics|worker-scrapes)\\.ts$' },
      to: {
        path: '^(node_modules/prom-client|src/(metrics/exposition|serve-metrics|worker-scrapes)\\.ts$)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    ...telemetryRules,
    {
      name: 'keys-are-shared-ground',
      comment: 'Whatever is sealed or signed hangs on the keys, so they know nothing of what that is.',
      severity: 'error',
      from: { path: '^src/keys/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(keys|kernel|config|database|http)/' },
    },
    {
      name: 'the-gate-knows-only-ports',
      comment:
        'The order of the data path holds for every protocol because the gate knows no socket, no SQL and no HTTP.',
      severity: 'error',
      from: { path: '^src/gate/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(src|node_modules)/',
        pathNot: '^(src/(kernel|languages|gate)/|node_modules/@nestjs/common/)',
      },
    },
    {
      name: 'targets-are-shared-ground',
      comment:
        'Dialing a PostgreSQL target and asking its catalog is the same for a script and for a client of the wire: it knows neither.',
      severity: 'error',
      from: { path: '^src/targets/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(targets|kernel|languages|config|outbound|gate/ports)/' },
    },
    {
      name: 'outbound-is-shared-ground',
      comment:
        'Addresses that users name are checked in one way for all callers, so the check imports none of them.',
      severity: 'error',
      from: { path: '^src/outbound/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(outbound|kernel)/' },
    },
    ...rank3.map((module) => ({
      name: `${module}-keeps-to-itself`,
      comment: 'A feature reaches another only through its doors; and the gate only through its ports.',
      severity: 'error',
      from: { path: `^src/${module}/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: `^src/(${module}|kernel|languages|config|metrics|database|http|keys|outbound|gate/ports${['connections', 'guardrails'].includes(module) ? '|targets' : ''}${module === 'event-export' ? '|telemetry' : ''})/|^(${doors.join('|')})$`,
      },
    })),
    ...Object.entries(sessionModules).map(([module, lower]) => ({
      name: `${module}-imports-what-is-below`,
      comment:
        'What a recording is, is told apart from who records, finds, reads and removes it: one direction, through doors.',
      severity: 'error',
      from: { path: `^src/${module}/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: [
          `^src/(${module}|kernel|config|metrics|database|http|keys|outbound|gate/ports)/`,
          `^(${doors.join('|')})$`,
          ...lower.map((other) => `^src/${other}/(${sessionDoors[other]})\\.ts$`),
        ].join('|'),
      },
    })),
    {
      name: 'recordings-can-be-read-without-a-gateway',
      comment:
        'What a recording and a journal are has to be known to tools that have no framework and no database.',
      severity: 'error',
      from: { path: '^src/(recording-format|journal)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(node_modules/(@nestjs|typeorm|pg)|src/(database|http))/' },
    },
    {
      name: 'access-sees-the-features',
      comment:
        'The life of access is told in one place: it alone knows rules, reviews, credentials, connections and sessions together, and none of them knows it.',
      severity: 'error',
      from: { path: '^src/access/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: `^src/(access|${[...rank3, 'recording', 'sessions'].join('|')}|kernel|config|database|http|gate/ports)/`,
      },
    },
    ...rank4.map((module) => ({
      name: `${module}-goes-through-the-gate`,
      comment: 'A way through that reached a feature by itself could skip a step of the order.',
      severity: 'error',
      from: { path: `^src/${module}/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot: `^src/(${module}|kernel|languages|config|metrics|database|tls|http|outbound|gate${dialing.includes(module) ? '|targets' : ''})/`,
      },
    })),
    {
      name: 'the-portal-is-served-only',
      comment:
        'The portal does what its reader may do over the API. Code that serves it has nothing to reach a feature for.',
      severity: 'error',
      from: { path: '^src/portal/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(portal|kernel|config|http)/' },
    },
    {
      name: 'own-tools-call-the-api',
      comment:
        'The tools act by requests of the REST API, as every client does. One that reached a feature by itself could skip a guard, a limit or a line of the audit log.',
      severity: 'error',
      from: { path: '^src/own-tools/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/',
        pathNot:
          '^src/((own-tools|kernel|config|proxies/(kit|mcp)|targets/mcp)/|http/api-version\\.ts|database/database\\.module\\.ts|gate/(refusal|ports/authenticator)\\.ts)',
      },
    },
    {
      name: 'no-protocol-holds-the-raw-steps',
      comment:
        'Screening, recording and releasing happen inside a session of the gate, in one order. A protocol that held one of the steps could skip another.',
      severity: 'error',
      from: { path: '^src/(exec|proxies)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^src/gate/(approval|guarded-trail|pending-events|screened-pieces|ports/(access-decider|guardrails|review-desk|session-recorder))\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'development-is-loaded-by-main-only',
      comment: 'What stands in for real services must never be within reach of the product.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(development/|(main|serve)\\.ts$)' },
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
        pathNot: '^src/(config/|kernel/|development/needed|shutdown|worker-process)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: 'source-knows-no-tests',
      comment: 'What ships must not need what does not.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench|dist)/' },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that only comes along with another may be gone with its next version.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev', 'unknown', 'undetermined'],
        dependencyTypesNot: ['type-only'],
      },
    },
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
