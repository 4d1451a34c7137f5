import { BlockList, isIPv6 } from 'node:net';
import * as fc from '../../../test/support/fast-check';
import { ipv4Header, ipv6Header, proxyHeader } from '../../../test/support/proxy-header';
import { PROXY_HEAD_BYTES, clientOfProxy, readProxyHead } from './proxy-header';

/** Reads a whole PROXY header. Returns an address, undefined for the load balancer itself, or the fault. */
function read(header: Buffer): { readonly address: string | undefined } | string {
  const head = readProxyHead(header.subarray(0, PROXY_HEAD_BYTES));
  if (head.kind === 'fault') return head.why;
  expect(header.length).toBeGreaterThanOrEqual(PROXY_HEAD_BYTES + head.rest);
  return {
    address: clientOfProxy(head, header.subarray(PROXY_HEAD_BYTES, PROXY_HEAD_BYTES + head.rest)),
  };
}

/** Whether two texts are spellings of one address. */
function isSame(one: string, other: string): boolean {
  const list = new BlockList();
  list.addAddress(other, 'ipv6');
  return isIPv6(one) && list.check(one, 'ipv6');
}

/** IPv6 addresses that contain an IPv4 address, nearly contain one, or use a deprecated form. */
const MAPPED = [
  [0, 0, 0, 0, 0, 0xff_ff, 0, 0],
  [0, 0, 0, 0, 0, 0xff_ff, 0xff_ff, 0xff_ff],
  [0, 0, 0, 0, 1, 0xff_ff, 0xc0_00, 0x02_01],
  [0, 0, 0, 0, 0, 0, 0xc0_00, 0x02_01],
  [0, 0, 0, 0, 0, 0, 0, 0],
];

describe('a header of the PROXY protocol', () => {
  it('names any client of IPv4, whatever follows the addresses', () => {
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.integer({ min: 0, max: 65_535 }),
        fc.uint8Array({ maxLength: 4_084 }),
        (ip, port, more) => {
          expect(read(ipv4Header(ip, port, Buffer.from(more)))).toEqual({ address: ip });
        },
      ),
    );
  });

  it('names any client of IPv6', () => {
    const groups = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 65_535 })), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(groups, fc.uint8Array({ maxLength: 100 }), (numbers, more) => {
        const ip = numbers.map((group) => group.toString(16)).join(':');
        const found = read(ipv6Header(numbers, 5432, Buffer.from(more)));
        if (typeof found === 'string') throw new Error(found);
        const isMapped = numbers.slice(0, 5).every((group) => group === 0) && numbers[5] === 0xff_ff;
        if (isMapped) expect(found.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        else expect([found.address, isSame(found.address ?? '', ip)]).toEqual([found.address, true]);
      }),
      { examples: MAPPED.map((numbers) => [numbers, new Uint8Array()]) },
    );
  });

  it('names an IPv4 client by its own address where it is mapped', () => {
    const mapped = [0, 0, 0, 0, 0, 0xff_ff, 0xc0_00, 0x02_01];
    expect(read(ipv6Header(mapped, 1))).toEqual({ address: '192.0.2.1' });
    expect(read(ipv6Header([0, 0, 0, 0, 0, 0xff_ff, 0, 0], 1))).toEqual({ address: '0.0.0.0' });
    expect(read(ipv6Header([0, 0, 0, 0, 0, 0, 0, 1], 1))).toEqual({ address: '::1' });
  });

  it('names nobody where the load balancer speaks for itself', () => {
    for (const family of [0x00, 0x11, 0x21, 0x31])
      expect(read(proxyHeader({ command: 0x20, family, rest: Buffer.alloc(12) }))).toEqual({
        address: undefined,
      });
  });

  it.each([
    [
      'a header of version 1',
      Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'),
      /version 1; only version 2/,
    ],
    [
      'a message of PostgreSQL',
      Buffer.from('\0\0\0\x08\x04\xd2\x16\x2f\0\0\0\0\0\0\0\0', 'latin1'),
      /no header/,
    ],
    ['another version', proxyHeader({ command: 0x31 }), /another version/],
    ['an unknown command', proxyHeader({ command: 0x22 }), /unknown command/],
    ['no family', proxyHeader({ family: 0x00, rest: Buffer.alloc(0) }), /no client that came by TCP/],
    ['UDP', proxyHeader({ family: 0x12 }), /no client that came by TCP/],
    ['a local socket', proxyHeader({ family: 0x31, rest: Buffer.alloc(216) }), /no client that came by TCP/],
    ['too few bytes for IPv4', proxyHeader({ rest: Buffer.alloc(11) }), /too short/],
    ['too few bytes for IPv6', proxyHeader({ family: 0x21, rest: Buffer.alloc(35) }), /too short/],
    ['64 KiB', proxyHeader({ rest: Buffer.alloc(65_535) }), /longer than 4096/],
  ])('is refused with %s', (_, header, why) => {
    expect(read(header)).toMatch(why);
  });

  it('is read or refused, and never throws, whatever comes', () => {
    const wild = fc
      .uint8Array({ minLength: PROXY_HEAD_BYTES, maxLength: 200 })
      .map((bytes) => Buffer.from(bytes));
    const nearly = wild.map((bytes) => Buffer.concat([proxyHeader({}).subarray(0, 12), bytes]));
    fc.assert(
      fc.property(fc.oneof(wild, nearly), (bytes) => {
        const head = readProxyHead(bytes.subarray(0, PROXY_HEAD_BYTES));
        if (head.kind === 'fault') return;
        expect(head.rest).toBeLessThanOrEqual(4_096);
        const address = clientOfProxy(head, Buffer.alloc(head.rest, 1));
        if (!head.isLocal) expect(address).toMatch(/^[\d.]+$|:/);
      }),
      { numRuns: 2_000 },
    );
  });
});
