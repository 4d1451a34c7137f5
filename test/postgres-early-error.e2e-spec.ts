import { once } from 'node:events';
import { type GuardedPath, blockWord, startGuardedPath } from './support/guarded-path';
import { type WireClient, shown } from './support/wire-client';
import * as wire from './support/wire-messages';

jest.setTimeout(240_000);

const MOST_BYTES = 256 * 1024 * 1024;
const LINE = 'x'.repeat(4_000);
const SELECT = Buffer.concat([wire.parse(`SELECT '${LINE}'`), wire.bind(), wire.execute()]);

/** Who writes a long pipeline without reading is told of an error while it still writes, and can stop. */
describe('an error early in a long pipeline', () => {
  let path: GuardedPath;

  beforeAll(async () => {
    path = await startGuardedPath();
    await path.target.query('CREATE TABLE numbers (n int)');
  });

  afterAll(() => path.close());

  /** Writes one and the same again and again, as fast as it is taken, until something comes; returns what. */
  async function floodUntilHeard(client: WireClient, piece: Buffer): Promise<string> {
    const heard: string[] = [];
    void client.next().then((said) => heard.push(...(said === undefined ? ['hung up'] : shown([said]))));
    for (let written = 0; heard.length === 0 && written < MOST_BYTES; written += piece.length) {
      if (!client.socket.write(piece)) await once(client.socket, 'drain');
      // It may read in between.
      else await new Promise(setImmediate);
    }
    return heard[0] ?? 'nothing, though all was written';
  }

  it.each([
    ['without rules', {}],
    ['where rules look at input', { input: blockWord('nowhere to be found', 'No.') }],
    ['where rules look at output', { output: blockWord('nowhere to be found', 'No.') }],
  ])('is heard before a Sync %s, and the session goes on', async (_, rules) => {
    const { client } = await path.under(rules);
    client.send(wire.parse('SELECT no_such_column'));
    expect(await floodUntilHeard(client, SELECT)).toMatch(/^E 42703/);
    expect(await client.ask(wire.SYNC)).toEqual(['Z I']);
    client.close();
  });

  it('is heard before the end of COPY data', async () => {
    const { client } = await path.under({});
    client.send(wire.query('COPY numbers FROM STDIN'));
    expect((await client.next())?.type).toBe('G');
    client.send(wire.copyData('no number\n'));
    expect(await floodUntilHeard(client, wire.copyData(`${LINE}\n`))).toMatch(/^E 22P02/);
    expect(await client.ask(wire.COPY_DONE)).toEqual(['Z I']);
    client.close();
  });

  it('of a rule is heard as early', async () => {
    const { client } = await path.under({ input: blockWord('secret', 'Not that.') });
    client.send(wire.parse("SELECT 'secret'"));
    expect(await floodUntilHeard(client, SELECT)).toBe('E 42501 Not that.');
    expect(await client.ask(wire.SYNC)).toEqual(['Z I']);
    client.close();
  });
});
