// The client with the large command, in a separate process, so that its work does not count as the gateway's.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { textShapes } from '../bodies/texts.mjs';
import { bounded } from '../kit/figures.mjs';
import { startPart } from '../kit/processes.mjs';

const PARAMETERS = 60_000;
/** Texts that are repeated. In UTF-8 they have 10, 18 and 8 bytes. */
const PLAIN = 'some text ';
const BEYOND_ASCII = 'größe ж 日本 ';
const ADDRESS = 'a@a.com ';
/** Number of columns in a large SELECT. PostgreSQL accepts at most 1 664. */
const COLUMNS = 1600;
const cell = (said, times) => `repeat('${said}', ${times})`;
const select = (what) => ({ text: `SELECT ${what}` });
/** SQL that prepares the target for the cases. */
export const SETUP = `CREATE FUNCTION say(what text) RETURNS void LANGUAGE plpgsql
  AS $$ BEGIN RAISE NOTICE '%', what; END $$;
  CREATE FUNCTION fail(what text) RETURNS void LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION '%', what; END $$`;
const notice = (what) => ({ text: `SELECT say(${what})` });
const failure = (what) => ({ text: `SELECT fail(${what})` });
/** Requests results in binary format, like drivers for other languages. The sender does not parse them. */
const inBinary = (what) => ({
  text: `SELECT ${what}`,
  queryMode: 'extended',
  binary: true,
  types: { getTypeParser: () => (value) => value },
});
const array = (what, count) => `array(SELECT ${what} FROM generate_series(1, ${count}) AS n)`;
const LARGE_MB = 60;
const words = (megabytes) => PLAIN.repeat(megabytes * 100_000);
/**
 * Length of generated texts: just short enough to be read on the event loop. Most of the texts are not SQL.
 */
const SEARCHED_UNITS = 32_000;
const searched = (statement) =>
  [...textShapes(bounded('BENCH_SEED', 1, 0, 2 ** 31), 100)].map(({ make }) => ({
    text: statement(make(SEARCHED_UNITS)),
  }));
const text = (megabytes) => ({ text: `SELECT length('${words(megabytes)}')` });

export const CASES = {
  statement_10MB: () => text(10),
  statement_30MB: () => text(30),
  statement_60MB: () => text(60),
  parameters_60000: () => ({
    text: `SELECT count(*) FROM (VALUES ${Array.from({ length: PARAMETERS }, (_, index) => `($${index + 1}::text)`).join(',')}) AS t`,
    values: Array.from({ length: PARAMETERS }, (_, index) => `value ${index}`),
  }),
  searched_statements: () => searched((made) => made),
  searched_copies: () => searched((made) => `COPY (SELECT ${made}) TO STDOUT (FORMAT binary)`),
  parse_60MB: () => ({ ...text(LARGE_MB), name: 'large' }),
  value_60MB: () => ({ text: 'SELECT length($1)', values: [words(LARGE_MB)] }),
  words_30MB: () => ({ text: `SELECT length('${differentWords()}')` }),
  copy_60MB: () => new CopyIn('lines', Buffer.from('some text of a line\n'.repeat(LARGE_MB * 50_000))),
  cell_of_addresses: () => select(cell(ADDRESS, 1_200_000)),
  rows_of_addresses: () => select(`${cell(ADDRESS, 1_000)} FROM generate_series(1, 1200)`),
  columns_of_addresses: () => select(Array(COLUMNS).fill(cell(ADDRESS, 750)).join()),
  cell_15MB: () => select(cell(PLAIN, 1_500_000)),
  cell_60MB: () => select(cell(PLAIN, 6_000_000)),
  cell_beyond_ascii_15MB: () => select(cell(BEYOND_ASCII, 850_000)),
  cell_beyond_ascii_60MB: () => select(cell(BEYOND_ASCII, 3_350_000)),
  columns_1600: () => select(Array(COLUMNS).fill(cell(PLAIN, 600)).join()),
  copy_line_15MB: () => ({ text: `COPY (SELECT ${cell(PLAIN, 1_500_000)}) TO STDOUT` }),
  copy_line_60MB: () => ({ text: `COPY (SELECT ${cell(PLAIN, 6_000_000)}) TO STDOUT` }),
  copy_line_of_addresses: () => ({ text: `COPY (SELECT ${cell(ADDRESS, 1_200_000)}) TO STDOUT` }),
  notice_10MB: () => notice(cell(PLAIN, 1_000_000)),
  notice_15MB: () => notice(cell(PLAIN, 1_500_000)),
  notice_beyond_ascii_15MB: () => notice(cell(BEYOND_ASCII, 850_000)),
  error_15MB: () => failure(cell(PLAIN, 1_500_000)),
  error_beyond_ascii_15MB: () => failure(cell(BEYOND_ASCII, 850_000)),
  error_of_addresses: () => failure(cell(ADDRESS, 1_200_000)),
  array_of_numbers_15MB: () => inBinary(array('n', 1_900_000)),
  array_of_texts_15MB: () => inBinary(array("n || ' text'", 900_000)),
  array_of_addresses: () => inBinary(array("'a@a.com'::text", 1_000_000)),
  composites_15MB: () => inBinary(array("row(n, 'text')", 500_000)),
  names_10MB: () => new NamedStatement('n'.repeat(10_000_000)),
  notice_of_addresses: () => notice(cell(ADDRESS, 1_200_000)),
};

/**
 * Returns 30 MB of words that all differ, so that all of them are stored and indexed. In each run, the words
 * begin with other letters, so that no cache has them from an earlier run.
 */
function differentWords() {
  const beginning = randomInt(10 * 36 ** 3, 36 ** 4).toString(36);
  return Array.from(
    { length: 3_000_000 },
    (_, index) => `${beginning}${index.toString(36).padStart(5, '0')}`,
  ).join(' ');
}

/** Sends the data of a COPY in one message. */
class CopyIn {
  constructor(table, data) {
    this.table = table;
    this.data = data;
    this.done = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }
  submit(connection) {
    connection.query(`COPY ${this.table} FROM STDIN`);
  }
  handleCopyInResponse(connection) {
    connection.sendCopyFromChunk(this.data);
    connection.endCopyFrom();
  }
  handleCommandComplete() {}
  handleError(error) {
    this.reject(error);
  }
  handleReadyForQuery() {
    this.resolve();
  }
}

/** Prepares and runs a statement with the given name. */
class NamedStatement {
  constructor(name) {
    this.name = name;
    this.done = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }
  submit(connection) {
    // Writes the messages directly, because pg would print a warning with the whole long name.
    connection.stream.write(message('P', `${this.name}\0SELECT 1\0`, 2));
    connection.stream.write(message('B', `\0${this.name}\0`, 6));
    connection.execute({});
    connection.sync();
  }
  handleDataRow() {}
  handleCommandComplete() {}
  handleError(error) {
    this.reject(error);
  }
  handleReadyForQuery() {
    this.resolve();
  }
}

/** Returns a client message: the text, and then `zeros` zero bytes, which stand for counts. */
function message(type, text, zeros) {
  const body = Buffer.concat([Buffer.from(text), Buffer.alloc(zeros)]);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export async function startSender(url) {
  const child = startPart('silence/sender.mjs', [url]);
  await once(child, 'message');
  return {
    /** Runs a case, and returns its duration in milliseconds. */
    async run(name) {
      child.send(name);
      const [answer] = await once(child, 'message');
      return answer;
    },
    stop: () => child.kill(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const client = new Client({ connectionString: process.argv[2] });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE lines (line text)');
  const alone = (name, command) => {
    const running = client.query(command);
    return (running.done ?? running).catch((error) => console.log(`${name}: ${error.message.slice(0, 100)}`));
  };
  const run = async (name) => {
    const command = CASES[name]();
    const from = performance.now();
    if (Array.isArray(command)) for (const one of command) await client.query(one).catch(() => undefined);
    else await alone(name, command);
    process.send(performance.now() - from);
  };
  process.on('message', (name) => void run(name));
  process.send('ready');
}
