import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SSL_REQUEST } from '../raw-client';
import type { Draw } from './draw';
import type { Stage } from './mutations';
import { WireClient, type WireConfig } from './wire-client';

/** Ways to start a connection: in plain text, in TLS after an SSLRequest, or in TLS from the first byte. */
const WAYS = ['plain', 'asked', 'direct'] as const;
type Way = (typeof WAYS)[number];

/** One in this number of TLS connections writes the broken messages below TLS, into the TCP socket. */
const BELOW_ONCE_IN = 8;

export interface LineOptions {
  readonly port: number;
  readonly host?: string;
  readonly signIn?: WireConfig;
  /** Whether the server supports TLS. If true, two in three connections use TLS. */
  readonly tls?: boolean;
}

export interface Line {
  /** Socket of the client. The connection has ended when this socket closes. */
  readonly socket: Socket;
  /** Socket to which the broken messages are written: `socket`, or the TCP socket below its TLS. */
  readonly into: Socket;
}

/** Opens a connection, and signs in if the stage is `signed in`. Rejects if the port is closed. */
export async function openLine(draw: Draw, stage: Stage, options: LineOptions): Promise<Line> {
  const way = options.tls === true ? draw.pick(WAYS) : 'plain';
  const isBelow = way !== 'plain' && draw.once(BELOW_ONCE_IN);
  const { socket, below } =
    stage === 'signed in' ? await signedIn(way, options.signIn) : await opened(way, options);
  for (const each of [socket, below]) each.on('error', () => undefined);
  return { socket, into: isBelow ? below : socket };
}

function signedIn(way: Way, signIn: WireConfig = {}): Promise<WireClient> {
  if (way === 'plain') return WireClient.connect(signIn);
  const sslnegotiation = way === 'direct' ? 'direct' : 'postgres';
  return WireClient.connect({ ...signIn, ssl: { rejectUnauthorized: false }, sslnegotiation });
}

async function opened(
  way: Way,
  { port, host = '127.0.0.1' }: LineOptions,
): Promise<{ socket: Socket; below: Socket }> {
  const below = connect(port, host).setNoDelay(true);
  await once(below, 'connect');
  if (way === 'plain') return { socket: below, below };
  if (way === 'asked') {
    below.write(SSL_REQUEST);
    const [answer] = (await once(below, 'data')) as [Buffer];
    if (answer.toString() !== 'S') throw new Error('TLS was refused');
  }
  const socket = connectTls({ socket: below, rejectUnauthorized: false, ALPNProtocols: ['postgresql'] });
  await once(socket, 'secureConnect');
  return { socket, below };
}
