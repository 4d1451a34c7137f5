import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { MemoryTrail, expectNever } from '../../../test/support/gated-session';
import { hereInstead, words } from '../../../test/support/rule-entries';
import { MessageSplitter } from '../../../test/support/wire/message-splitter';
import { fieldsOf } from '../../../test/support/wire-client';
import * as wire from '../../../test/support/wire-messages';
import { GuardedTrail } from '../../gate/guarded-trail';
import type { Target } from '../../gate/ports/target-directory';
import { Session } from '../../gate/session';
import { GuardrailEngine } from '../../guardrails/engine/guardrail-engine';
import { plainText } from '../../languages/plain';
import type { SessionTypes } from './binary/type-catalog';
import { Relay } from './relay';
import { failingQuery } from './wire/client-messages';
import { errorResponse } from './wire/error-fields';
import { readyForQuery } from './wire/start-up-answers';

/** A socket whose other side is the test. */
class Side extends Duplex {
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

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** Resolves once the relay has read all that the client sent, or has stopped reading. */
async function read(client: Side): Promise<void> {
  // A client that only waits for its turn is read again in the next turn of the event loop.
  for (let still = 0, left = client.readableLength; left > 0 && still < 10; left = client.readableLength) {
    await turn();
    still = client.isPaused() && client.readableLength === left ? still + 1 : 0;
  }
}

const BYTES = 16 * 1024;
const COUNT = 1_000;
const REFUSED = wire.query(`SELECT forbidden ${'x'.repeat(BYTES)}`);
const FAILED = Buffer.concat([
  errorResponse({ severity: 'ERROR', code: '42601', message: 'syntax error' }),
  readyForQuery('I'),
]);

describe('a client that pipelines more refused statements than memory should hold', () => {
  it('is read no further until they are recorded, and then gets each refusal', async () => {
    let recorded!: () => void;
    const trail = new MemoryTrail(
      Infinity,
      new Promise((resolve) => {
        recorded = resolve;
      }),
    );
    const rule = { id: '1', name: 'r', input: { rules: [words(['forbidden'])] }, output: { rules: [] } };
    const engine = new GuardrailEngine([rule], plainText, hereInstead);
    const session = new Session(
      new GuardedTrail({ recording: { results: false } } as Target, trail, { for: () => engine }),
    );
    await session.askForRules();
    const [client, server] = [new Side(), new Side()];
    const relay = new Relay(session, {
      client: client as unknown as Socket,
      fromClient: Buffer.alloc(0),
      server: server as unknown as Socket,
      fromServer: Buffer.alloc(0),
      parameters: new Map(),
      types: { find: () => undefined } as unknown as SessionTypes,
      ask: expectNever,
      cancel: async () => undefined,
      idleMs: 0,
    });
    relay.start();
    for (let count = 0; count < COUNT; count += 1) client.push(REFUSED);
    await read(client);
    const inputs = (): number => trail.events.filter(([type]) => type === 'i').length;
    expect(inputs()).toBeGreaterThan(1);
    expect(inputs() * BYTES).toBeLessThan(2 * 1024 * 1024);
    expect(server.received).toHaveLength(0);

    recorded();
    for (let answered = 0; answered < COUNT; await turn()) {
      const sent = server.received.length / failingQuery.length;
      for (; answered < sent; answered += 1) server.push(FAILED);
    }
    const errors = (): string[] =>
      new MessageSplitter()
        .push(client.received)
        .filter(({ type }) => type === 'E')
        .map((message) => fieldsOf(message)['C'] ?? '');
    while (errors().length < COUNT) await turn();
    expect(errors()).toEqual(Array.from({ length: COUNT }, () => '42501'));
    expect(inputs()).toBe(COUNT);
    relay.abort();
    await relay.ended;
  });
});
