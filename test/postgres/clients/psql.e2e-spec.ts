import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PsqlResult, psql } from '../../support/psql';
import { describeWith } from '../../support/tls';
import { DENIED, DENIED_MESSAGE, type Way, type WirePath, startWirePath } from '../../support/wire-path';

jest.setTimeout(480_000);

// promises: PROXY-1
describeWith('psql')('psql through the gateway, beside psql without it', () => {
  let path: WirePath;
  let folder: string;

  beforeAll(async () => {
    [path, folder] = await Promise.all([startWirePath(), mkdtemp(join(tmpdir(), 'gateway-psql-'))]);
  });

  afterAll(async () => {
    await path.close();
    await rm(folder, { recursive: true, force: true });
  });

  const both = (args: readonly string[], more: Parameters<typeof psql>[2] = {}): Promise<PsqlResult> =>
    path.both((way) => psql(way, args, more));
  const script = (text: string, ...args: string[]): Promise<PsqlResult> => both(args, { input: text });

  it('shows the same tables, and -c after -c', async () => {
    expect(await both(['-c', 'SELECT * FROM customers ORDER BY id', '-c', "SELECT 'b'; SELECT 'c'"])).toEqual(
      {
        code: 0,
        stdout: expect.stringMatching(
          /1 \| Grace {2}\| grace@example\.com\n[^]*\(2 rows\)[^]*b\n[^]*c\n/,
        ) as unknown,
        stderr: '',
      },
    );
    expect(await path.statements()).toEqual([
      'SELECT * FROM customers ORDER BY id',
      "SELECT 'b'; SELECT 'c'",
    ]);
  });

  it('describes tables, functions and settings with its own queries', async () => {
    const { stdout, stderr } = await both(['-c', '\\d customers', '-c', '\\df pg_sleep', '-c', '\\dn']);
    expect(stdout).toContain('"customers_pkey" PRIMARY KEY, btree (id)');
    expect(stderr).toBe('');
  });

  it('runs a script of files, variables, conditions, notices and blocks', async () => {
    const file = join(folder, 'script.sql');
    await writeFile(file, SCRIPT);
    const { code, stdout, stderr } = await both(['-v', 'limit=3', '-f', file]);
    expect(code).toBe(0);
    for (const shown of ['größe — 😀', "a $ b ' c", 'sum is 6', 'made_2', 'the condition held'])
      expect(stdout).toContain(shown);
    expect(stderr).toContain('NOTICE:  counted 3');
    expect(stderr).toContain('ERROR:  division by zero');
    const statements = await path.statements();
    expect(statements).toContain("SELECT 'größe — 😀' AS größe;");
    expect(statements.at(-1)).toBe('DROP TABLE numbers, made_1, made_2;');
  });

  it('copies in and out, from files and from the script itself', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => `${n}\tname ${n}, ü\t\\N`).join('\n');
    const [given, taken] = [join(folder, 'in.tsv'), join(folder, 'out.csv')];
    await writeFile(given, `${rows}\n`);
    const copied = await path.both(async (way) => {
      const seen = await psql(way, [
        '-c',
        'CREATE TABLE copied (id int, name text, note text)',
        '-c',
        `\\copy copied FROM '${given}'`,
        '-c',
        `\\copy (SELECT * FROM copied ORDER BY id) TO '${taken}' (FORMAT csv, HEADER)`,
      ]);
      return { ...seen, taken: await readFile(taken, 'utf8') };
    });
    expect(copied.stdout).toBe('CREATE TABLE\nCOPY 5000\nCOPY 5000\n');
    expect(copied.taken).toContain('\n4999,"name 4999, ü",\n');
    expect(await path.statements()).toHaveLength(3);

    const inline = await script(
      `COPY copied FROM STDIN;\n-1\tinline\there\n\\.\nCOPY copied (name) TO STDOUT (FORMAT csv) \\g ${taken}\nCOPY copied FROM STDIN (FORMAT csv);\nnumber,1,2\n\\.\nSELECT count(*) FROM copied;\nDROP TABLE copied;\n`,
    );
    expect(inline.stdout).toContain('5001');
    expect(inline.stderr).toContain('invalid input syntax for type integer: "number"');
  });

  it('continues after an error, or stops with ON_ERROR_STOP', async () => {
    const text = 'SELECT 1 AS before;\nSELECT nothing;\nSELECT 2 AS later;\n';
    expect(await script(text)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('later') as unknown,
    });
    const stopped = await script(text, '-v', 'ON_ERROR_STOP=1');
    expect(stopped).toMatchObject({ code: 3, stdout: expect.not.stringContaining('later') as unknown });
    expect(stopped.stderr).toContain('LINE 1: SELECT nothing;\n               ^');
  });

  it('rolls back a single transaction after an error', async () => {
    const text = 'CREATE TABLE half (id int);\nINSERT INTO half VALUES (1);\nSELECT 1/0;\n';
    expect((await script(text, '-1', '-v', 'ON_ERROR_STOP=1')).code).toBe(3);
    expect((await both(['-Atc', "SELECT to_regclass('half') IS NULL"])).stdout).toBe('t\n');
  });

  it('rolls back to before each statement that fails', async () => {
    const seen = await script(
      '\\set ON_ERROR_ROLLBACK on\nBEGIN;\nCREATE TABLE kept (id int);\nSELECT 1/0;\nINSERT INTO kept VALUES (7);\nCOMMIT;\nTABLE kept;\nDROP TABLE kept;\n',
    );
    expect(seen.stdout).toContain('7');
  });

  it('fetches by a cursor, and shows long results whole', async () => {
    const query = "SELECT n, repeat('x', n % 100) FROM generate_series(1, 50000) AS n";
    const { stdout } = await both(['-At', '-v', 'FETCH_COUNT=1000', '-c', query]);
    expect(stdout.split('\n')).toHaveLength(50_001);
    expect((await both(['-At', '-c', query])).stdout).toBe(stdout);
  });

  it('supports large objects by SQL statements, but not by FunctionCall messages', async () => {
    const text =
      "SELECT lo_from_bytea(4711, convert_to('large ü', 'UTF8'));\nSELECT convert_from(lo_get(4711), 'UTF8');\nSELECT lo_unlink(4711);\n";
    expect((await script(text, '-At')).stdout).toBe('4711\nlarge ü\n1\n');
    const file = join(folder, 'large');
    await writeFile(file, 'large');
    const { stderr, stdout } = await psql(path.through, ['-At'], {
      input: `\\lo_import '${file}'\nSELECT 'goes on';\n`,
    });
    expect(stderr).toContain('Function calls by protocol message are refused');
    expect(stdout).toContain('goes on');
  });

  it('passes its options on', async () => {
    const env = { PGOPTIONS: '-c search_path=elsewhere -c statement_timeout=4321ms', PGAPPNAME: 'reports' };
    const args = [
      '-At',
      '-c',
      'SHOW search_path',
      '-c',
      'SHOW statement_timeout',
      '-c',
      'SHOW application_name',
    ];
    expect((await both(args, { env })).stdout).toBe('elsewhere\n4321ms\nreports\n');
    const encoded = { PGOPTIONS: '-c client_encoding=LATIN1' };
    const { code, stderr } = await psql(path.through, ['-Atc', "SELECT 'ü'"], { env: encoded });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('LATIN1 is not supported'),
    });
  });

  it('reports notifications, and everything of an error', async () => {
    const { stderr } = await script(
      "\\set VERBOSITY verbose\n\\set SHOW_CONTEXT always\nDO $$ BEGIN RAISE EXCEPTION USING message = 'm', detail = 'd', hint = 'h', errcode = 'U0001'; END $$;\nINSERT INTO customers VALUES (1);\n",
    );
    for (const field of ['ERROR:  U0001: m', 'DETAIL:  d', 'HINT:  h', 'CONSTRAINT NAME:  customers_pkey'])
      expect(stderr).toContain(field);
    const notified = await psql(path.through, [], { input: "LISTEN news;\nNOTIFY news, 'hot';\n" });
    expect(notified.stdout).toContain('Asynchronous notification "news" with payload "hot" received');
  });

  it('gets a refusal as an error, and continues', async () => {
    const { code, stdout, stderr } = await psql(path.through, ['-At', '-v', 'VERBOSITY=verbose'], {
      input: `SELECT 'before';\nSELECT '${DENIED}';\nSELECT 'later';\n`,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'before\nlater\n',
      stderr: `ERROR:  42501: ${DENIED_MESSAGE}\n`,
    });
    expect(await path.statements()).toEqual(
      ["SELECT 'before'", `SELECT '${DENIED}'`, "SELECT 'later'"].map((sql) => `${sql};`),
    );
  });

  describe('over TLS', () => {
    const by = (conninfo: string, way: Way = path.through): Promise<PsqlResult> =>
      psql(way, ['-Atw', '-d', `dbname=${way.database} ${conninfo}`, '-c', 'SELECT 40 + 2']);

    it('verifies the gateway, and binds the sign-in to the TLS channel', async () => {
      const { certificate } = path;
      if (certificate === undefined) return console.warn('skipped: openssl is not installed here');
      const file = join(folder, 'ca.pem');
      await writeFile(file, certificate.cert);
      const verified = `sslmode=verify-full sslrootcert=${file} host=localhost hostaddr=127.0.0.1`;
      expect(await by(`${verified} channel_binding=require`)).toEqual({
        code: 0,
        stdout: '42\n',
        stderr: '',
      });
      expect((await by(verified.replace('localhost', 'elsewhere'))).stderr).toContain(
        'does not match host name "elsewhere"',
      );
      expect((await by('sslmode=disable channel_binding=require')).stderr).toContain(
        'channel binding required',
      );
    });
  });
});

const SCRIPT = `
SELECT 'größe — 😀' AS größe;
CREATE TABLE numbers (n int);
INSERT INTO numbers SELECT generate_series(1, :limit);
SELECT $x$a $ b ' c$x$; -- a comment; with a semicolon
SELECT /* another; /* nested */ one */ 'sum is ' || sum(n) AS total FROM numbers \\gset
\\echo :total
SELECT format('CREATE TABLE made_%s (id int)', n) FROM numbers WHERE n < 3 \\gexec
\\d made_*
SELECT 'made_2' AS name, count(*) FROM made_2;
DO $$ BEGIN RAISE NOTICE 'counted %', (SELECT count(*) FROM numbers); END $$;
SELECT true AS held \\gset
\\if :held
\\echo the condition held
\\else
SELECT 1/0;
\\endif
SELECT 1/0;
SELECT n, n % 2 AS odd, 'x' FROM numbers ORDER BY n \\crosstabview n odd
PREPARE twice (int) AS SELECT $1 * 2;
EXECUTE twice(21);
DECLARE c CURSOR WITH HOLD FOR SELECT n FROM numbers ORDER BY n;
FETCH 2 FROM c;
CLOSE c;
DROP TABLE numbers, made_1, made_2;
`;
