import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');

/**
 * Files that answer without `LargeAnswersInterceptor`, and why their answers need not be rendered in pieces.
 */
const ANSWERS: Readonly<Record<string, string>> = {
  'mcp/authorization-server/authorization-endpoints.ts': 'tokens, and registrations of at most 64 KiB',
  'mcp/authorization-server/protocol/endpoint-faults.ts': 'the message is bounded',
  'proxies/mcp/http/answer.ts':
    'one message of JSON-RPC, which was screened in slices; MCP_MESSAGE_MB limits it',
  'connections/catalog/catalog.controller.ts': 'is rendered once, at the start',
  'connections/kinds/connection-kinds.controller.ts': 'is rendered once, at the start',
  'development/identity-provider/html.ts': 'development only',
  'development/mcp-server/demo-server.ts': 'development only',
  'platform/http/error.filter.ts': 'the message is bounded',
  'platform/http/pages/page.ts':
    'a page of a few kilobytes, or of the arguments of a call: 64 Ki characters at most',
  'platform/http/ready/serve-ready.ts': 'sends at most 1 MiB of bytes that were rendered before',
  'platform/metrics/listener.ts': 'a few hundred lines: the number of series is bounded',
  'identity/scim/endpoint/answer.ts':
    'errors, whose message is bounded; lists and resources go out in turns where they are large',
  'platform/http/openapi.ts': 'is rendered once, at the start',
  'mcp/upstream-credentials/sign-in/connect-endpoints.ts': 'a metadata document of ten fields',
  'sessions/reading/session/session.controller.ts': 'asks `isLargeJson` first, and streams what is',
};

/** Files that open database connections without `readInPieces`, and why no result is large. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  'platform/database/feed/change-feed.ts': 'listens; a notification has at most 8 kB',
  'development/demo.ts': 'development only',
  'platform/database/schema/schema-watch.ts': 'reads names of migrations, and of columns that are gone',
  'development/embedded-postgres/server-hold.ts': 'development only',
  'operations/doctor/database-checks.ts':
    'a program of its own: each statement reads one row, or names of migrations',
  'platform/metrics/database-readings.ts': 'each statement reads one row of numbers',
  'sessions/recording/recording-store.ts': 'writes; a result has a row of three columns for each session',
  'sessions/retention/purge-connection.ts': 'deletes; a result has a count',
  'targets/postgres/driver-parts.ts':
    'scripts pause the socket for each 16 KiB of rows; others read catalogs',
};

function filesWith(pattern: RegExp, but = /^$/): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      return pattern.test(text) && !but.test(text);
    })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/**
 * Checks that long work is done in pieces; see `platform/http/README.md`, "How long a request may hold the
 * event loop".
 */
describe('long work', () => {
  it('answers are rendered in pieces, but for those with a reason', () => {
    expect(filesWith(/\bresponse(\s*\.\w+\([^)]*\))*\s*\.((json|send)\(|end\([^)])/)).toEqual(
      Object.keys(ANSWERS).sort(),
    );
  });

  it('results of the database are parsed in pieces, but for those with a reason', () => {
    expect(filesWith(/\bnew (Pool|Client)\(/)).toEqual(Object.keys(CONNECTIONS).sort());
    expect(filesWith(/\bnew DataSource\(/, /\bdataSourceOptions\(/)).toEqual([]);
    const options = readFileSync(join(SOURCE, 'platform/database/pools/data-source-options.ts'), 'utf8');
    expect(options).toContain('onConnect: readInPieces');
  });
});
