import { createHash } from 'node:crypto';
import { describeDataPath } from '../support/describe';

/** Recordings as evidence: exact bytes, safe to open in a spreadsheet, and protected against changes. */
describeDataPath('a recording', ({ path }) => {
  const record = async (script: string): Promise<string> => (await path.run(script)).body.session_id;
  const csvOf = async (cell: string): Promise<string> => {
    const id = await record(`SELECT ${literal(cell)} AS x`);
    return (await path.read(id, '?extension=csv')).text.split('\r\n').slice(1).join('\r\n');
  };

  // promises: READ-16
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠x'])(
    'does not run %j when a spreadsheet opens it',
    async (cell) => {
      expect(await csvOf(cell)).toBe(`"'${cell}"\r\n`);
    },
  );

  // promises: READ-16
  it('quotes cells that would break a row', async () => {
    expect(await csvOf('a"b,c\r\nd')).toBe('"a""b,c\r\nd"\r\n');
    expect(await csvOf('')).toBe('""\r\n');
    const id = await record("SELECT NULL AS a, 'x' AS b, '' AS c");
    expect((await path.read(id, '?extension=csv')).text).toBe('"a","b","c"\r\n"","x",""\r\n');
  });

  // promises: READ-16
  it('is exact in json and base64, and harmless in csv, whatever it holds', async () => {
    // A terminal escape, a window title, a bell, a right-to-left override, a byte order mark.
    const hostile = '\u001B[31mred\u001B]0;title\u0007 \u202Efdp.exe \uFEFF\u2066';
    const id = await record(`SELECT ${literal(hostile)} AS x`);
    const output = `x\n${hostile}\n`;
    const json = await path.read(id, '?extension=json');
    expect(JSON.parse(json.text)).toMatchObject({ stream: output });
    expect((await path.read(id, '?event_stream=base64')).body.event_stream).toEqual([
      Buffer.from(output).toString('base64'),
    ]);
    expect((await path.read(id, '?event_stream=utf8')).body.event_stream).toEqual([output]);
    expect((await path.read(id, '?extension=csv')).text).toBe(
      '"x"\r\n"\uFFFD[31mred\uFFFD]0;title\uFFFD \uFFFDfdp.exe \uFEFF\uFFFD"\r\n',
    );
  });

  // promises: VERIFY-7
  it('cannot be changed, deleted or emptied, not even by the owner of the table', async () => {
    const id = await record('SELECT 1');
    for (const change of [
      'UPDATE session_chunks SET seq = seq + 1',
      'DELETE FROM session_chunks',
      'DELETE FROM session_chunks WHERE false',
      'TRUNCATE session_chunks',
    ]) {
      await expect(path.gateway.database.query(change)).rejects.toThrow('session_chunks is append-only');
    }
    // The partition of a month is protected too.
    const [part] = await path.gateway.database.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM session_chunks WHERE session_id = $1',
      [id],
    );
    for (const change of [
      `DELETE FROM ${part?.name}`,
      `UPDATE ${part?.name} SET seq = 9`,
      `TRUNCATE ${part?.name}`,
    ])
      await expect(path.gateway.database.query(change)).rejects.toThrow('is append-only');
    for (const change of [`DELETE FROM sessions WHERE id = '${id}'`, 'TRUNCATE sessions CASCADE'])
      await expect(path.gateway.database.query(change)).rejects.toThrow('sessions is append-only');
    expect(await path.recording(id)).toHaveLength(2);
  });

  it('is a chain: each chunk names the one before, and its own content', async () => {
    const id = await record(`SELECT repeat('x', 1000) FROM generate_series(1, 1500)`);
    const chunks = await path.gateway.database.query<{
      seq: number;
      event_count: number;
      raw_size: number;
      payload: Buffer;
      previous: Buffer;
      hash: Buffer;
    }>('SELECT * FROM session_chunks WHERE session_id = $1 ORDER BY seq', [id]);
    expect(chunks.length).toBeGreaterThan(5);
    let previous = Buffer.alloc(32);
    for (const [index, chunk] of chunks.entries()) {
      const hash = createHash('sha256')
        .update(previous)
        .update(`${id}:${index + 1}:`)
        .update(chunk.payload)
        .digest();
      expect(chunk).toMatchObject({ seq: index + 1, previous, hash });
      previous = hash;
    }
    const sum = (pick: (chunk: (typeof chunks)[number]) => number) =>
      chunks.reduce((total, chunk) => total + pick(chunk), 0);
    expect((await path.read(id)).body).toMatchObject({
      event_size: sum((chunk) => chunk.raw_size),
      metrics: { events_received: sum((chunk) => chunk.event_count), events_buffered: 0 },
    });
  });
});

/** Returns a literal that PostgreSQL parses to exactly this text, whatever characters the text contains. */
function literal(text: string): string {
  return `U&'${text.replaceAll(/./gsu, (c) => `\\+${c.codePointAt(0)!.toString(16).padStart(6, '0')}`)}'`;
}
