// The client with the large command: a process of its own, so that its work is not taken for the gateway's.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

const PARAMETERS = 60_000;
/** 10, 18 and 8 bytes. */
const PLAIN = 'some text ';
const BEYOND_ASCII = 'größe ж 日本 ';
const ADDRESS = 'a@a.com ';
/** PostgreSQL takes 1 664 columns in a SELECT. */
const COLUMNS = 1600;
const cell = (said, times) => `repeat('${said}', ${times})`;
const select = (what) => ({ text: `SELECT ${what}` });
/** What the target needs for the cases. */
export const SETUP = `CREATE FUNCTION say(what text) RETURNS void LANGUAGE plpgsql
  AS $$ BEGIN RAISE NOTICE '%', what; END $$`;
const notice = (what) => ({ text: `SELECT say(${what})` });
const text = (megabytes) => ({ text: `SELECT length('${'some text '.repeat(megabytes * 100_000)}')` });

export const CASES = {
  statement_10MB: () => text(10),
  statement_30MB: () => text(30),
  statement_60MB: () => text(60),
  parameters_60000: () => ({
    text: `SELECT count(*) FROM (VALUES ${Array.from({ length: PARAMETERS }, (_, index) => `($${index + 1}::text)`).join(',')}) AS t`,
    values: Array.from({ length: PARAMETERS }, (_, index) => `value ${index}`),
  }),
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
  notice_of_addresses: () => notice(cell(ADDRESS, 1_200_000)),
};

export async function startSender(url) {
  const child = fork(fileURLToPath(import.meta.url), [url]);
  await once(child, 'message');
  return {
    /** How long it took, in milliseconds. */
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
  const run = async (name) => {
    const command = CASES[name]();
    const from = performance.now();
    await client.query(command).catch((error) => console.log(`${name}: ${error.message}`));
    process.send(performance.now() - from);
  };
  process.on('message', (name) => void run(name));
  process.send('ready');
}
