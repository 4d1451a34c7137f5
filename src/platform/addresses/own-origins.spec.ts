import * as fc from '../../../test/support/fast-check';
import { OwnOrigins } from './own-origins';

const local = new OwnOrigins({ apiUrl: 'http://127.0.0.1:21000', port: 21_000, ownHosts: [] });
const remote = new OwnOrigins({
  apiUrl: 'https://gateway.example.com/access',
  port: 8009,
  ownHosts: ['agents.internal', '10.0.0.5', '2001:db8::1'],
});

describe('the origins of the gateway', () => {
  it.each<[OwnOrigins, string]>([
    [local, 'http://127.0.0.1:21000'],
    [local, 'http://localhost:21000'],
    [local, 'http://[::1]:21000'],
    [remote, 'https://gateway.example.com'],
    [remote, 'https://agents.internal'],
    [remote, 'http://agents.internal:8009'],
    [remote, 'http://AGENTS.internal.:8009'],
    [remote, 'http://10.0.0.5:8009'],
    [remote, 'http://[2001:db8::1]:8009'],
  ])('%# have %s', (origins, url) => expect(origins.has(new URL(url))).toBe(true));

  it.each<[OwnOrigins, string]>([
    [local, 'http://localhost:21001'],
    [local, 'http://localhost'],
    [local, 'https://localhost:21000'],
    [local, 'http://127.0.0.2:21000'],
    [local, 'http://192.168.1.5:21000'],
    [local, 'http://localhost.evil.example:21000'],
    [remote, 'http://gateway.example.com'],
    [remote, 'https://gateway.example.com:8010'],
    [remote, 'http://localhost:8009'],
    [remote, 'http://127.0.0.1:8009'],
    [remote, 'http://agents.internal:8010'],
    [remote, 'http://agents.internal.evil.example:8009'],
    [remote, 'http://10.0.0.6:8009'],
    [remote, 'ftp://agents.internal'],
  ])('%# do not have %s', (origins, url) => expect(origins.has(new URL(url))).toBe(false));

  it('stand in place of that of API_URL, and keep its path', () => {
    expect(local.urlAt('http', 'localhost:21000')).toBe('http://localhost:21000');
    expect(remote.urlAt('http', 'Agents.internal:8009')).toBe('http://agents.internal:8009/access');
    expect(remote.urlAt('https', 'agents.internal')).toBe('https://agents.internal/access');
    for (const host of [
      undefined,
      '',
      'evil.example',
      'agents.internal:8010',
      'x@agents.internal',
      'agents.internal/x',
    ])
      expect(remote.urlAt('https', host)).toBe('https://gateway.example.com/access');
  });

  it('are never what a request says alone', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.ipV4(), fc.webAuthority()),
        (host) => {
          fc.pre(!/agents\.internal|10\.0\.0\.5|gateway\.example\.com/i.test(host));
          expect(remote.urlAt('http', host)).toBe('https://gateway.example.com/access');
        },
      ),
    );
  });
});
