import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../support/root';

/** Path of this file. It is not searched, because it contains the search words itself. */
const SELF = relative(ROOT, __filename);
/** Files that are not searched: generated files, and migrations, which never change after they have run. */
const NOT_SEARCHED =
  /^(openapi\.json|package-lock\.json|test\/client\/schema\.d\.ts|src\/platform\/database\/schema\/schema\.sql)$|\/migrations\//;
const SEARCHED = /\.(ts|mjs|cjs|md|sql|json|yml|yaml|sh)$/;

/** Maximum width of a line with a comment, in characters. */
const MAX_COLUMNS = 110;
const COMMENT = /^\s*(?:\/\/(?! promises:)|\/?\*)/;
/** Generated files, whose line width is not checked. */
const GENERATED = /^clients\/typescript\/src\/schema\.ts$|\/generated\//;

interface Fault {
  readonly line: number;
  readonly text: string;
}

/** Checks docs/glossary.md: one meaning for one word, one word for one meaning. */
describe('the words of the repository', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => SEARCHED.test(file) && !NOT_SEARCHED.test(file) && file !== SELF)
    .flatMap((file) => read(file));

  it('are searched in all of it', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['README.md', 'src/main.ts', 'bench/README.md', 'docs/contract.md']),
    );
  });

  it('spell a guardrail in one word, but for names of the specification', () => {
    const found = where(/[gG]uard(?:[ _-][rR]|R)ail/, SPELLED_IN_TWO, SEARCHED, wireNames());
    expect(found).toEqual([]);
  });

  it('are the standard terms, in names of code', () => {
    expect(where(new RegExp(`\\b(${PRIVATE_NAMES.join('|')})\\b`), {}, /\.(ts|mjs|cjs)$/)).toEqual([]);
    const lying = files.filter(({ file }) => PRIVATE_FILES.test(file)).map(({ file }) => file);
    expect(lying).toEqual([]);
  });

  it('are the standard terms, in sentences', () => {
    expect(where(new RegExp(PRIVATE_PHRASES.join('|'), 'i'), PHRASES_AS_EXAMPLES)).toEqual([]);
  });

  it('stand in comments that are no wider than the code', () => {
    const wide = files
      .filter(({ file }) => /\.(ts|tsx|mjs|cjs)$/.test(file) && !GENERATED.test(file))
      .flatMap(({ file, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            line.length > MAX_COLUMNS && COMMENT.test(line) ? `${file}:${index + 1}` : [],
          ),
      );
    expect(wide).toEqual([]);
  });

  it('name each export of src once', () => {
    const places = new Map<string, string[]>();
    for (const { file, text } of files) {
      if (!file.startsWith('src/') || !file.endsWith('.ts') || file.endsWith('spec.ts')) continue;
      for (const [, name = ''] of text.matchAll(EXPORTED))
        places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect(places.size).toBeGreaterThan(1_000);
    expect([...places].filter(([, { length }]) => length > 1)).toEqual([]);
  });

  it('would be found', () => {
    expect(faultsIn('a\nGuard Rails', /guard[ _-]rail/i)).toEqual([{ line: 2, text: 'Guard Rails' }]);
    expect('export async function signIn() {}').toMatch(EXPORTED);
  });

  it('have exceptions that are all needed', () => {
    for (const [file, lines] of Object.entries({ ...SPELLED_IN_TWO, ...PHRASES_AS_EXAMPLES })) {
      const text = files.find((one) => one.file === file)?.text ?? '';
      expect(lines.filter((line) => !line.test(text))).toEqual([]);
    }
  });

  function where(
    word: RegExp,
    exceptions: Record<string, readonly RegExp[]>,
    among = SEARCHED,
    names = /(?!)/g,
  ): string[] {
    return files
      .filter(({ file }) => among.test(file))
      .flatMap(({ file, text }) =>
        faultsIn(text.replaceAll(names, ''), word)
          .filter((fault) => !(exceptions[file] ?? []).some((allowed) => allowed.test(fault.text)))
          .map((fault) => `${file}:${fault.line}: ${fault.text.trim().slice(0, 120)}`),
      );
  }
});

/**
 * Matches the operation ids and tags of the API that contain the word `rail`. They are names of the reference
 * system, from which its generated clients derive the names of methods and classes. So these names are
 * allowed in the API, in the code that declares them and in the tests that call them.
 */
function wireNames(): RegExp {
  const api = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
    readonly tags: readonly { readonly name: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  const tags = api.tags.flatMap(({ name }) => [name, `${name.replaceAll(' ', '')}Api`]);
  const operations = Object.values(api.paths)
    .flatMap(Object.values<{ readonly operationId?: string }>)
    .map(({ operationId = '' }) => operationId);
  const names = [...tags, ...operations].filter((name) => /rail/i.test(name));
  return new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');
}

const SPELLED_IN_TWO: Record<string, readonly RegExp[]> = {
  // Allowed, because operation ids end with this name: `createGuardRail`.
  'test/http/answers.e2e-spec.ts': [/'GuardRail',/],
  // The glossary shows the wrong spelling.
  'docs/glossary.md': [/\*guard rail\*/],
};

/** Forbidden names. docs/glossary.md lists the standard terms to use instead. */
const PRIVATE_NAMES = [
  'AccessGrants',
  'Aftermath',
  'AskedSessions',
  'Begun',
  'Eventual',
  'Guest',
  'HeldRun',
  'InFlight',
  'LostAccess',
  'NamedThings',
  'PeopleWatch',
  'SessionKeeper',
  'Spoken',
  'Turns',
  'WithheldAccess',
  'goOn',
  'isNews',
  'isUntold',
  'toTell',
  'toldAt',
  'whenThere',
];
const PRIVATE_FILES = /(^|\/)(missing|places|eventual|leave|manner|pace|lane|aftermath)\.ts$/;

/**
 * Forbidden figures of speech. Standard terms exist for them: FIFO queue, cancel function, turn of the event
 * loop.
 */
const PRIVATE_PHRASES = [
  'how to call it off',
  'how to give it back',
  'in the order of coming',
  'whoever',
  '\\bfor ever\\b',
  "(nobody|somebody)['’]s (way|word|reading)",
  'whatever becomes of',
  'is not its word',
  'the word of the (provider|server|gateway)',
  'of no matter',
  'bit by bit',
  'holds? on to',
  'goes nowhere',
  'so much of it',
  '\\bnow and then\\b',
  'however (many|much|often|long|large)\\b',
];
const PHRASES_AS_EXAMPLES: Record<string, readonly RegExp[]> = {
  // The glossary shows words that must not be the subject of a sentence.
  'docs/glossary.md': [/Do not write \*whoever\*/],
};

const EXPORTED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function\*?|const|interface|type|enum) (\w+)/gm;

function read(file: string): { file: string; text: string }[] {
  try {
    return [{ file, text: readFileSync(join(ROOT, file), 'utf8') }];
  } catch {
    // Git still lists the file, but it was deleted.
    return [];
  }
}

function faultsIn(text: string, word: RegExp): Fault[] {
  return text
    .split('\n')
    .flatMap((line, index) => (word.test(line) ? [{ line: index + 1, text: line }] : []));
}
