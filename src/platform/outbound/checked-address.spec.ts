import { ForbiddenAddress, checkedAddresses } from './checked-address';

/**
 * Checks the host of a URL, such as REMOTE_URL. Before the check, the URL parser normalizes unusual forms of
 * an address.
 */
const check = async (url: string, allowed: string[] = []) =>
  (await checkedAddresses(new URL(url).hostname, allowed))[0];

describe('a checked address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST/',
  ])('is refused for %s', async (url) => {
    await expect(check(url)).rejects.toThrow(ForbiddenAddress);
  });

  it.each([
    ['http://8.8.8.8/', '8.8.8.8', 4],
    ['http://172.15.255.255/', '172.15.255.255', 4],
    ['http://172.32.0.0/', '172.32.0.0', 4],
    ['http://100.63.255.255/', '100.63.255.255', 4],
    ['http://169.253.255.255/', '169.253.255.255', 4],
    ['http://223.255.255.255/', '223.255.255.255', 4],
    ['http://[2606:4700::1111]/', '2606:4700::1111', 6],
  ])('is given for the public %s', async (url, address, family) => {
    await expect(check(url)).resolves.toEqual({ address, family });
  });

  it('is given for a host on the allow-list, by its very name only', async () => {
    await expect(check('http://127.0.0.1/', ['127.0.0.1'])).resolves.toMatchObject({ address: '127.0.0.1' });
    await expect(check('http://[::1]/', ['::1'])).resolves.toEqual({ address: '::1', family: 6 });
    await expect(check('http://localhost/', ['127.0.0.1'])).rejects.toThrow(ForbiddenAddress);
    await expect(check('http://127.0.0.2/', ['127.0.0.1'])).rejects.toThrow(ForbiddenAddress);
  });

  it('never tells the address in its words', async () => {
    await expect(check('http://169.254.169.254/')).rejects.toThrow(/^the address of the target is private$/);
    await expect(check('http://localhost/')).rejects.toThrow(/^the address of its host is private$/);
  });
});
