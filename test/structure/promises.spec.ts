import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../support/root';

const DOCUMENTS = ['docs/specification.md', 'docs/contract.md'];

/** A promise: a list item that begins with its id. */
const PROMISE = /^- \*\*([A-Z]+-\d+)\*\* \S/gm;
const CITATION = /^\s*\/\/ promises: (.*)$/;
/** Matches the start of a test. Only comments may stand between a citation and its test. */
const TEST = /^\s*(describe|it|test)\w*[.(<]/;

interface Citation {
  readonly ids: readonly string[];
  /** `file:line` */
  readonly place: string;
  readonly isAboveTest: boolean;
}

/** Checks the rules of docs/README.md, "Promises and tests". */
describe('the promises of the documentation', () => {
  const promises = DOCUMENTS.flatMap((file) => [...text(file).matchAll(PROMISE)].map(([, id = '']) => id));
  const citations = filesOf('src', 'test')
    .filter((file) => file.endsWith('spec.ts') && file !== relative(ROOT, __filename))
    .flatMap(citationsIn);
  const cited = new Set(citations.flatMap(({ ids }) => ids));
  const unproved = [
    ...section(text('docs/README.md'), 'Not proved yet').matchAll(/^- \*\*(.+?)\*\*:?(.*)$/gm),
  ].map(([, id = '', reason = '']) => ({ id, reason: reason.trim() }));

  it('are found, and each has an id of its own', () => {
    expect(promises.length).toBeGreaterThan(200);
    expect(promises.filter((id, at) => promises.indexOf(id) !== at)).toEqual([]);
  });

  it('are each proved by a test, or listed as not proved yet with the reason', () => {
    const listed = new Set(unproved.map(({ id }) => id));
    expect(promises.filter((id) => !cited.has(id) && !listed.has(id))).toEqual([]);
    expect(unproved.filter(({ id, reason }) => !promises.includes(id) || reason.length < 20)).toEqual([]);
    expect(unproved.filter(({ id }) => cited.has(id))).toEqual([]);
    if (unproved.length > 0) console.warn(`Not proved yet: ${unproved.map(({ id }) => id).join(', ')}`);
  });

  it('are cited by ids that exist, above a test', () => {
    const faults = citations.flatMap(({ ids, place, isAboveTest }) => [
      ...ids
        .filter((id) => !promises.includes(id))
        .map((id) => `${place}: there is no promise ${id || '(none)'}`),
      ...(isAboveTest ? [] : [`${place}: no test stands below`]),
    ]);
    expect(faults).toEqual([]);
  });

  it('would be found missing, unknown or out of place', () => {
    const found = (lines: string) => citationsOf(lines.split('\n'), 'x');
    expect(found("// promises: READ-1, NO-99\n// why\n  it('reads', () => {")).toEqual([
      { ids: ['READ-1', 'NO-99'], place: 'x:1', isAboveTest: true },
    ]);
    expect(found('// promises: read-1\nconst x = 1;')).toEqual([
      { ids: ['read-1'], place: 'x:1', isAboveTest: false },
    ]);
  });
});

describe('what comments say of the documentation', () => {
  const comments = filesOf('src', 'test')
    .filter((file) => /\.(ts|md)$/.test(file))
    .map((file) => ({ file, text: text(file).replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ') }));
  const headings = (file: string): string[] =>
    [...text(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  /** Returns each reference to a document; `name` is the section or heading that it names. */
  const mentions = (pattern: RegExp) =>
    comments.flatMap(({ file, text: all }) =>
      [...all.matchAll(pattern)].map(([, name = '']) => ({ file, name })),
    );

  it('names sections that the specification has', () => {
    const known = headings('docs/specification.md').map((heading) => /^[\d.]*\d/.exec(heading)?.[0]);
    const named = mentions(/\bspecification[,:]? \(?section (\d+(?:\.\d+)*)/gi);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
  });

  it('names headings that the contract has', () => {
    const known = headings('docs/contract.md');
    const named = mentions(/\bcontract, ["“]([^"”]+)["”]/gi);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ name }) => !known.includes(name))).toEqual([]);
  });
});

describe('links between documents', () => {
  it('lead to files and headings that exist', () => {
    const documents = [
      ...filesOf('docs', 'src', 'test', 'bench'),
      ...readdirSync(ROOT).filter((file) => statSync(join(ROOT, file)).isFile()),
    ].filter((file) => file.endsWith('.md'));
    expect(documents.length).toBeGreaterThan(25);
    const links = documents.flatMap((file) =>
      [...text(file).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^\w+:/.test(link))
        .map((link) => ({ file, link })),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ file, link }) => !leadsSomewhere(file, link))).toEqual([]);
  });
});

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path);
  if (!existsSync(target)) return false;
  if (heading === undefined) return true;
  const anchors = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    // The anchor of a rendered title is in lower case, without punctuation, with a hyphen for each space.
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return anchors.includes(heading);
}

function citationsIn(file: string): Citation[] {
  return citationsOf(text(file).split('\n'), file);
}

function citationsOf(lines: readonly string[], file: string): Citation[] {
  return lines.flatMap((line, at) => {
    const list = CITATION.exec(line)?.[1];
    if (list === undefined) return [];
    const below = lines.slice(at + 1).find((next) => !/^\s*(\/\/|\/?\*|$)/.test(next)) ?? '';
    return [
      {
        ids: list.split(',').map((id) => id.trim()),
        place: `${file}:${at + 1}`,
        isAboveTest: TEST.test(below),
      },
    ];
  });
}

function section(document: string, title: string): string {
  return document.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
}

function filesOf(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
      // Excludes the documents of npm packages that the documentation site uses.
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
}

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
