import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { GuardedTrail } from '../../src/gate/guarded-trail';
import type { GuardrailSet } from '../../src/gate/ports/guardrails';
import type { Target } from '../../src/gate/ports/target-directory';
import { Session } from '../../src/gate/session';
import type { SessionTypes } from '../../src/proxies/postgres/binary/type-catalog';
import { Relay } from '../../src/proxies/postgres/relay';
import { type MemoryTrail, expectNever } from './gated-session';

/** A socket whose other side is the test. */
export class Side extends Duplex {
  private readonly pieces: Buffer[] = [];

  override _read(): void {
    // Nothing to do: the test pushes bytes.
  }

  override _write(bytes: Buffer, _: string, done: () => void): void {
    this.pieces.push(bytes);
    done();
  }

  get received(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

export interface PlayedRelay {
  readonly relay: Relay;
  readonly client: Side;
  readonly server: Side;
}

interface Settings {
  readonly trail: MemoryTrail;
  readonly rules: GuardrailSet;
  /** Bytes that the client sent during its start-up. */
  readonly command?: Buffer;
  readonly isRecorded?: boolean;
  readonly idleMs?: number;
}

/** Starts a relay between a client and a server of the PostgreSQL protocol, both played by the test. */
export async function startPlayedRelay({
  trail,
  rules,
  command = Buffer.alloc(0),
  isRecorded = false,
  idleMs = 0,
}: Settings): Promise<PlayedRelay> {
  const [client, server] = [new Side(), new Side()];
  const target = { recording: { results: isRecorded } } as Target;
  const session = new Session(new GuardedTrail(target, trail, { areCached: true, for: () => rules }));
  await session.askForRules();
  const relay = new Relay(session, {
    client: client as unknown as Socket,
    fromClient: command,
    server: server as unknown as Socket,
    fromServer: Buffer.alloc(0),
    parameters: new Map(),
    types: { find: () => undefined } as unknown as SessionTypes,
    ask: expectNever,
    cancel: async () => undefined,
    idleMs,
  });
  relay.start();
  return { relay, client, server };
}

/** Resolves in the next turn of the event loop. */
export const turn = (): Promise<void> => new Promise((next) => setImmediate(next));
