// The parsers of external input, each with the longest text that it may get at once. Rules and SQL are
// measured by the bench `bodies`, the wire protocol by `silence`.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const built = (file) => require(join(import.meta.dirname, '../../dist/src', `${file}.js`));

/** Characters of a body, or of a PostgreSQL or MCP message, that is read in one piece. */
const BODY = 1024 * 1024;
/** Characters of a message of an MCP server. */
const RESULT = 16 * BODY;
/** Characters of the headers of a request, with its address. */
const HEADERS = 16 * 1024;
/** Characters of a piece of a recording or of a result. */
const PIECE = 64 * 1024;
/** Characters of a form, a token, the arguments that a page shows, or a document of an identity provider. */
const DOCUMENT = 64 * 1024;
/** Characters of a name, a URI or a reference that is compared. */
const COMPARED = 2_048;

/**
 * Returns the parsers. `read` gets a text of at most `length` characters. It may throw, or return a
 * generator, whose longest step is measured.
 */
export function readers() {
  const { uriReadings, uriKey } = built('proxies/mcp/lists/uri-readings');
  const { isAllowed, isAllowedUri } = built('proxies/mcp/lists/globs');
  const names = built('kernel/text/names');
  const { shownPieces } = built('kernel/text/hidden-characters');
  const { pointerParts } = built('kernel/json/json-pointer');
  const { parseJson } = built('kernel/json/parse-json');
  const { decimalOf, plainNumber } = built('kernel/json/number-text');
  const { nameKey } = built('kernel/json/name-key');
  const challenges = built('targets/mcp/protocol/bearer-challenge');
  const { traceparentIn } = built('kernel/runtime/trace-context');
  const { personAddress } = built('approvals/reviews/machine/person-address');
  const tabular = built('kernel/text/tabular-text');
  const { harmlessCell } = built('sessions/reading/rendering/csv-text');
  const { checkQuery } = built('platform/http/query');
  const { csvRows, csvPart } = built('sessions/reading/rendering/csv-cells');
  const { plainLines } = built('sessions/reading/rendering/csv-plain-lines');
  const { asciicast } = built('sessions/reading/rendering/asciicast');
  const { Output } = built('sessions/reading/rendering/rendering');
  const { readTextQuery, textQueryRule } = built('sessions/search/text-query');
  const { quotedJson } = built('kernel/json/quoted-json');
  const { zoneOffset } = built('proxies/postgres/binary/time-zone');
  const { parsedEventId } = built('proxies/mcp/legacy/event-log');
  const { parseFilter } = built('identity/scim/filter/parse-filter');
  const { resolvePatchPath } = built('identity/scim/patch/patch-path');
  const { readPatch } = built('identity/scim/patch/patch-request');
  const { USER_TYPE } = built('identity/scim/schema/user-type');
  const redirects = built('mcp/authorization-server/protocol/redirect-uri');
  const { privateUseScheme } = built('mcp/authorization-server/protocol/private-use-uri');
  const { readMetadata } = built('mcp/authorization-server/protocol/client-metadata');
  const { typedUserCode } = built('mcp/authorization-server/protocol/user-code');
  const { hiddenSteps } = built('languages/tool-call/hidden-texts');
  const { jsonLeafSteps } = built('languages/tool-call/json-leaves');
  const { canonicalPlain } = built('languages/plain');
  const { SseReader } = built('targets/mcp/protocol/sse-reader');
  const { encodeHeaderValue, decodeHeaderValue } = built('targets/mcp/protocol/header-values');
  const { knownParams } = built('targets/mcp/protocol/known-members');
  const { redirectPlace } = built('targets/mcp/upstream/redirect-place');

  const list = {
    allowed: ['*a*b*', 'file:///*/x*', '?*?*c'],
    denied: Array.from({ length: 200 }, (_, index) => `*${'?*a'.repeat(30)}drop${index}*`),
  };
  const session = { id: 'a', startDate: new Date(0), endDate: null, connectionName: 'a' };
  const sink = { plain: () => undefined, special: () => undefined };
  return [
    ['readings of a URI', BODY, uriReadings],
    ['URI and patterns', BODY, (text) => isAllowedUri(list, text)],
    [
      'a URI as a pattern',
      COMPARED,
      (text) => isAllowedUri({ allowed: [text], denied: [] }, 'file:///a/b/c'),
    ],
    ['key of a pattern', COMPARED, uriKey],
    ['a name and patterns', BODY, (text) => isAllowed(list, text)],
    ['a name that is compared with patterns', COMPARED, (text) => isAllowed(list, text)],
    ['a name', COMPARED, (text) => names.isName(names.normalizedName(text))],
    ['a reason', DOCUMENT, (text) => names.isReason(names.normalizedReason(text))],
    ['a visible name', COMPARED, names.visibleName],
    ['hidden characters of a page', DOCUMENT, shownPieces],
    ['JSON pointer', COMPARED, pointerParts],
    ['JSON of an identity provider', DOCUMENT, parseJson],
    ['a number of JSON', 1_000, (text) => [decimalOf(text), plainNumber(text)]],
    ['name of a member', 4_096, nameKey],
    ['a challenge', HEADERS, (text) => challenges.demandedScope(`Bearer ${text}`)],
    ['scopes', HEADERS, (text) => challenges.coversScope(text, text)],
    ['traceparent', HEADERS, (text) => traceparentIn({ traceparent: text })],
    ['an address of a person', 1_024, personAddress],
    ['a query', HEADERS, (text) => checkQuery(`/a?${encodeURI(text).slice(0, HEADERS)}`, new Set(['a']))],
    ['a row of a result', PIECE, (text) => [tabular.renderRow([text]), tabular.parseRow(text)]],
    ['a cell of csv', PIECE, (text) => [csvPart(text, true), harmlessCell(text)]],
    ['rows of csv', PIECE, (text) => csvRows([{ first: ['1'], line: text.replaceAll('\n', ' ') }])],
    ['plain rows of csv', PIECE, (text) => plainLines(Buffer.from(`${text}\n`), Buffer.from('1,'), sink)],
    ['asciicast', PIECE, (text) => cast(asciicast(session), new Output(), Buffer.from(text))],
    ['a search', 200, (text) => [textQueryRule(text), readTextQuery(text)]],
    ['a masked document', BODY, quotedJson],
    ['a time zone', BODY, (text) => zoneOffset(text, 0n)],
    ['id of an event', HEADERS, parsedEventId],
    ['a filter of SCIM', HEADERS, (text) => parseFilter(text, USER_TYPE)],
    ['an opened filter of SCIM', HEADERS, (text) => parseFilter(`userName eq "a" and ${text}`, USER_TYPE)],
    ['a path of PATCH', BODY, (text) => resolvePatchPath(USER_TYPE, text)],
    ['a filter in a path of PATCH', BODY, (text) => resolvePatchPath(USER_TYPE, `emails[${text}]`)],
    [
      'operations of PATCH',
      BODY,
      (text) => readPatch({ schemas: [text], Operations: [{ op: text, path: text, value: text }] }),
    ],
    ['a redirect URI', BODY, (text) => [redirects.isRedirectUri(text), redirects.isLocalUri(text)]],
    ['named redirect URIs', HEADERS, (text) => redirects.isNamedUri(text, ['http://127.0.0.1/a', text])],
    ['a scheme of an application', BODY, privateUseScheme],
    ['metadata of a client', BODY, (text) => readMetadata({ client_name: text, redirect_uris: [text] })],
    ['a typed code', DOCUMENT, typedUserCode],
    ['hidden texts of arguments', BODY, hiddenSteps],
    ['hidden texts of a result', RESULT, hiddenSteps],
    ['leaves of arguments', BODY, jsonLeafSteps],
    ['leaves of a result', RESULT, jsonLeafSteps],
    ['a plain text', 32_000, canonicalPlain],
    ['server-sent events', PIECE, (text) => [...new SseReader(BODY).read(Buffer.from(text))]],
    ['a header of MCP', HEADERS, (text) => [decodeHeaderValue(text), encodeHeaderValue(text)]],
    ['parameters of MCP', 4_096, (text) => knownParams('tools/call', { name: text, [text]: text })],
    ['a redirect of a server', HEADERS, (text) => redirectPlace(text, new URL('https://a.example/b'))],
  ].map(([name, length, read]) => ({ name, length, read }));
}

function cast(rendering, out, content) {
  rendering.begin({ time: 0, type: 'o' }, out);
  rendering.content({ type: 'o', content }, out);
  rendering.end(out);
  return out.takeOutput();
}
