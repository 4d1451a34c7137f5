import { isDeepStrictEqual } from 'node:util';
import { MemoryTrail } from '../../../test/support/gated-session';
import { type Side, startPlayedRelay, turn } from '../../../test/support/played-relay';
import { detector, hereInstead, words } from '../../../test/support/rule-entries';
import { engineOf } from '../../../test/support/screening';
import { MessageSplitter } from '../../../test/support/wire/message-splitter';
import { fieldsOf } from '../../../test/support/wire-client';
import * as wire from '../../../test/support/wire-messages';
import { GuardrailEngine } from '../../guardrails/engine/guardrail-engine';
import { plainText } from '../../languages/plain';
import { failingQuery } from './wire/client-messages';
import { errorResponse, noticeResponse } from './wire/error-fields';
import { int32, message, text } from './wire/message';
import { readyForQuery } from './wire/start-up-answers';

/** Resolves once the relay has read all that a side sent, or has stopped reading. */
async function read(side: Side): Promise<void> {
  // Waits up to ten turns of the event loop, because a side that waits for its turn is read in the next turn.
  for (let still = 0, left = side.readableLength; left > 0 && still < 10; left = side.readableLength) {
    await turn();
    still = side.isPaused() && side.readableLength === left ? still + 1 : 0;
  }
}

/** Returns a guardrail engine that refuses inputs with this word. */
function refusing(word: string): GuardrailEngine {
  const rule = { id: '1', name: 'r', input: { rules: [words([word])] }, output: { rules: [] } };
  return new GuardrailEngine([rule], plainText, hereInstead);
}

const messagesTo = ({ received }: Side) => new MessageSplitter().push(received);

describe('a client that pipelines more refused statements than memory should hold', () => {
  const BYTES = 16 * 1024;
  const COUNT = 1_000;
  const REFUSED = wire.query(`SELECT forbidden ${'x'.repeat(BYTES)}`);
  const FAILED = Buffer.concat([
    errorResponse({ severity: 'ERROR', code: '42601', message: 'syntax error' }),
    readyForQuery('I'),
  ]);

  it('is read no further until they are recorded, and then gets each refusal', async () => {
    let recorded!: () => void;
    const durable = new Promise<void>((resolve) => {
      recorded = resolve;
    });
    const trail = new MemoryTrail(Infinity, durable);
    const { relay, client, server } = await startPlayedRelay({ trail, rules: refusing('forbidden') });
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
      messagesTo(client)
        .filter(({ type }) => type === 'E')
        .map((error) => fieldsOf(error)['C'] ?? '');
    while (errors().length < COUNT) await turn();
    expect(errors()).toEqual(Array.from({ length: COUNT }, () => '42501'));
    expect(inputs()).toBe(COUNT);
    relay.abort();
    await relay.ended;
  });
});

// promises: PROXY-4
describe('a server that sends more notices behind a held row than memory should hold', () => {
  const COUNT = 400;
  const numbered = (index: number): string => `${index} ${'x'.repeat(10 * 1024)} a@b.example`;
  const notice = (index: number): Buffer =>
    noticeResponse({ severity: 'NOTICE', code: '00000', message: numbered(index) });
  const row = (value: string): Buffer =>
    message('D', Buffer.of(0, 1), int32(value.length), Buffer.from(value));

  it('has them delivered ahead of the row, screened and in order', async () => {
    const trail = new MemoryTrail();
    const { relay, client, server } = await startPlayedRelay({
      trail,
      rules: engineOf(detector(['email'], { action: 'mask' })),
    });
    client.push(wire.query('SELECT a FROM b'));
    while (server.received.length === 0) await turn();
    server.push(row('c@d.example'));
    for (let index = 0; index < COUNT; index += 1) server.push(notice(index));
    await read(server);
    const early = messagesTo(client).map(({ type }) => type);
    expect(early).not.toContain('D');
    expect((COUNT - early.length) * notice(0).length).toBeLessThan(2 * 1024 * 1024);

    server.push(Buffer.concat([message('C', text('SELECT 1')), readyForQuery('I')]));
    while (messagesTo(client).at(-1)?.type !== 'Z') await turn();
    const all = messagesTo(client);
    const shown = all.filter(({ type }) => type === 'N').map((one) => fieldsOf(one)['M']);
    const expected = Array.from({ length: COUNT }, (_, index) =>
      numbered(index).replace('a@b.example', '****'),
    );
    expect(isDeepStrictEqual(shown, expected)).toBe(true);
    const rows = all.filter(({ type }) => type === 'D').map(({ body }) => body.subarray(6).toString());
    expect(rows).toEqual(['****']);
    expect(trail.events.filter(([type]) => type === 'e')).toHaveLength(COUNT);
    relay.abort();
    await relay.ended;
  });
});
