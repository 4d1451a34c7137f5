import * as fc from '../../../../test/support/fast-check';
import { isLocalUri, isNamedUri, isRedirectUri, placeOfUri, redirectTo } from './redirect-uri';

describe('redirect URIs', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/cb?x=1',
    'https://app.example.com:8443/cb',
    'http://127.0.0.1:1/cb',
    'http://[::1]:1/cb',
    'http://localhost/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate?x=1',
    'com.example.app:/oauth2redirect/example-provider',
    'zed://agent',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://app.example.com/cb',
    'http://localhost.example.com/cb',
    'http://localhost@example.com/cb',
    'http://127.0.0.1.example.com/cb',
    'http://127.0.0.1:80:80/cb',
    'http://127.1/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'ftp://app.example.com/cb',
    'javascript://app.example.com/%0aalert(1)',
    'HTTPS://app.example.com/cb',
    'https:///app.example.com',
    'https://',
    'https://?x',
    'CURSOR://anysphere.cursor-mcp/cb',
    'cursor://user@anysphere.cursor-mcp/cb',
    'cursor://anysphere.cursor-mcp/cb#x',
    'cursor:///cb',
    'cursor:cb',
    'cursor:',
    'cursor://',
    'c:/windows/system32',
    'c://x/y',
    'java\tscript://x/%0aalert(1)',
  ])('may not be %s', (uri) => expect(isRedirectUri(uri)).toBe(false));

  /** Schemes that the browser or the operating system handles itself, whatever follows the colon. */
  const ANSWERED = (
    'javascript vbscript livescript data blob file filesystem about view-source ftp ws wss ' +
    'mailto tel sms ssh telnet smb ldap jar mhtml mk res intent android-app market x-man-page ' +
    'itms-services shortcuts x-apple.systempreferences ms-msdt ms-officecmd ms-word ' +
    'ms-settings search-ms search shell hcp microsoft-edge chrome chrome-extension ' +
    'moz-extension safari-web-extension web+any ext+any git+ssh'
  ).split(' ');

  it.each(ANSWERED)('may not begin with %s:', (scheme) => {
    fc.assert(
      fc.property(
        fc.constantFrom('', '/', '//', '///', '//host/', '//host', '//host/path?'),
        fc.webPath(),
        fc.constantFrom(
          scheme,
          scheme.toUpperCase(),
          ` ${scheme}`,
          `\t${scheme}`,
          `${scheme[0]}\n${scheme.slice(1)}`,
        ),
        (start, rest, written) => {
          expect(isRedirectUri(`${written}:${start}${rest}`)).toBe(false);
          expect(isRedirectUri(`${written}:${start}`)).toBe(false);
        },
      ),
    );
  });

  it('of applications are compared exactly', () => {
    const named = 'cursor://anysphere.cursor-mcp/oauth/callback';
    fc.assert(
      fc.property(
        fc.nat(named.length),
        fc.constantFrom('', '/', ':1', '?', 'x', '.', '%2f', 'A'),
        (at, more) => {
          const other = `${named.slice(0, at)}${more}${named.slice(at + (more === '' ? 1 : 0))}`;
          expect(isNamedUri(other, [named])).toBe(other === named);
        },
      ),
    );
    expect(isNamedUri('cursor://anysphere.cursor-mcp:5/oauth/callback', [named])).toBe(false);
  });

  it('are shown by what stands for the host, with the scheme of an application', () => {
    expect(placeOfUri('https://app.example.com:8443/cb')).toBe('app.example.com:8443');
    expect(placeOfUri('evil://github.com/cb')).toBe('evil://github.com');
    expect(placeOfUri('com.example.app:/cb')).toBe('com.example.app:');
    expect(['https://a.example/cb', 'http://127.0.0.1/cb', 'cursor://a/cb'].map(isLocalUri)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are compared as text, on loopback hosts without the port', () => {
    expect(isNamedUri('http://localhost:5/cb', ['http://localhost/cb'])).toBe(true);
    expect(isNamedUri('http://localhost/cb', ['http://localhost:5/cb'])).toBe(true);
    expect(isNamedUri('http://localhost:5/cb?', ['http://localhost/cb'])).toBe(false);
    expect(isNamedUri('http://[::1]:5/cb', ['http://127.0.0.1/cb'])).toBe(false);
    expect(isNamedUri('https://localhost:5/cb', ['https://localhost/cb'])).toBe(false);
    expect(isNamedUri('https://app.example.com/cb', [])).toBe(false);
  });

  it('keep their own parameters, except for those of the answer', () => {
    expect(redirectTo('https://app.example.com/cb?x=1&code=planted', { code: 'a&b', state: null })).toBe(
      'https://app.example.com/cb?x=1&code=a%26b',
    );
    expect(redirectTo('cursor://anysphere.cursor-mcp/cb', { code: 'a' })).toBe(
      'cursor://anysphere.cursor-mcp/cb?code=a',
    );
    expect(redirectTo('com.example.app:/cb?x=1', { code: 'a' })).toBe('com.example.app:/cb?x=1&code=a');
  });
});
