import { isNamedUri, isRedirectUri, redirectTo } from './redirect-uri';

describe('redirect URIs', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/cb?x=1',
    'https://app.example.com:8443/cb',
    'http://127.0.0.1:1/cb',
    'http://[::1]:1/cb',
    'http://localhost/cb',
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
  ])('may not be %s', (uri) => expect(isRedirectUri(uri)).toBe(false));

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
  });
});
