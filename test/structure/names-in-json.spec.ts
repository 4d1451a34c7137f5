import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');

/**
 * Files that may call `JSON.parse`, which misreads names with escapes (src/kernel/json/parse-json.ts), and
 * why that does no harm there.
 */
const PARSING: Readonly<Record<string, string>> = {
  'connections/registry/fields/mcp-policy-keys.ts': 'a list of texts',
  'platform/keys/secret-box.ts': 'names that the gateway has checked: letters, digits, underscores',
  'development/embedded-postgres/binaries.ts': 'names of packages and of npm',
  'development/identity-provider/keys.ts': 'written by the same file',
  'platform/http/body/long-text.ts': 'one text',
  'kernel/json/parse-json.ts': 'is the one for all JSON of others',
  'kernel/json/string-reading.ts': 'one text',
  'languages/postgresql/parsing/parser-engine.ts': 'the names of the parser',
  'languages/tool-call/json-leaves.ts': 'one text, or whether it is JSON at all',
  'proxies/own-tools/session-events.ts': 'the names of an event',
  'proxies/postgres/binary/type-query.ts': 'the names of a query of ours',
  'sessions/recording/journal-replay.ts': 'written by the same folder',
  'sessions/recording/replayed-sessions.ts': 'written by the same folder',
  'sessions/evidence/files/verify-command.ts': 'checked against the names of a key set',
  'platform/telemetry/log-export.ts': 'a line of our own log',
  'mcp/upstream-credentials/sign-in/browser-visits.ts': 'written by the same folder',
  'mcp/upstream-credentials/stored/token-rows.ts': 'written by the same folder',
};

describe('names in JSON', () => {
  it('are read by parseJson where others chose them', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .filter((file) => /\bJSON\.parse\b(?!`)/.test(readFileSync(join(SOURCE, file), 'utf8')))
      .map((file) => file.replaceAll('\\', '/'));
    expect(files.sort()).toEqual(Object.keys(PARSING).sort());
  });
});
