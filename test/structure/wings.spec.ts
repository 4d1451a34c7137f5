import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');
const MAX_AT_THE_ROOT = 20;
const MAX_FILES = 25;
const MAX_README_LINES = 120;
/** Size limit of the README at the top. */
const MAX_README_BYTES = 10_000;
/** Maximum lines of code in a folder of `src/sessions`. A larger folder must be split. */
const MAX_LINES_OF_A_ROOM = 2_000;

/** Folders that may have more than `MAX_FILES` files, with the reason. */
const LARGE: Readonly<Record<string, string>> = {
  'platform/database/migrations': 'a file for each migration; none is ever changed',
};
/** Pairs of wings (top folders of `src`) that may import each other, with the reason. */
const WING_CIRCLES: Readonly<Record<string, string>> = {
  'connections guardrails':
    'an attribute joins connections and rules, and knows neither; a connection says which rules it has',
};
/** Words that the kernel must not contain, because code about them belongs to another wing. */
const PRODUCT_WORD =
  /\b(?:guardrails?|reviews?|reviewers?|approvals?|sessions?|recordings?|webhooks?|mcp|scim|catalogs?|portals?|scripts?|rules?|postgres)\b/i;
/** Files of the kernel that may contain words that match `PRODUCT_WORD`, with the reason. */
const PRODUCT_WORDS_ALLOWED: Readonly<Record<string, string>> = {
  'kernel/runtime/spans.ts':
    'the names of all that is traced are one closed list, so that no text of a caller gets into a trace',
  'kernel/async/byte-semaphore.ts': 'explains its shares by the sessions for which it was made',
  'kernel/app-error.ts': 'names the edges that must render each code',
  'kernel/text/names.ts': 'names the kinds of names that are compared alike',
  'kernel/principal.ts': 'says what a client of MCP may do for a person',
  'kernel/json/write-json.ts': 'says for what two spellings of a number must differ',
};

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.\w+$/.test(basename(file)));
const product = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

/** Returns the files of `src` that a file imports, as paths below `src`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|require\()\s*'(\.[^']*)'/g)].map(([, path = '']) =>
    sourceOf(normalize(join(dirname(file), path))),
  );
}

/** Returns the file of an imported path. For a folder, this is its `index.ts`. */
function sourceOf(path: string): string {
  return existsSync(join(SOURCE, `${path}.ts`)) ? `${path}.ts` : `${path}/index.ts`;
}

/** Whether the line is neither empty nor a comment. */
function isCode(line: string): boolean {
  return !/^\s*(?:$|\/\/|\/?\*)/.test(line);
}

/** Returns pairs `a b` of folders that import each other. The two names are in alphabetical order. */
function circles(placeOf: (file: string) => string, isPair: (a: string, b: string) => boolean): string[] {
  const arrows = new Set<string>();
  for (const file of product)
    for (const imported of importsOf(file)) {
      const [from, to] = [placeOf(file), placeOf(imported)];
      if (from !== to && isPair(from, to)) arrows.add(`${from} ${to}`);
    }
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`);
  });
}

const wingOf = (file: string): string => file.split('/')[0] ?? '';

describe('the layout of src', () => {
  const entries = readdirSync(SOURCE, { withFileTypes: true });
  const wings = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);

  it('has few entries at its root', () => {
    expect(entries.filter(({ name }) => name !== 'README.md').length).toBeLessThanOrEqual(MAX_AT_THE_ROOT);
  });

  it('has no folder of many files', () => {
    const counts = new Map<string, number>();
    for (const file of files)
      if (!file.endsWith('.spec.ts')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const large = [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => folder);
    expect(large).toEqual(Object.keys(LARGE));
  });

  it('has no circle between wings, except for a reason', () => {
    expect(circles(wingOf, () => true)).toEqual(Object.keys(WING_CIRCLES));
  });

  it('has no circle between a folder and one below it', () => {
    const isBelow = (a: string, b: string): boolean => a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
    expect(circles(dirname, isBelow)).toEqual([]);
  });

  it('has a kernel without a word of the product, except for a reason', () => {
    const speaking = product.filter(
      (file) => file.startsWith('kernel/') && PRODUCT_WORD.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(speaking.sort()).toEqual(Object.keys(PRODUCT_WORDS_ALLOWED).sort());
  });

  it.each(wings)('%s has a short README, which names its folders', (wing) => {
    const readme = readFileSync(join(SOURCE, wing, 'README.md'), 'utf8');
    expect(readme.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES);
    const folders = readdirSync(join(SOURCE, wing), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(
      folders.filter((name) => !readme.includes(`(${name}/`) && !readme.includes(`\`${name}\``)),
    ).toEqual([]);
  });

  it('is in src/README.md, wing by wing', () => {
    const readme = readFileSync(join(SOURCE, 'README.md'), 'utf8');
    expect(wings.filter((wing) => !readme.includes(`(${wing}/README.md)`))).toEqual([]);
  });

  it.each(
    readdirSync(join(SOURCE, 'sessions'), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  )('has a small room sessions/$name', ({ name }) => {
    const sources = product.filter((file) => file.startsWith(`sessions/${name}/`));
    const lines = sources.reduce(
      (sum, file) => sum + readFileSync(join(SOURCE, file), 'utf8').split('\n').filter(isCode).length,
      0,
    );
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThanOrEqual(MAX_LINES_OF_A_ROOM);
  });
});

describe('the tables of files in READMEs of src', () => {
  /** Names in the first column of a table whose first heading is *File*. */
  function namesIn(readme: string): string[] {
    let isTable = false;
    return readFileSync(join(SOURCE, readme), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, cell] = /^\|([^|]*)\|/.exec(line) ?? [];
        isTable = cell !== undefined && (isTable || /^\s*file\s*$/i.test(cell));
        return isTable ? [...(cell ?? '').matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name) : [];
      });
  }

  const readmes = files.filter((file) => basename(file) === 'README.md');

  it('are found', () => {
    expect(readmes.flatMap(namesIn).length).toBeGreaterThan(150);
  });

  it.each(readmes)('%s names files where they are', (readme) => {
    const absent = namesIn(readme).filter((name) => {
      const path = join(SOURCE, dirname(readme), name);
      return !existsSync(path) && !existsSync(`${path}.ts`) && !existsSync(join(ROOT, name));
    });
    expect(absent).toEqual([]);
  });
});

describe('the front door', () => {
  it('is short: README.md has what the first hour needs', () => {
    expect(readFileSync(join(ROOT, 'README.md')).length).toBeLessThanOrEqual(MAX_README_BYTES);
  });
});

describe('the folders beside src', () => {
  it('are in README.md', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    for (const folder of ['bench', 'clients', 'deploy', 'docs', 'portal', 'src', 'test'])
      expect(readme).toContain(`\`${folder}\``);
  });

  it('are in test/README.md, each folder of test', () => {
    const lines = readFileSync(join(ROOT, 'test/README.md'), 'utf8').split('\n');
    const rows = lines.flatMap((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? []).join('\n');
    const folders = readdirSync(join(ROOT, 'test'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
  });
});
