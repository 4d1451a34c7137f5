import { conformanceOffer } from '../support/mcp/conformance-offer';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { LOOPBACK_HOSTS, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { startBearerShim } from './bearer-shim';
import { ConformanceSuite, type Revision } from './suite';
import { compared, printTable } from './table';

/** Time limit of a test, including the time that npm needs to download the conformance suite. */
const PATIENCE_MS = 600_000;

/**
 * Ids of checks that pass directly and not through the gateway, by our decision, with the reasons. No
 * scenario fails because of them.
 */
const DECIDED: Readonly<Record<string, string>> = {
  'sep-2322-ignore-unexpected-params':
    'The scenario answers a question before it is asked. The gateway drops such answers: an approval is for a call without them. (SHOULD)',
};

/**
 * `npm run test:conformance`: the official suite is run against a server of our own, and against the gateway
 * in front of it.
 */
describe(
  'the scenarios for servers',
  scoped((begin) => {
    const suite = begin(() => ConformanceSuite.fetch());
    const shim = begin(() => startBearerShim());
    const server = begin(() => startMcpServer('dual', LOOPBACK_HOSTS, conformanceOffer));
    const path = beginMcpPath(begin, () => ({ MCP_ALLOWED_ORIGINS: shim.origin }));

    it.each<Revision>(['2025-11-25', '2026-07-28'])(
      'of %s pass through the gateway as they do direct',
      async (revision) => {
        const policy = { server_requests: ['sampling', 'elicitation', 'roots'] };
        const name = await path.connection(server.url, { mcp_policy: policy });
        shim.lead(path.endpoint(name), await path.gateway.token('alice'));
        const [direct, through] = await Promise.all([
          suite.server(server.url, revision),
          suite.server(shim.origin, revision),
        ]);
        const scored = suite.scored(revision, 'server');
        const lines = compared(scored, suite.unscored(revision, 'server'), direct, through);
        const isDecided = (id: string): boolean => Object.hasOwn(DECIDED, id);
        const found = lines.flatMap(({ differences }) => differences);
        const notes = found.filter(({ id }) => isDecided(id)).map(({ id }) => `${id}: ${DECIDED[id]}`);
        printTable(`servers, ${revision}`, lines, notes);
        expect(found.filter(({ id }) => !isDecided(id))).toEqual([]);
        // A scenario that our own server fails would prove nothing about the gateway.
        const counted = lines.filter(({ unscored }) => unscored === undefined);
        expect(counted.filter((line) => !line.direct || !line.through)).toEqual([]);
        expect(counted.length).toBeGreaterThanOrEqual(30);
      },
      PATIENCE_MS,
    );
  }, PATIENCE_MS),
);
