import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { ROOT } from '../support/root';
import { scoped } from '../support/scoped';
import { turnOf } from '../support/volume';
import { type Seen, differencesOf, printMatrix, seenBy, startPythonServer } from './programs-of-others';
import { PythonEnvironments } from './python';

/** What pip and npm take to bring everything is part of it. */
const PATIENCE_MS = 1_200_000;

interface OtherClient {
  readonly name: string;
  /** Of pip, or of npm; none: the SDK that the repository has. */
  readonly packages: readonly string[];
  /** For SDK 2 in Python. undefined: the client is one in TypeScript. */
  readonly mode?: 'legacy' | 'auto';
}

/** The newest version of each SDK, and two older ones. SDK 2 in TypeScript is tried in `test/mcp/pairs`. Python 1.9 does not work with the newest pydantic. */
const CLIENTS: readonly OtherClient[] = [
  { name: 'Python 1.9', packages: ['mcp==1.9.4', 'pydantic==2.11.10'], mode: 'legacy' },
  { name: 'Python 1.26', packages: ['mcp==1.26.0'], mode: 'legacy' },
  { name: 'Python 2.3, legacy', packages: ['mcp==2.3.0'], mode: 'legacy' },
  { name: 'Python 2.3, auto', packages: ['mcp==2.3.0'], mode: 'auto' },
  { name: 'TypeScript 1.17', packages: ['@modelcontextprotocol/sdk@1.17.5'] },
  { name: 'TypeScript 1.25', packages: ['@modelcontextprotocol/sdk@1.25.3'] },
  { name: 'TypeScript 1.32', packages: [] },
];

const SERVERS: readonly {
  readonly name: string;
  readonly packages: readonly string[];
  readonly options: readonly string[];
}[] = [
  { name: 'FastMCP 2', packages: ['fastmcp==2.14.7'], options: [] },
  { name: 'FastMCP 2, JSON', packages: ['fastmcp==2.14.7'], options: ['json'] },
  { name: 'FastMCP 4', packages: ['fastmcp==4.2.3'], options: [] },
  { name: 'FastMCP 4, JSON', packages: ['fastmcp==4.2.3'], options: ['json'] },
];

interface Decision {
  readonly checks: readonly string[];
  /** Of these alone; undefined: of all. */
  readonly client?: string;
  readonly server?: RegExp;
  readonly isSo: (direct: unknown, through: unknown) => boolean;
}

const includes = (value: unknown, text: string): boolean => JSON.stringify(value).includes(text);

/** What is seen otherwise through the gateway by our decision. `src/proxies/mcp/README.md` ("What clients see otherwise") has the reasons. */
const DECIDED: readonly Decision[] = [
  { checks: ['capabilities'], isSo: (direct) => includes(direct, '"tasks"') },
  { checks: ['no tool'], isSo: (_, through) => includes(through, '-32602') },
  {
    checks: ['ask_person'],
    client: 'Python 1.9',
    isSo: (_, through) => includes(through, 'does not support'),
  },
  {
    checks: ['log without a level', 'log with a level', 'changes', 'changes outside of a call'],
    client: 'Python 2.3, auto',
    server: /FastMCP 2/,
    isSo: (_, through) => includes(through, '[]'),
  },
  // Clients fail direct, and not through the gateway.
  { checks: ['closed', 'left early'], isSo: (_, through) => through === 'in order' },
  { checks: ['errors'], isSo: (direct, through) => Array.isArray(direct) && includes(through, '[]') },
];

/**
 * `npm run test:conformance`: what programs that nobody here wrote see of each other, direct and through the gateway. Each server has two
 * clients, so that each client has its turn; `TEST_VOLUME=long` tries each client at each server.
 */
// promises: MCP-1, MCP-20, MCP-21, MCP-22
describe('clients and servers by other SDKs', () => {
  let absent: string | undefined;
  beforeAll(async () => {
    absent = await PythonEnvironments.absent();
    if (absent !== undefined) process.stderr.write(`\n  not tried, for want of ${absent}: other SDKs\n`);
  });

  describe(
    'see the same through the gateway',
    scoped((begin) => {
      const environments = begin(() => PythonEnvironments.begin());
      const folder = begin(() => {
        const path = mkdtempSync(join(tmpdir(), 'sdks-'));
        return { path, close: () => rmSync(path, { recursive: true, force: true }) };
      });
      const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: '200' });
      const matrix: string[][] = [['server', ...CLIENTS.map(({ name }) => name)]];
      afterAll(() => printMatrix(matrix));

      /** The command of a client, without its URL. */
      async function commandOf({ packages, mode }: OtherClient): Promise<readonly string[]> {
        if (mode !== undefined)
          return [await environments.with(packages), join(__dirname, 'python', 'client.py')];
        const within = packages.length === 0 ? ROOT : join(folder.path, packages.join().replaceAll('/', '+'));
        if (packages.length > 0 && !existsSync(within)) await installed(within, packages);
        return [process.execPath, join(__dirname, 'typescript', 'client.mjs'), within];
      }

      it.each(SERVERS.map((server, index) => ({ ...server, clients: turnOf(CLIENTS, index, 2) })))(
        'at $name',
        async ({ name, packages, options, clients }) => {
          if (absent !== undefined) return;
          const server = await startPythonServer(await environments.with(packages), options);
          const row = [name, ...CLIENTS.map(() => '')];
          matrix.push(row);
          const found: { client: string; check: string; direct: unknown; through: unknown }[] = [];
          try {
            for (const client of clients) {
              const command = await commandOf(client);
              const connection = await path.connection(server.url, {
                mcp_policy: { server_requests: ['sampling', 'elicitation', 'roots'] },
              });
              const rest = client.mode === undefined ? [] : [client.mode];
              const token = await path.gateway.token('alice');
              const [direct, through] = await Promise.all([
                seenBy(command, [server.url, ...rest], undefined),
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
              // A client that saw nothing would see the same.
              expect(checks).toBeGreaterThanOrEqual(24);
            }
          } finally {
            await server.close();
          }
          expect(found).toEqual([]);
        },
        PATIENCE_MS,
      );
    }, PATIENCE_MS),
  );
});

/** @throws when npm does not bring them */
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
          (one.client === undefined || one.client === client) &&
          (one.server === undefined || one.server.test(server)) &&
          one.isSo(direct[check], through[check]),
      ),
  );
}
