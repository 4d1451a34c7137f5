import { TrustedNetworks } from './trusted-networks';

describe('trusted networks', () => {
  const networks = new TrustedNetworks(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::1']);

  it.each([
    ['10.1.255.1', true],
    ['10.2.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['::ffff:10.1.2.3', true],
    ['::ffff:10.2.2.3', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['::1', true],
    ['2001:db8::1%eth0', true],
    ['', false],
    [undefined, false],
    ['load-balancer', false],
  ])('have %s: %s', (address, isIn) => {
    expect(networks.has(address)).toBe(isIn);
  });

  it('have nobody where there are none', () => {
    expect(new TrustedNetworks([]).has('127.0.0.1')).toBe(false);
    expect(new TrustedNetworks(['0.0.0.0/0']).has('203.0.113.1')).toBe(true);
  });
});
