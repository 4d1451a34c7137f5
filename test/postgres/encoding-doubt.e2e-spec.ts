import { describeWirePath } from '../support/describe';
import { WireClient } from '../support/wire-client';
import { SYNC, bind, execute, parse } from '../support/wire-messages';

jest.setTimeout(240_000);

/** Sends values after a statement that may change the encoding, but before the next Sync. */
describeWirePath('values in a pipeline, after a statement that may change the encoding', ({ path }) => {
  let client: WireClient;

  beforeAll(async () => {
    client = await WireClient.through(path.gateway, 'orders');
  });

  afterAll(async () => {
    client.close();
  });

  const pipeline = (value: string): Promise<string[]> => {
    const block = [parse('DO $$ BEGIN END $$'), bind(), execute()];
    const query = [parse('SELECT $1::text, $2::text'), bind([null, value]), execute()];
    return client.ask(...block, ...query, SYNC);
  };

  it.each([1, 143, 200, 40_000])('are taken when they are NULL, or ASCII: %d characters', async (length) => {
    const value = 'x'.repeat(length);
    const said = (await pipeline(value)).join('\n');
    expect(said).toContain(value);
    expect(said).not.toContain('0A000');
  });

  it('are refused beyond ASCII', async () => {
    expect((await pipeline('ü')).join('\n')).toContain('0A000');
  });
});
