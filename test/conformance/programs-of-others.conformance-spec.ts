import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { ROOT } from '../support/root';
import { scoped } from '../support/scoped';
import { turnOf } from '../support/volume';
import { GoPrograms } from './go-programs';
import {
  type Seen,
  differencesOf,
  printMatrix,
  pythonServer,
  seenBy,
  startServer,
} from './programs-of-others';
import { PythonEnvironments } from './python';

/** Time limit of a test, including the time that pip and npm need to download everything. */
const PATIENCE_MS = 1_200_000;

type OtherClient = { readonly name: string } & (
  | { readonly pip: readonly string[]; readonly mode: 'legacy' | 'auto' }
  /** npm packages to install. If empty, the SDK in the repository's own dependencies is used. */
  | { readonly npm: readonly string[] }
  | { readonly go: string }
);

/**
 * Clients to test: the newest version of each SDK, and two older versions. `test/mcp/pairs` tests version 2
 * of the TypeScript SDK. Python SDK 1.9 needs an older pydantic.
 */
const CLIENTS: readonly OtherClient[] = [
  { name: 'Python 1.9', pip: ['mcp==1.9.4', 'pydantic==2.11.10'], mode: 'legacy' },
  { name: 'Python 1.26', pip: ['mcp==1.26.0'], mode: 'legacy' },
  { name: 'Python 2.3, legacy', pip: ['mcp==2.3.0'], mode: 'legacy' },
  { name: 'Python 2.3, auto', pip: ['mcp==2.3.0'], mode: 'auto' },
  { name: 'TypeScript 1.17', npm: ['@modelcontextprotocol/sdk@1.17.5'] },
  { name: 'TypeScript 1.25', npm: ['@modelcontextprotocol/sdk@1.25.3'] },
  { name: 'TypeScript 1.32', npm: [] },
  { name: 'Go 1.1', go: 'v1.1.0' },
  { name: 'Go 1.4', go: 'v1.4.1' },
  { name: 'Go 1.8', go: 'v1.8.0' },
];

type OtherServer = { readonly name: string; readonly options: readonly string[] } & (
  | { readonly pip: readonly string[] }
  | { readonly go: string }
);

const SERVERS: readonly OtherServer[] = [
  { name: 'FastMCP 2', pip: ['fastmcp==2.14.7'], options: [] },
  { name: 'FastMCP 2, JSON', pip: ['fastmcp==2.14.7'], options: ['json'] },
  { name: 'FastMCP 4', pip: ['fastmcp==4.2.3'], options: [] },
  { name: 'FastMCP 4, JSON', pip: ['fastmcp==4.2.3'], options: ['json'] },
  { name: 'Go 1.8', go: 'v1.8.0', options: [] },
  { name: 'Go 1.8, JSON', go: 'v1.8.0', options: ['json'] },
];

interface Decision {
  readonly checks: readonly string[];
  /** Clients and servers that the decision covers, by name. Undefined covers all. */
  readonly client?: RegExp;
  readonly server?: RegExp;
  readonly isSo: (direct: unknown, through: unknown) => boolean;
}

const includes = (value: unknown, text: string): boolean => JSON.stringify(value).includes(text);
const steps = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/**
 * Results that differ through the gateway by our decision. `src/proxies/mcp/README.md` ("What clients see
 * otherwise") has the reasons.
 */
const DECIDED: readonly Decision[] = [
  { checks: ['capabilities'], isSo: (direct) => includes(direct, '"tasks"') },
  { checks: ['no tool'], isSo: (_, through) => includes(through, '-32602') },
  {
    checks: ['ask_person'],
    client: /^Python 1\.9$/,
    isSo: (_, through) => includes(through, 'does not support'),
  },
  // Through the gateway, a client that speaks both MCP eras uses the modern era. Directly, it uses the
  // server's era.
  {
    checks: ['log without a level', 'level', 'log with a level', 'changes', 'changes outside of a call'],
    client: /auto$|Go 1\.8/,
    server: /FastMCP 2|Go/,
    isSo: (_, through) => includes(through, '[]') || includes(through, '"error"'),
  },
  // Without the gateway, the error comes with an HTTP status for which the client does not read the body.
  {
    checks: ['read test://none'],
    client: /Go 1\.8/,
    isSo: (direct, through) => includes(direct, '"none"') && includes(through, '-32602'),
  },
  // Without the gateway, some progress messages arrive on another stream after the answer, so the client
  // drops them.
  {
    checks: ['progress'],
    client: /Python/,
    server: /Go 1\.8, JSON/,
    isSo: (direct, through) => steps(direct) < 3 && steps(through) === 3,
  },
  // These checks fail without the gateway, and succeed through it.
  { checks: ['closed', 'left early'], isSo: (_, through) => through === 'in order' },
  { checks: ['errors'], isSo: (direct, through) => Array.isArray(direct) && includes(through, '[]') },
];

/**
 * `npm run test:conformance`: compares the results of third-party clients at third-party servers, directly
 * and through the gateway. Each server is tried with two clients, so that every client is used.
 * `TEST_VOLUME=long` tries each client with each server.
 */
// promises: MCP-1, MCP-20, MCP-21, MCP-22
describe('clients and servers by other SDKs', () => {
  let absent: string | undefined;
  let hasGo = false;
  beforeAll(async () => {
    absent = await PythonEnvironments.absent();
    if (absent !== undefined) process.stderr.write(`\n  not tried, for want of ${absent}: other SDKs\n`);
    const missing = await GoPrograms.absent();
    hasGo = missing === undefined;
    if (!hasGo) process.stderr.write(`\n  not tried, for want of ${missing}: the SDK in Go\n`);
  });

  describe(
    'see the same through the gateway',
    scoped((begin) => {
      const environments = begin(() => PythonEnvironments.begin());
      const programs = begin(() => GoPrograms.begin());
      const folder = begin(() => {
        const path = mkdtempSync(join(tmpdir(), 'sdks-'));
        return { path, close: () => rmSync(path, { recursive: true, force: true }) };
      });
      const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: '200' });
      const matrix: string[][] = [['server', ...CLIENTS.map(({ name }) => name)]];
      afterAll(() => printMatrix(matrix));

      /** Returns the command that starts a client, without the URL. */
      async function commandOf(client: OtherClient): Promise<readonly string[]> {
        if ('go' in client) return [await programs.built('client', client.go)];
        if ('pip' in client)
          return [await environments.with(client.pip), join(__dirname, 'python', 'client.py')];
        const packages = client.npm;
        const within = packages.length === 0 ? ROOT : join(folder.path, packages.join().replaceAll('/', '+'));
        if (packages.length > 0 && !existsSync(within)) await installed(within, packages);
        return [process.execPath, join(__dirname, 'typescript', 'client.mjs'), within];
      }

      /** Starts two servers, because a Go server reports one client's change to all its clients. */
      async function serversOf(server: OtherServer) {
        const command =
          'go' in server
            ? [await programs.built('server', server.go)]
            : pythonServer(await environments.with(server.pip));
        return Promise.all([startServer(command, server.options), startServer(command, server.options)]);
      }

      it.each(
        SERVERS.map((server, index) => ({ server, name: server.name, clients: turnOf(CLIENTS, index, 2) })),
      )(
        'at $name',
        async ({ name, server, clients }) => {
          if (absent !== undefined || (isInGo(server) && !hasGo)) return;
          const row = [name, ...CLIENTS.map(() => '')];
          matrix.push(row);
          const found: { client: string; check: string; direct: unknown; through: unknown }[] = [];
          const closers: { close(): Promise<void> }[] = [];
          try {
            for (const client of clients) {
              if (isInGo(client) && !hasGo) continue;
              const command = await commandOf(client);
              const [near, far] = await serversOf(server);
              closers.push(near, far);
              const connection = await path.connection(far.url, {
                mcp_policy: { server_requests: ['sampling', 'elicitation', 'roots'] },
              });
              const rest = 'mode' in client ? [client.mode] : [];
              const token = await path.gateway.token('alice');
              const [direct, through] = await Promise.all([
                seenBy(command, [near.url, ...rest], undefined),
                seenBy(command, [path.endpoint(connection), ...rest], token),
              ]);
              const differences = undecided(client.name, name, direct, through);
              for (const check of differences)
                found.push({
                  client: client.name,
                  check,
                  direct: direct[check],
                  through: through[check],
                });
              const checks = Object.keys(direct).length;
              row[1 + CLIENTS.indexOf(client)] = `${checks - differences.length}/${checks}`;
              // Requires many checks, because a client that runs no checks would have no differences and
              // pass.
              expect(checks).toBeGreaterThanOrEqual(24);
            }
          } finally {
            await Promise.all(closers.map((one) => one.close()));
          }
          expect(found).toEqual([]);
        },
        PATIENCE_MS,
      );
    }, PATIENCE_MS),
  );
});

const isInGo = (program: OtherClient | OtherServer): boolean => 'go' in program;

/** Installs npm packages in the folder. @throws when npm cannot install them */
async function installed(folder: string, packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
}

function undecided(client: string, server: string, direct: Seen, through: Seen): string[] {
  return differencesOf(direct, through).filter(
    (check) =>
      !DECIDED.some(
        (one) =>
          one.checks.includes(check) &&
          (one.client === undefined || one.client.test(client)) &&
          (one.server === undefined || one.server.test(server)) &&
          one.isSo(direct[check], through[check]),
      ),
  );
}
