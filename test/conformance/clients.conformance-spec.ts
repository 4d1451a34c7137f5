import { join } from 'node:path';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { ROOT } from '../support/root';
import { scoped } from '../support/scoped';
import { type Check, ConformanceSuite, type Findings, type Revision } from './suite';
import { compared, printTable } from './table';
import { type Subject, startWays } from './ways';

const PATIENCE_MS = 600_000;
const COMMAND = [
  process.execPath,
  '--require',
  join(ROOT, 'test/support/jest/typescript.cjs'),
  join(__dirname, 'scenario-client.ts'),
].join(' ');

/** Kind of account that the gateway uses at the server, by revision, so that both kinds are tried. */
const SUBJECTS: Readonly<Record<Revision, Subject>> = { '2025-11-25': 'shared', '2026-07-28': 'user' };

/**
 * Checks (scenario and id) that run and succeed without the gateway, and by our decision do not run through
 * the gateway, with the reasons. No scenario fails because of them.
 */
const DECIDED: Readonly<Record<string, string>> = {
  'auth/resource-mismatch authorization-server-metadata':
    'A server whose metadata are for another resource is refused before anything is asked of the authorization server that they name.',
};

/** Reasons why some scenarios are not run, by the first part of their names. */
const NOT_DRIVEN: readonly (readonly [string, string])[] = [
  ['auth/client-credentials-jwt', 'extension: the gateway authenticates with a client secret'],
  ['auth/enterprise-managed-authorization', 'extension that the gateway does not have'],
  ['auth/dpop', 'extension that the gateway does not have'],
  ['auth/wif-', 'extension that the gateway does not have'],
];

function reasonAgainst(scenario: string): string | undefined {
  return NOT_DRIVEN.find(([beginning]) => scenario.startsWith(beginning))?.[1];
}

/**
 * `npm run test:conformance`: the official suite is the server. First, a client of the official SDK connects
 * to it directly. Then the same client connects through the gateway, to test the gateway's client side.
 */
describe(
  'the scenarios for clients',
  scoped((begin) => {
    const suite = begin(() => ConformanceSuite.fetch());
    const path = beginMcpPath(begin, { MCP_ALLOWED_HOSTS: '127.0.0.1,localhost' });
    const ways = begin(() => startWays(path));

    it.each<Revision>(['2025-11-25', '2026-07-28'])(
      'of %s pass through the gateway as they do direct',
      async (revision) => {
        const scored = suite.scored(revision, 'client');
        const unscored = suite.unscored(revision, 'client');
        const all = [...scored, ...unscored.keys()];
        const driven = all.filter((scenario) => reasonAgainst(scenario) === undefined);
        const found = async (environment: Record<string, string>): Promise<Findings> => {
          const findings = new Map<string, readonly Check[]>();
          for (const scenario of driven)
            findings.set(scenario, await suite.client(COMMAND, revision, scenario, environment));
          return findings;
        };
        const [before, after] = await Promise.all([
          found({}),
          found({ CONFORMANCE_GATEWAY: ways.url(SUBJECTS[revision]) }),
        ]);
        const lines = compared(
          scored.filter((scenario) => driven.includes(scenario)),
          new Map([...unscored].filter(([scenario]) => driven.includes(scenario))),
          before,
          after,
        );
        const left = all.filter((scenario) => !driven.includes(scenario));
        printTable(`clients, ${revision}`, lines, [
          ...left.map((scenario) => `${scenario.padEnd(48)}not driven: ${reasonAgainst(scenario)}`),
          ...Object.entries(DECIDED).map(([check, reason]) => `${check}: ${reason}`),
        ]);
        const different = lines.flatMap(({ differences }) => differences);
        expect(different.filter(({ scenario, id }) => !(`${scenario} ${id}` in DECIDED))).toEqual([]);
        expect(
          lines.filter((line) => line.unscored === undefined && (!line.direct || !line.through)),
        ).toEqual([]);
        expect(lines.length).toBeGreaterThanOrEqual(revision === '2025-11-25' ? 18 : 32);
      },
      PATIENCE_MS,
    );
  }, PATIENCE_MS),
);
