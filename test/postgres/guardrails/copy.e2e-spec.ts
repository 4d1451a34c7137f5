import { describeGuardedPath } from '../../support/describe';
import { blockWord, maskWord } from '../../support/guarded-path';
import { eventually } from '../../support/eventually';
import { type WireClient, shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const REFUSED = 'E 42501 Not here.';
const COPY = wire.query('COPY kept FROM STDIN');

/** Tests COPY under rules in both directions: a refused COPY has no effect, and the session continues. */
describeGuardedPath('a guarded COPY', ({ path }) => {
  beforeAll(async () => {
    await path.target.query('CREATE TABLE kept (line text)');
  });

  beforeEach(() => path.target.query('TRUNCATE kept'));

  const kept = async () =>
    (await path.target.query<{ line: string }>('SELECT line FROM kept')).map(({ line }) => line);
  const rules = { input: blockWord('geheim-ü', 'Not here.') };
  const goesOn = async (client: WireClient) => {
    await client.ask(wire.query('SELECT 1'));
    client.send(COPY);
    await client.until('G');
    expect(await client.ask(wire.copyData('fine\n'), wire.COPY_DONE)).toEqual(['C COPY 1', 'Z I']);
    expect(await kept()).toEqual(['fine']);
  };
  const begin = async (client: WireClient, text = COPY) => {
    client.send(text);
    await client.until('G');
  };
  /** Waits until the text is recorded, so that the gateway has processed the packet with it. */
  const untilThere = (id: string, text: string) =>
    eventually('it is recorded', async () =>
      (await path.recording(id)).some(([, content]) => content.includes(text)),
    );

  const line = Buffer.from('fine\nnot so geheim-ü\n');
  const inside = Array.from({ length: 9 }, (_, index) => line.length - 2 - index);

  it.each(inside)('in is refused when it is cut into two messages at byte %i', async (at) => {
    const { client } = await path.under(rules);
    await begin(client);
    client.send(wire.copyData(line.subarray(0, at)), wire.copyData(line.subarray(at)), wire.COPY_DONE);
    expect(await client.ready()).toEqual([REFUSED, 'Z I']);
    expect(await kept()).toEqual([]);
    await goesOn(client);
  });

  it.each(inside)('in is refused when the halves come one after the other, cut at byte %i', async (at) => {
    const { client, session } = await path.under(rules);
    await begin(client);
    const id = await session();
    client.send(wire.copyData('first\n'), wire.copyData(line.subarray(0, at)));
    await untilThere(id, 'not so');
    client.send(wire.copyData(line.subarray(at)), wire.copyData('last\n'), wire.COPY_DONE);
    expect(await client.ready()).toEqual([REFUSED, 'Z I']);
    expect(await kept()).toEqual([]);
    await goesOn(client);
  });

  it.each([
    ['numbers of bytes', 'g\\145heim-\\xc3\\xbc\n', COPY],
    ['backslashes that mean nothing', 'g\\eh\\eim-ü\n', COPY],
    ['quotes of CSV', '"ge"heim"-ü"\n', wire.query('COPY kept FROM STDIN (FORMAT csv)')],
  ])('in is refused when the word is written with %s', async (_, data, text) => {
    const { client } = await path.under(rules);
    await begin(client, text);
    expect(await client.ask(wire.copyData(data), wire.COPY_DONE)).toEqual([REFUSED, 'Z I']);
    expect(await kept()).toEqual([]);
  });

  it('in is refused in the extended protocol, in a transaction, and the Syncs are those of the client', async () => {
    const { client } = await path.under(rules);
    await client.ask(wire.query("BEGIN; INSERT INTO kept VALUES ('before')"));
    client.send(wire.parse('COPY kept FROM STDIN'), wire.bind(), wire.execute(), wire.SYNC);
    await client.until('G');
    client.send(wire.copyData('geheim-ü\n'), wire.COPY_DONE, wire.SYNC);
    expect(await client.ready()).toEqual([REFUSED, 'Z E']);
    expect(await client.ask(wire.query('ROLLBACK'))).toEqual(['C ROLLBACK', 'Z I']);
    await goesOn(client);
  });

  it('in is refused when all of it comes before the server requests it', async () => {
    const { client } = await path.under(rules);
    client.send(
      wire.parse('SELECT 1'),
      COPY,
      wire.copyData('geheim-ü\n'),
      wire.COPY_DONE,
      wire.query('SELECT 2'),
    );
    expect(await client.ready(2)).toEqual([
      '1',
      'G',
      REFUSED,
      'Z I',
      'T ?column?',
      'D 2',
      'C SELECT 1',
      'Z I',
    ]);
    expect(await kept()).toEqual([]);
  });

  it('in may be followed by another when the client never ended the refused one', async () => {
    const { client } = await path.under(rules);
    expect(await client.ask(COPY, wire.copyData('geheim-ü\n'))).toEqual(['G', REFUSED, 'Z I']);
    expect(await client.ask(wire.copyData('late\n'), wire.query('SELECT 1'))).toContain('D 1');
    await goesOn(client);
  });

  it('in is recorded, as it came', async () => {
    const { client, session } = await path.under(rules);
    await begin(client);
    await client.ask(wire.copyData('one\nt'), wire.copyData('wo\n'), wire.COPY_DONE);
    const inputs = (await path.recording(await session())).filter(([type]) => type === 'i');
    expect(inputs.map(([, content]) => content).join('')).toBe('COPY kept FROM STDINone\ntwo\n');
  });

  it('in is refused in an encoding that the gateway does not read', async () => {
    const { client } = await path.under(rules);
    const latin = Buffer.from('geheim-ü\n', 'latin1');
    await begin(client, wire.query("COPY kept FROM STDIN (ENCODING 'LATIN1')"));
    expect(await client.ask(wire.copyData(latin), wire.COPY_DONE)).toEqual([
      expect.stringMatching(/^E 22021/),
      'Z I',
    ]);
    await begin(client, wire.query("COPY kept FROM STDIN (ENCODING 'LATIN1')"));
    // The COPY uses LATIN1, in which these bytes mean other characters, so the gateway refuses the data.
    expect(await client.ask(wire.copyData('Ã¼\n'), wire.COPY_DONE)).toEqual([
      expect.stringMatching(/^E 0A000/),
      'Z I',
    ]);
    expect(await kept()).toEqual([]);
  });

  it('in passes in binary form, and is refused by its values', async () => {
    const { client } = await path.under(rules);
    const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
    const row = (text: string) => {
      const bytes = Buffer.from(text);
      return Buffer.concat([Buffer.of(0, 1, 0, 0, 0, bytes.length), bytes]);
    };
    const text = wire.query('COPY kept FROM STDIN (FORMAT binary)');
    for (const [value, expected] of [
      ['schön', 'C COPY 1'],
      ['geheim-ü', REFUSED],
    ] as const) {
      await begin(client, text);
      client.send(wire.copyData(Buffer.concat([signature, row(value), Buffer.of(255, 255)])), wire.COPY_DONE);
      expect(await client.ready()).toEqual([expected, 'Z I']);
    }
    expect(await kept()).toEqual(['schön']);
  });

  // promises: PROXY-9
  it('out is masked, blocked, and recorded as it was delivered', async () => {
    await path.target.query("INSERT INTO kept VALUES ('a canary'), (E'tab\\t and\\ncanary')");
    const text = wire.query('COPY kept TO STDOUT');
    const { client, session } = await path.under({ output: maskWord('canary') });
    const lost = '2 matches were masked in this result: it is no copy of the data.';
    const lines = ['a ****\n', 'tab\\t and\\n****\n'];
    expect(await client.ask(text)).toEqual([
      'H',
      ...lines.map((data) => `d ${data}`),
      'c',
      `N 01000 ${lost}`,
      'C COPY 2',
      'Z I',
    ]);
    expect((await path.recording(await session())).slice(1)).toEqual([
      ['o', lines.join('')],
      ['e', `WARNING: ${lost}\n`],
    ]);
    // A FETCH of masked rows gets a warning, as a COPY does, because a program may store the masked rows as a
    // copy of the data. A plain SELECT gets none, because a person sees its result.
    await client.ask(wire.query('BEGIN; DECLARE c CURSOR FOR SELECT * FROM kept'));
    expect(await client.ask(wire.query('FETCH 2 FROM c'))).toContain(`N 01000 ${lost}`);
    expect((await client.ask(wire.query('SELECT * FROM kept'))).join()).not.toContain('N 01000');
    expect((await client.ask(wire.query("COPY (SELECT 'none') TO STDOUT"))).join()).not.toContain('N 01000');
    await client.ask(wire.query('COMMIT'));
    const binary = (await client.send(wire.query('COPY kept TO STDOUT (FORMAT binary)')).until('Z')).filter(
      ({ type }) => type === 'd',
    );
    const values = binary.map(({ body }) => body.toString('latin1').replaceAll(/[^ -~\t\n]+/g, '|'));
    expect(values).toEqual([expect.stringMatching(/\|a \*\*\*\*$/), '|tab\t and\n****', '|']);
    const { client: blocked } = await path.under({ output: blockWord('canary', 'Not here.') });
    const answers = await blocked.ask(text);
    expect(answers.slice(-2)).toEqual([REFUSED, 'Z I']);
    expect(answers.join()).not.toContain('canary');
    expect(shown(await blocked.send(wire.query('SELECT 1')).until('Z'))).toContain('D 1');
  });
});
