import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const schema = readFileSync(join(__dirname, 'schema.sql'), 'utf8');
const readme = readFileSync(join(__dirname, '..', 'README.md'), 'utf8');

describe('the README of the database', () => {
  it('has every table in its diagram, and no other', () => {
    const tables = found(schema, /^CREATE TABLE (\w+)/gm);
    const diagram = /```mermaid([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const drawn = found(diagram.replaceAll(/subgraph.*/g, ''), /^ +(?:\w+\[(\w+)\]|(\w+))/gm);
    expect(drawn.filter((name) => !name.endsWith('_rows') && name !== 'end').sort()).toEqual(tables.sort());
  });

  it('says of every function of a trigger why it is there', () => {
    const functions = found(schema, /EXECUTE FUNCTION (\w+)\(/g);
    const explained = found(section('The triggers'), /^\| (`.*?) \|/gm).flatMap((cell) =>
      found(cell, /`(\w+)`/g),
    );
    expect(explained.sort()).toEqual(functions.sort());
  });
});

function section(title: string): string {
  return readme.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
}

/** Returns, without duplicates, the text of the first capture group that matched, for each match. */
function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? ''))];
}
