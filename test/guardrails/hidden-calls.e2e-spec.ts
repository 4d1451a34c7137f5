import { functionHides } from '../../src/languages/postgresql/facts/hidden-functions';
import { loadSqlParser } from '../../src/languages/postgresql/parser';
import type { GuardrailEngine } from '../../src/guardrails/engine/guardrail-engine';
import { CONTEXTS, inContext } from './corpus/hidden-calls/contexts';
import { HIDDEN_CALLS, type HiddenCall } from './corpus/hidden-calls/calls';
import { HiddenLane } from './corpus/hidden-calls/hidden-lane';
import { IMMUTABLE, REACHES } from './corpus/hidden-calls/reaches';
import { reads } from './corpus/intent';
import { engineFor } from './corpus/judging';
import { freshDatabase } from '../support/database';

const MINUTES = 60_000;
/** Whether every text is tried, and the figures are printed. */
const isThorough = process.env['CORPUS_FIGURES'] !== undefined;

interface Text {
  readonly call: HiddenCall;
  readonly text: string;
  readonly reach: string;
  readonly context: string;
}

function textsOf(call: HiddenCall): Text[] {
  return REACHES.flatMap((reach) => {
    const reached = reach.of(call);
    if (reached === undefined) return [];
    const before = reached.before === undefined ? '' : `${reached.before}; `;
    return CONTEXTS.map((context) => ({
      call,
      text: before + inContext(context, reached.expression),
      reach: reach.name,
      context: context.name,
    }));
  });
}

const shown = ({ call, text, reach, context }: Text): string =>
  `${call.name}, ${reach}, ${context}: ${text.replace(/\s+/g, ' ').slice(0, 400)}`;

/** Whether the text has a plain way to call the function, or the plain context. */
const isPlain = ({ reach, context }: Text): boolean =>
  [REACHES[0]?.name, 'in FROM', IMMUTABLE].includes(reach) || context === CONTEXTS[0]?.name;

/**
 * One in this number of texts is tried, the same at every run. It must not divide the number of contexts,
 * otherwise some contexts would never be tried. `CORPUS_FIGURES=1` tries all texts.
 */
const SAMPLE = 31;
const SAMPLE_OF_PLAIN = 5;

beforeAll(() => loadSqlParser());

describe('functions that hide SQL or have a kind, in every form of a call', () => {
  const texts = HIDDEN_CALLS.flatMap(textsOf).filter(
    (each, index) =>
      isThorough ||
      each.context === CONTEXTS[0]?.name ||
      index % (isPlain(each) ? SAMPLE_OF_PLAIN : SAMPLE) === 0,
  );
  let lane: HiddenLane;
  let passed: Text[];

  beforeAll(async () => {
    lane = await HiddenLane.open();
    passed = [];
    const engines = new Map<string, GuardrailEngine>();
    for (const each of texts) {
      const key = JSON.stringify(each.call.rule);
      const engine = engines.get(key) ?? engineFor('input', [each.call.rule]);
      engines.set(key, engine);
      if ((await engine.judge(each.text)).kind === 'pass') passed.push(each);
    }
  }, 10 * MINUTES);
  afterAll(() => lane.close());

  it(
    'get past no rule',
    async () => {
      const bypasses: string[] = [];
      for (const each of passed) if (await lane.hasEffect(each.call, each.text)) bypasses.push(shown(each));
      if (isThorough)
        process.stdout.write(
          `${JSON.stringify({ calls: HIDDEN_CALLS.length, reaches: REACHES.length, contexts: CONTEXTS.length, texts: texts.length, passed: passed.length, bypasses: bypasses.length })}\n`,
        );
      expect(bypasses).toEqual([]);
    },
    20 * MINUTES,
  );

  it(
    'have their effect in each of these forms where no rule stops them',
    async () => {
      const idle = new Set([...REACHES, ...CONTEXTS, ...HIDDEN_CALLS].map(({ name }) => name));
      let effective = 0;
      let tried = 0;
      for (const each of texts.filter(isPlain)) {
        const names = [each.reach, each.context, each.call.name];
        if (!isThorough && !names.some((name) => idle.has(name))) continue;
        tried += 1;
        if (!(await lane.hasEffect(each.call, each.text))) continue;
        effective += 1;
        for (const name of names) idle.delete(name);
      }
      if (isThorough) process.stdout.write(`${JSON.stringify({ tried, effective })}\n`);
      expect([...idle]).toEqual([]);
    },
    20 * MINUTES,
  );
});

describe('the functions of PostgreSQL and of its extensions', () => {
  /** Functions that report on statements, locks and pages, and run nothing. */
  const TELLING = [
    'bt_metap',
    'pg_cursor',
    'pg_lock_status',
    'pg_prepared_statement',
    'pg_stat_get_activity',
  ];
  const EXTENSIONS = [
    'dblink',
    'tablefunc',
    'xml2',
    'pageinspect',
    'pgrowlocks',
    'pg_surgery',
    'refint',
    'autoinc',
  ];

  it('that take SQL or the name of a relation are all listed', async () => {
    const database = await freshDatabase('empty');
    try {
      for (const name of EXTENSIONS) await database.query(`CREATE EXTENSION ${name}`);
      const found = await database.query<{ name: string }>(`
        SELECT DISTINCT proname AS name FROM pg_proc
        WHERE proargnames && ARRAY['query', 'sql', 'sqlquery', 'sqltext', 'stmt', 'statement', 'tbl', 'table_name',
            'relname', 'cursor', 'schemaname', 'relation']
          OR prosrc ~ '_to_xml|ts_stat|ts_rewrite_query|dblink|crosstab|connectby|xpath_table|slot_(get|peek)_|heap_force|check_.*_key'`);
      expect(found.length).toBeGreaterThan(50);
      const unknown = found.filter(({ name }) => functionHides(undefined, name) === undefined);
      expect(unknown.map(({ name }) => name).sort()).toEqual(TELLING);
    } finally {
      await database.drop();
    }
  });
});

describe('columns that are called as such functions are', () => {
  const names = ['schedule', 'exec', 'execute', 'eval', 'exec_sql', 'resolve', 'run_query'];
  const shapes = [
    (name: string) => `SELECT jobs.${name} FROM jobs`,
    (name: string) => `SELECT j.${name} FROM public.jobs AS j WHERE j.${name} IS NULL ORDER BY j.${name}`,
    (name: string) => `SELECT public.jobs.${name} FROM public.jobs`,
    (name: string) =>
      `SELECT a.id FROM jobs a LEFT JOIN jobs b ON a.${name} = b.${name} GROUP BY a.id, b.${name}`,
    (name: string) => `WITH j AS (SELECT * FROM jobs) SELECT j.${name} FROM j`,
    (name: string) => `SELECT s.${name} FROM (SELECT 'a'::text AS ${name}) AS s`,
    (name: string) => `SELECT v.${name} FROM (VALUES ('a')) AS v (${name})`,
    (name: string) => `SELECT r.${name} FROM json_to_recordset('[]') AS r (${name} text)`,
    (name: string) =>
      `UPDATE jobs AS j SET ${name} = k.${name} FROM jobs AS k WHERE j.id = k.id RETURNING j.${name}`,
    (name: string) =>
      `MERGE INTO jobs USING jobs AS k ON jobs.id = k.id WHEN MATCHED THEN UPDATE SET ${name} = k.${name}`,
  ];

  it.each(names)('%s', async (name) => {
    const engine = engineFor('input', [reads('secrets')]);
    const lane = await HiddenLane.open();
    try {
      for (const shape of shapes) {
        const text = shape(name);
        expect([text, (await engine.judge(text)).kind, await lane.runs(text)]).toEqual([text, 'pass', true]);
      }
    } finally {
      await lane.close();
    }
  });
});
