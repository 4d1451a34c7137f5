import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementFacts } from './facts/facts';
import { loadSqlParser, parseSql } from './parser';

/**
 * Folder of the test cases. Each case has three lines of text, which are easy to skim: a reason, a statement,
 * and its facts.
 */
const FOLDER = join(__dirname, 'facts-cases');

function dotted(fact: { readonly schema?: string; readonly name: string }): string {
  return fact.schema === undefined ? fact.name : `${fact.schema}.${fact.name}`;
}

function unique(items: readonly string[]): string {
  return [...new Set(items)].join(', ');
}

function tablesOf(statements: readonly StatementFacts[]): string {
  const modes = new Map<string, string>();
  for (const table of statements.flatMap((statement) => statement.tables)) {
    const mode = `${modes.get(dotted(table)) ?? ''}${table.read ? 'r' : ''}${table.write ? 'w' : ''}`;
    modes.set(dotted(table), `${mode.includes('r') ? 'r' : ''}${mode.includes('w') ? 'w' : ''}`);
  }
  return [...modes].map(([name, mode]) => `${name}:${mode}`).join(', ');
}

function described(sql: string): string {
  const parsed = parseSql(sql);
  if (parsed.kind === 'unparseable') return `unparseable: ${parsed.reason}`;
  const { statements } = parsed;
  const kinds = unique(statements.flatMap((statement) => statement.kinds));
  const parts = [
    statements.some((statement) => statement.withoutWhere) ? `${kinds} without where` : kinds,
    tablesOf(statements).replace(/^(?=.)/, 'tables '),
    unique(statements.flatMap((statement) => statement.functions.map(dotted))).replace(
      /^(?=.)/,
      'functions ',
    ),
    unique(statements.flatMap((statement) => statement.hidden)).replace(/^(?=.)/, 'hidden '),
  ];
  return parts.filter((part) => part !== '').join(' | ');
}

function casesOf(file: string): { reason: string; sql: string; facts: string }[] {
  const lines = readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Array.from({ length: lines.length / 3 }, (_, index) => ({
    reason: lines[index * 3] ?? '',
    sql: (lines[index * 3 + 1] ?? '').trim(),
    facts: (lines[index * 3 + 2] ?? '').replace('  => ', ''),
  }));
}

beforeAll(() => loadSqlParser());

describe.each(readdirSync(FOLDER))('facts of statements: %s', (file) => {
  test.each(casesOf(file))('$reason: $sql', ({ sql, facts }) => {
    expect(described(sql)).toBe(facts);
  });

  test.each(casesOf(file))('the same in capitals, where nothing is quoted: $sql', ({ sql }) => {
    if (/['"$\\]/.test(sql)) return expect(described(` ${sql}\n;`)).toBe(described(sql));
    expect(described(sql.toUpperCase())).toBe(described(sql));
  });
});
