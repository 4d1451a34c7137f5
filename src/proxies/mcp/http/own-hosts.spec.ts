import { OwnHosts } from './own-hosts';

describe('the hosts of the gateway', () => {
  const hosts = new OwnHosts('https://gateway.example.com:8443', [
    'agents.internal',
    'xn--bcher-kva.example',
  ]);

  it.each([
    'gateway.example.com',
    'gateway.example.com:8443',
    // Any port is accepted, because only the host counts.
    'gateway.example.com:1',
    'Gateway.EXAMPLE.com',
    'gateway.example.com.',
    'gateway.example.com.:443',
    'agents.internal',
    'AGENTS.internal.:8009',
    'xn--bcher-kva.example',
    'localhost',
    'LOCALHOST:8009',
    'localhost.:8009',
    'demo.localhost',
    '127.0.0.1',
    '127.1.2.3:8009',
    '10.0.0.7:8009',
    '[::1]',
    '[::1]:8009',
    '[2001:DB8::7]:443',
  ])('have %s among them', (host) => {
    expect(hosts.has(host)).toBe(true);
  });

  it.each([
    '',
    ':8009',
    'evil.example',
    'evil.example:8443',
    'gateway.example.com.evil.example',
    'evil-gateway.example.com',
    'example.com',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.example',
    'localhost.evil.example',
    'notlocalhost',
    'localhost..',
    'gateway.example.com..',
    'user@gateway.example.com',
    'gateway.example.com@evil.example',
    'evil.example/gateway.example.com',
    'evil.example\\@gateway.example.com',
    'gateway.example.com, evil.example',
    'gateway.example.com evil.example',
    'evil.example#gateway.example.com',
    'evil.example?gateway.example.com',
    '[::1]evil.example',
    '[::1',
    '::1',
    '[evil.example]',
    'gateway.example.com:80:80',
    'gateway.example.com:port',
    '%67ateway.example.com',
    '1.2.3.4.5',
  ])('do not have "%s"', (host) => {
    expect(hosts.has(host)).toBe(false);
  });

  it('must be all that a request came by', () => {
    expect(hosts.areOf(undefined, undefined)).toBe(false);
    expect(hosts.areOf(undefined, 'gateway.example.com')).toBe(false);
    expect(hosts.areOf('agents.internal', 'gateway.example.com, agents.internal')).toBe(true);
    expect(hosts.areOf('agents.internal', 'evil.example')).toBe(false);
    expect(hosts.areOf('agents.internal', 'gateway.example.com, evil.example')).toBe(false);
    expect(hosts.areOf('agents.internal', '')).toBe(false);
    expect(hosts.areOf('evil.example', 'gateway.example.com')).toBe(false);
  });
});
