import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../support/table-owners';
import { ROOT } from '../support/root';

/** Files that may call `AbortSignal.any`, each with the signal that always aborts and so frees its memory. */
const ALWAYS_ABORTED = new Map([
  ['proxies/mcp/calls/held-calls.ts', 'a time-out'],
  ['proxies/mcp/legacy/legacy-requests.ts', 'a time-out'],
  ['platform/outbound/checked-fetch.ts', 'a time-out'],
  ['proxies/mcp/visits/visit.ts', 'the client that listens leaves, or its visit ends'],
]);

it('AbortSignal.any, which is kept while somebody listens, is used only where a signal aborts in any case', () => {
  const root = join(ROOT, 'src');
  const using = sourceFiles(root).filter((file) =>
    /AbortSignal\.any\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(using.toSorted()).toEqual([...ALWAYS_ABORTED.keys()].toSorted());
});
