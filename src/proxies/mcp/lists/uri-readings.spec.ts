import * as fc from '../../../../test/support/fast-check';
import { LOCAL_ADDRESSES, uriSpellingsOf } from '../../../../test/support/mcp/uri-spellings';
import { isAllowedUri } from './globs';
import { uriReadings } from './uri-readings';

const denying = (...denied: string[]) => ({ allowed: [], denied });

/** [a denied URI, the patterns that each deny it] */
const DENIED: [string, string[]][] = [
  [
    'file:///etc/passwd',
    [
      'file:///etc/passwd',
      'file:///etc/*',
      'file:/etc/*',
      'FILE://localhost/etc/*',
      'file:///%65tc/pass??',
      '*etc/passwd*',
    ],
  ],
  [
    'https://example.com/admin/users',
    [
      'https://example.com/admin/users',
      'https://example.com/admin/*',
      'HTTPS://Example.com:443/admin/*',
      'https://example.com./*',
      'https://*/admin/*',
      '*://example.com/admin*',
    ],
  ],
  [
    'postgres://main/secret/rows',
    ['postgres://main/secret/rows', 'postgres://main/secret*', 'postgres:/MAIN/*'],
  ],
  ['db://main/secret', ['db://main/secret', 'db://main/*', 'db:main/*', 'db:///main/secret*']],
];

// promises: TOOL-3
describe('the readings of a URI', () => {
  it.each(DENIED)('deny %s in each spelling, by each pattern', (uri, patterns) => {
    const spellings = uriSpellingsOf(uri);
    expect(spellings.length).toBeGreaterThan(1_500);
    for (const pattern of patterns) {
      const policy = denying(pattern);
      expect(isAllowedUri(policy, uri)).toBe(false);
      expect(
        spellings
          .filter((one) => isAllowedUri(policy, one.uri))
          .map(({ name, uri: it }) => [pattern, name, it]),
      ).toEqual([]);
    }
  });

  it.each(LOCAL_ADDRESSES)('deny an address in other numbers: %s', (uri) => {
    expect(isAllowedUri(denying('http://127.0.0.1/*'), uri)).toBe(false);
  });

  const OTHERS = denying(...DENIED.flatMap(([, patterns]) => patterns.slice(0, 3)), 'http://127.0.0.1/*');

  it.each([
    'file:///srv/readme.md',
    'file:/srv/readme.md',
    'file:///srv/my file.md',
    'file:///srv/a%20b%2Fc',
    'file:///C:/Users/Ada/notes.txt',
    'file:///srv/etc/passwd',
    'file://nas/share/x',
    'https://example.com/',
    'https://example.com/public?from=2026-01-01T10:00:00Z&to=#top',
    'https://example.com:8443/v1',
    'https://example.org/admin/users',
    'https://b\u00FCcher.example/x',
    'http://[::1]:3000/x',
    'http://localhost:3000/x',
    'postgres://ada@localhost:5432/people/schema',
    'db://mains/public',
    'db://my%20db/a:b',
    'docs://guide:intro/x',
    'keys://user:42:name',
    'db://other/secret',
    'note://gr\u00F6\u00DFe/\u{1F600}',
    'urn:isbn:0451450523',
    'mailto:ada@example.com',
    'memo:100%',
    'greeting',
    'docs/readme.md',
    'test://people/{id}',
    'file://{path}',
    'https://{host}:{port}/x{?q*}',
    'db://{db}/{+table}',
  ])('allow %s', (uri) => {
    expect(isAllowedUri(OTHERS, uri)).toBe(true);
    expect(isAllowedUri({ allowed: ['*'], denied: [] }, uri)).toBe(true);
    expect(isAllowedUri({ allowed: [uri.replaceAll('?', '*')], denied: ['x'] }, uri)).toBe(true);
  });

  it('have a denied URI among them, wherever it is written in other letters', () => {
    const chars = [...'etc/passwd'];
    const written = fc.tuple(
      ...chars.map((letter) =>
        fc.constantFrom(
          letter,
          `%${letter.charCodeAt(0).toString(16)}`,
          letter === '/' ? '//' : String.fromCodePoint(letter.codePointAt(0)! + 0xfe_e0),
          `${letter}\u200B`,
        ),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('file:', 'file:/', 'file://', 'FILE:///', 'file:////', 'file://localhost/'),
        written,
        (begin, rest) => !isAllowedUri(denying('file:///etc/*'), begin + rest.join('')),
      ),
    );
  });

  it('are few, and bounded by the length of the URI', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 });
    fc.assert(
      fc.property(fc.constantFrom('', 'file:', 'db://a@b:1/', 'https://'), text, (begin, rest) => {
        const { readings, isAmbiguous } = uriReadings(begin + rest);
        return isAmbiguous ? readings.length === 1 : readings.length < 250;
      }),
    );
    expect(uriReadings(`a://${'b'.repeat(3_000)}`).isAmbiguous).toBe(true);
  });

  it('are not compared where that would take long', () => {
    const denied = Array.from({ length: 200 }, (_, at) => `*x*${at}*`);
    const uri = `db://a@b:1/${'c'.repeat(1_900)};d?e#f`;
    expect(isAllowedUri({ allowed: [], denied }, uri)).toBe(false);
    expect(isAllowedUri({ allowed: [], denied: denied.slice(0, 5) }, uri)).toBe(true);
    expect(isAllowedUri({ allowed: [], denied }, `db://b/${'c'.repeat(200)}`)).toBe(true);
  });
});
