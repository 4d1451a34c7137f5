import { once } from 'node:events';
import { describeGuardedPath } from '../support/describe';
import { blockWord } from '../support/guarded-path';
import { WireClient, shown } from '../support/wire-client';
import * as wire from '../support/wire-messages';

jest.setTimeout(240_000);

const MOST_BYTES = 256 * 1024 * 1024;
const LINE = 'x'.repeat(4_000);
const SELECT = Buffer.concat([wire.parse(`SELECT '${LINE}'`), wire.bind(), wire.execute()]);
/**
 * Maximum number of bytes that a client may write before it gets the error, beyond the number without the
 * gateway. Through the gateway it is higher, because two more socket buffers fill first.
 */
const FURTHER_BYTES = 8 * 1024 * 1024;

/**
 * A client writes a long pipeline without waiting for answers. It must get an error while it still writes, so
 * that it can stop.
 */
describeGuardedPath('an error early in a long pipeline', ({ path }) => {
  beforeAll(async () => {
    await path.target.query('CREATE TABLE numbers (n int)');
  });

  /**
   * Writes the same bytes again and again, as fast as they are accepted, until an error arrives or the
   * connection closes. Returns the error and the number of bytes written.
   */
  async function flood(client: WireClient, piece: Buffer): Promise<{ heard: string; written: number }> {
    const heard: string[] = [];
    const hear = async (): Promise<void> => {
      // Skips the answers to earlier messages.
      while (heard.length === 0) {
        const said = await client.next();
        if (said === undefined) heard.push('hung up');
        else if (said.type === 'E') heard.push(...shown([said]));
      }
    };
    void hear();
    let written = 0;
    for (; heard.length === 0 && written < MOST_BYTES; written += piece.length) {
      if (!client.socket.write(piece)) await once(client.socket, 'drain');
      // Lets the client read between two writes.
      else await new Promise(setImmediate);
    }
    return { heard: heard[0] ?? 'nothing, though all was written', written };
  }

  const floodUntilHeard = async (client: WireClient, piece: Buffer): Promise<string> =>
    (await flood(client, piece)).heard;

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

  it('arrives as early as without a gateway, except for two more socket buffers', async () => {
    const early = async (client: WireClient): Promise<number> => {
      client.send(wire.parse('SELECT no_such_column'));
      const { heard, written } = await flood(client, SELECT);
      expect(heard).toMatch(/^E 42703/);
      client.close();
      return written;
    };
    const directly = await early(await WireClient.direct(path.target));
    const { client } = await path.under({ input: blockWord('nowhere to be found', 'No.') });
    expect(await early(client)).toBeLessThan(directly + FURTHER_BYTES);
  });

  it('does not occur when a client writes megabytes before its Sync', async () => {
    const { client } = await path.under({});
    client.send(wire.parse('SELECT pg_sleep(0.5)'), wire.bind(), wire.execute());
    const answers = 1_000;
    // The client reads while it writes. While the target sleeps, the gateway limits how many messages it
    // accepts from the client.
    for (let count = 0; count < answers; count += 1)
      if (!client.socket.write(SELECT)) await once(client.socket, 'drain');
    const all = shown(await client.send(wire.SYNC).until('Z'));
    expect(all.filter((one) => one === `D ${LINE}`)).toHaveLength(answers);
    expect(all.at(-1)).toBe('Z I');
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
