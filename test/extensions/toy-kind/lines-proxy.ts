import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { DurableWriter } from '../../../src/gate/durable-writer';
import type { Gate } from '../../../src/gate/gate';
import type { Session } from '../../../src/gate/session';
import type { Principal } from '../../../src/kernel/principal';
import { ClientListener } from '../../../src/proxies/kit/client-listener';
import { SocketSink } from '../../../src/proxies/kit/socket-sink';
import { dialEcho } from './echo-server';

/** A client that named its connection in its first line. */
interface LinesClient {
  readonly socket: Socket;
  readonly connection: string;
  readonly lines: AsyncIterator<string>;
}

const no = (message: string) => (): Error => new Error(message);

/** A protocol of lines: framing and nothing else. What may go on, and when, is the gate's to say. */
export function linesProxy(gate: Gate, principal: Principal): ClientListener<LinesClient> {
  return new ClientListener<LinesClient>({
    name: 'lines',
    signInLimit: 10,
    signInWithinMs: () => 5_000,
    async signIn(socket) {
      const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
      const first = await lines.next();
      return { socket, lines, connection: String(first.value) };
    },
    async serve(client) {
      const session = await gate.connect(principal, {
        connection: client.connection,
        labels: {},
        metadata: {},
        batchId: null,
        correlationId: null,
        reason: null,
        credentialId: null,
        until: null,
      });
      const server = await dialEcho(session.target.openSecret()['PORT']);
      const on = { room: () => undefined, failed: () => client.socket.destroy() };
      const toTarget = session.toTarget(new SocketSink(server), on);
      const toClient = session.toClient(new SocketSink(client.socket), on);
      createInterface({ input: server }).on('line', (line) => void deliver(session, toClient, line));
      for (let next = await client.lines.next(); next.done !== true; next = await client.lines.next()) {
        const admission = await session.admitAhead({ kind: 'statement', text: next.value });
        if (admission.kind === 'forward') toTarget.write([Buffer.from(`${next.value}\n`)]);
        else toClient.write([Buffer.from(`no: ${'message' in admission ? admission.message : ''}\n`)]);
      }
      server.destroy();
      await session.end(0);
    },
    reasons: { tooLate: no('late'), crowded: no('crowded'), stopping: no('stopping') },
  });
}

async function deliver(session: Session, toClient: DurableWriter, line: string): Promise<void> {
  const stream = session.openStream('o');
  for (const delivery of [await stream.push(`${line}\n`), await stream.finish()])
    if (delivery.kind === 'blocked') toClient.write([Buffer.from(`no: ${delivery.message}\n`)]);
    else if (delivery.text !== '') toClient.write([Buffer.from(delivery.text)]);
}
