/** Valid and invalid headers of the PROXY protocol, version 2. */

const SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);

interface HeaderParts {
  readonly command?: number;
  readonly family?: number;
  readonly rest?: Buffer;
}

export function proxyHeader({ command = 0x21, family = 0x11, rest = Buffer.alloc(12) }: HeaderParts): Buffer {
  const head = Buffer.from([command, family, 0, 0]);
  head.writeUInt16BE(rest.length, 2);
  return Buffer.concat([SIGNATURE, head, rest]);
}

/** @param more bytes after the addresses */
export function ipv4Header(client: string, port = 40_000, more = Buffer.alloc(0)): Buffer {
  const addresses = Buffer.from([...client.split('.').map(Number), 127, 0, 0, 1]);
  return proxyHeader({ rest: Buffer.concat([addresses, portsOf(port), more]) });
}

/** @param client the eight groups of its address */
export function ipv6Header(client: readonly number[], port = 40_000, more = Buffer.alloc(0)): Buffer {
  const addresses = Buffer.alloc(32);
  for (const [index, group] of client.entries()) addresses.writeUInt16BE(group, index * 2);
  addresses[31] = 1;
  return proxyHeader({ family: 0x21, rest: Buffer.concat([addresses, portsOf(port), more]) });
}

function portsOf(port: number): Buffer {
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(port);
  ports.writeUInt16BE(15_432, 2);
  return ports;
}
