import ts from 'typescript';
import { operations } from '../support/operations';
import { nodesIn, portalSources } from '../support/portal/sources';
import { pattern, requestsIn } from '../support/portal/used-operations';

/** API operations that no screen uses, with the reasons. */
const UNUSED: Readonly<Record<string, string>> = {
  callback: 'the identity provider sends the browser to it',
  createAttribute: 'an attribute is created with the first connection or rule that has it (ATTRIBUTE-1)',
  createDownloadLink: 'for programs without a sign-in; the portal downloads with its cookie',
  deleteAttribute: 'an attribute that nothing has does no harm; scripts tidy up',
  downloadSession: 'for programs that were given a download link',
  getAttribute: 'the list has every field of an attribute',
  getSshPublicKey: 'the list has every field of a public key',
  getHealth: 'for the process supervisor; the screen of health shows the readiness',
  getPublicServerInfo: 'for clients before a sign-in; the page itself says what it needs',
  listEvidenceKeys: 'for those who verify evidence without the gateway',
  getSshUserCa: 'for the sshd_config of servers: docs/guides/servers.md',
  listSshHostKeys: 'for the known_hosts of SSH clients: docs/guides/ssh.md',
  updateAttribute: 'changes a description that no screen shows',
  updateSessionReview: 'the same as updateReview, for those who only know the session',
};

/** Addresses that are no operations. The portal shows those for MCP and for SCIM, and opens servers. */
const OTHERS = ['GET /mcp/{}', 'GET /scim/v2', 'GET /terminals/{}', 'GET /file-transfers/{}'];

/**
 * Names of functions that send a request to a gateway, or that run or show other people's text as code. This
 * test cannot check what is passed to them.
 */
const UNSEEN = new Set([
  'fetch',
  'XMLHttpRequest',
  'sendBeacon',
  'WebSocket',
  'dangerouslySetInnerHTML',
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'createContextualFragment',
  'srcdoc',
  'eval',
  'Function',
]);

/** Allowed uses of names in `UNSEEN`, and the request that each sends. */
const PLAIN: Readonly<Record<string, string>> = {
  'api/client.ts: fetch': 'sends what the generated client was asked for',
  'parts/server-link.ts: WebSocket': 'opens a terminal or the files of a server, the only one of its kind',
  'parts/patiently.ts: fetch': 'asks for the icon of the page, to learn whether a gateway is there',
};

describe('the operations of the API', () => {
  const requests = portalSources().flatMap((source) => requestsIn(source));
  const used = new Set(requests.map(({ method, path }) => pattern(method, path)));

  it('are each used by a screen, or listed with the reason why not', () => {
    const unused = operations
      .filter(({ method, path }) => !used.has(pattern(method, path)))
      .map(({ id }) => id);
    expect(unused.sort()).toEqual(Object.keys(UNUSED).sort());
    for (const reason of Object.values(UNUSED)) expect(reason.length).toBeGreaterThan(20);
  });

  it('exist, where a screen uses them', () => {
    const known = new Set([...operations.map(({ method, path }) => pattern(method, path)), ...OTHERS]);
    const others = requests.filter(({ method, path }) => !known.has(pattern(method, path)));
    expect(others).toEqual([]);
    expect(requests.length).toBeGreaterThan(80);
  });

  it('are used in no way that this file does not see, and what others wrote is never HTML', () => {
    expect([...new Set(portalSources().flatMap(unseen))].sort()).toEqual(Object.keys(PLAIN).sort());
    const source = ts.createSourceFile(
      'bad.tsx',
      'fetch(`${API}/users`); a.innerHTML = b; const c = <p dangerouslySetInnerHTML={{ __html: d }} />;',
      ts.ScriptTarget.Latest,
      true,
    );
    expect(unseen(source)).toEqual([
      'bad.tsx: fetch',
      'bad.tsx: innerHTML',
      'bad.tsx: dangerouslySetInnerHTML',
    ]);
    expect(requestsIn(source)).toEqual([{ method: 'GET', path: '/users', file: 'bad.tsx' }]);
  });
});

function unseen(source: ts.SourceFile): string[] {
  return [...nodesIn(source)]
    .filter((node) => ts.isIdentifier(node) && UNSEEN.has(node.text))
    .filter((node) => !(ts.isPropertyAssignment(node.parent) && node.parent.name === node))
    .map((node) => `${source.fileName}: ${node.getText()}`);
}
