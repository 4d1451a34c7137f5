import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { CallAdmission } from '../../../src/gate/approval';
import type { DurableWriter } from '../../../src/gate/durable-writer';
import type { Gate } from '../../../src/gate/gate';
import { inputHash } from '../../../src/gate/script-input';
import type { Admission, Session } from '../../../src/gate/session';
import type { Principal } from '../../../src/kernel/principal';
import { ClientListener } from '../../../src/proxies/kit/client-listener';
import { SocketSink } from '../../../src/proxies/kit/socket-sink';
import { dialEcho } from './echo-server';

/** The person behind a client, and the connection that the client opens. */
interface SignedIn {
  readonly principal: Principal;
  readonly connection: string;
  readonly credentialId: string | null;
  readonly until: Date | null;
}

/** Signs in a client by its first line. Returns undefined if the client is refused. */
export type LinesSignIn = (line: string) => Promise<SignedIn | undefined>;

/** Returns the sign-in for a client whose person is already known. Its first line names the connection. */
export function knownAs(principal: Principal): LinesSignIn {
  return async (connection) => ({ principal, connection, credentialId: null, until: null });
}

interface LinesClient extends SignedIn {
  readonly socket: Socket;
  readonly lines: AsyncIterator<string>;
}

const no = (message: string) => (): Error => new Error(message);

/** A protocol of lines that does only the framing. The gate decides which lines are forwarded, and when. */
export function linesProxy(gate: Gate, signIn: LinesSignIn): ClientListener<LinesClient> {
  return new ClientListener<LinesClient>({
    name: 'lines',
    signInLimit: 10,
    signInWithinMs: () => 5_000,
    async signIn(socket) {
      const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
      const signedIn = await signIn(String((await lines.next()).value));
      if (signedIn !== undefined) return { socket, lines, ...signedIn };
      socket.end('no: sign in\n');
      return undefined;
    },
    async serve(client) {
      const session = await gate.connect(client.principal, {
        connection: client.connection,
        labels: {},
        metadata: {},
        batchId: null,
        correlationId: null,
        reason: null,
        credentialId: client.credentialId,
        until: client.until,
      });
      const server = await dialEcho(session.target.openSecret()['PORT']);
      const on = { room: () => undefined, failed: () => client.socket.destroy() };
      const toTarget = session.toTarget(new SocketSink(server), on);
      const toClient = session.toClient(new SocketSink(client.socket), on);
      // The server echoes each line, so its answers come in the order of the forwarded lines.
      const forwarded: (Admission | CallAdmission)[] = [];
      createInterface({ input: server }).on('line', (line) => {
        const admission = forwarded.shift();
        void deliver(session, toClient, line).then(() =>
          admission !== undefined && 'over' in admission ? admission.over?.() : undefined,
        );
      });
      for (let next = await client.lines.next(); next.done !== true; next = await client.lines.next()) {
        const admission = await admit(session, next.value);
        if (admission.kind === 'forward') {
          forwarded.push(admission);
          toTarget.write([Buffer.from(`${next.value}\n`)]);
        } else if (admission.kind === 'pending') {
          toClient.write([Buffer.from(`waits: ${admission.reviewId}\n`)]);
        } else toClient.write([Buffer.from(`no: ${admission.message}\n`)]);
      }
      server.destroy();
      await session.end(0);
    },
    reasons: { tooLate: no('late'), crowded: no('crowded'), stopping: no('stopping') },
  });
}

/** Admits a line. The line `call <name> <arguments>` is a tool call, and every other line is a statement. */
async function admit(session: Session, line: string): Promise<Admission | CallAdmission> {
  const [, name, given] = /^call (\S+) (.*)$/.exec(line) ?? [];
  if (name === undefined || given === undefined) return session.admitAhead({ kind: 'statement', text: line });
  const hash = await inputHash({ script: name, arguments: [given], environment: {} });
  return session.admitCall({
    kind: 'call',
    text: line,
    judged: [{ text: given, as: 'input' }],
    call: { name, arguments: given, hash },
  });
}

async function deliver(session: Session, toClient: DurableWriter, line: string): Promise<void> {
  const stream = session.openStream('o');
  for (const delivery of [await stream.push(`${line}\n`), await stream.finish()])
    if (delivery.kind === 'blocked') toClient.write([Buffer.from(`no: ${delivery.message}\n`)]);
    else if (delivery.text !== '') toClient.write([Buffer.from(delivery.text)]);
}
