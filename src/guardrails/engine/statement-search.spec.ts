import type { Language } from '../../languages/language';
import { postgresql } from '../../languages/postgresql';
import { toolCall } from '../../languages/tool-call';
import type { AnalysisTask } from '../analysis/analysis';
import type { AnalysisPool } from '../analysis/analysis-pool';
import type { StatementTest } from '../kinds/contract/kind';
import { ruleKind } from '../kinds/kinds';
import { findInStatements } from './statement-search';
import { StatementReader } from './statement-reader';

/** A pool of analysis threads that has no threads, and only records its tasks. */
class NotedPool {
  readonly tasks: AnalysisTask[] = [];

  run(task: AnalysisTask): Promise<undefined> {
    this.tasks.push(task);
    return Promise.resolve(undefined);
  }
}

const drops = ruleKind('sql_statement')!.compile({ kinds: ['drop'] }) as StatementTest;
const atSql: StatementTest = { ...drops, places: [['sql']] };
const callOf = (text: string): string => JSON.stringify({ arguments: { sql: text }, name: 'query' });

const COSTLY = {
  'a run of signs': `select 1${'+-'.repeat(16_000)}`,
  'a short run of signs': `select 1${'+-'.repeat(3_000)}`,
  'comments in comments': `select 1${'/*'.repeat(4_000)}`,
  'comments side by side': `select 1${'/**/'.repeat(4_000)}`,
  'the body of a function': `create function f() returns int language sql as 'select 1${'+-'.repeat(3_000)}'`,
  'as many tokens as characters': `select a.b${',a.b'.repeat(7_000)}`,
};
const CHEAP = { 'a statement': 'select 1', 'a long comment': `select 1 -- ${'-'.repeat(20_000)}` };

beforeAll(() => postgresql.load?.());

describe.each([
  ['a statement', postgresql, drops, (text: string) => text],
  ['an argument that is SQL', toolCall, atSql, callOf],
  ['any argument', toolCall, drops, callOf],
] as const)('%s', (_, language: Language, test, inputOf) => {
  it.each(Object.entries(COSTLY))('goes to a thread where it has %s', async (_name, text) => {
    const pool = new NotedPool();
    await findInStatements(language, inputOf(text), [test], pool);
    expect(pool.tasks.map(({ kind }) => kind)).toEqual(['statements']);
  });

  it.each(Object.entries(CHEAP))('is read at once where it is %s', (_name, text) => {
    const pool = new NotedPool();
    expect(findInStatements(language, inputOf(text), [test], pool)).toEqual([[]]);
    expect(pool.tasks).toEqual([]);
  });
});

it.each(Object.entries(COSTLY))('what a review shows of %s is found in a thread', async (_, text) => {
  const pool = new NotedPool();
  await new StatementReader(pool as unknown as AnalysisPool).read('postgres', text, {
    userId: 'u',
    connectionId: 'c',
    sessionId: 's',
  });
  expect(pool.tasks.map(({ kind }) => kind)).toEqual(['facts']);
});
