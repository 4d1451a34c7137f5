import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/** Allows fifteen minutes, because packing builds the client, and building an image takes minutes. */
jest.setTimeout(900_000);

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const TAGS = [`clients/go/v${version}`, `clients/terraform/v${version}`, `v${version}`];

/** A clone with the files of the work tree, so that uncommitted changes are tested too. */
class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), 'release-'));

  constructor() {
    const files = this.run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], ROOT).stdout;
    for (const file of files.split('\n').filter(Boolean))
      try {
        cpSync(join(ROOT, file), join(this.folder, file));
      } catch (error) {
        // The file is missing in the work tree, because its deletion is not committed.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.git('init', '--quiet');
    // The pattern in .gitignore matches `node_modules` only as a folder, but in this clone it is a link.
    writeFileSync(join(this.folder, '.git/info/exclude'), 'node_modules\n');
    this.git('config', 'user.name', 'Release');
    this.git('config', 'user.email', 'release@example.com');
    this.commit();
  }

  run(program: string, args: readonly string[], cwd = this.folder) {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return { status, stdout, stderr };
  }

  git(...args: string[]): string {
    const { status, stdout, stderr } = this.run('git', args);
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  commit(): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'as it is');
  }

  release(...args: string[]) {
    return this.run(process.execPath, ['scripts/release.mjs', ...args]);
  }

  tags(): string[] {
    return this.git('tag', '--list').split('\n').filter(Boolean);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  edit(file: string, change: (text: string) => string): void {
    const text = this.read(file);
    expect(change(text)).not.toBe(text);
    writeFileSync(join(this.folder, file), change(text));
  }
}

describe('npm run release', () => {
  let clone: Clone;
  beforeAll(() => {
    clone = new Clone();
  });
  afterAll(() => rmSync(clone.folder, { recursive: true, force: true }));

  const faults: Readonly<Record<string, readonly [() => void, () => void, string]>> = {
    'a client with another version': [
      () => clone.edit('clients/go/client.go', (text) => text.replace(`"${version}"`, '"0.0.9"')),
      () => clone.git('checkout', '--', 'clients/go/client.go'),
      'clients/go/client.go has 0.0.9',
    ],
    'a changelog without a change': [
      () =>
        clone.edit('CHANGELOG.md', (text) =>
          text.replace(/(\n## \[Unreleased\]\n)[\s\S]*?(?=\n\[Unreleased\]:)/, '$1'),
        ),
      () => clone.git('checkout', '--', 'CHANGELOG.md'),
      'nothing stands below [Unreleased]',
    ],
    'a tag that exists': [
      () => void clone.git('tag', `v${version}`),
      () => void clone.git('tag', '--delete', `v${version}`),
      `the tag v${version} exists`,
    ],
  };
  it.each(Object.keys(faults))('refuses %s, and makes nothing', (name) => {
    const [make, undo, sentence] = faults[name] as (typeof faults)[string];
    make();
    const { status, stdout, stderr } = clone.release('--dry-run');
    undo();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`WRONG: `);
    expect(stderr).toContain(sentence);
  });

  it('refuses a release from a work tree with changes', () => {
    writeFileSync(join(clone.folder, 'new.txt'), 'new');
    const { status, stderr } = clone.release();
    rmSync(join(clone.folder, 'new.txt'));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'WRONG: the work tree has changes\n' });
  });

  it('makes and checks all parts in a dry run, and changes nothing in git', () => {
    const head = clone.git('rev-parse', 'HEAD');
    const { status, stdout, stderr } = clone.release('--dry-run');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`npm package: access-gateway-client-${version}.tgz`);
    expect(stdout).toContain(`command line: cli/gateway.mjs: gateway ${version}, API `);
    expect(stdout).toMatch(/^SBOM: access-gateway\.cdx\.json, \d{3,} components$/m);
    // Chart and image are built, or the output has the reason why not.
    expect(stdout).toMatch(/^chart: (?:access-gateway-.*\.tgz|NOT TRIED: helm is not here)/m);
    expect(stdout).toMatch(/^image: (?:access-gateway:|NOT TRIED: there is no Docker daemon)/m);
    expect(clone.read('dist/release/CHANGELOG.md')).toMatch(
      new RegExp(`\n## \\[Unreleased\\]\n\n## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\n\n`),
    );
    expect(clone.git('status', '--porcelain')).toBe('');
    expect(clone.git('rev-parse', 'HEAD')).toBe(head);
    expect(clone.tags()).toEqual([]);
  });

  it('makes the section of the changelog, a commit and the tags; the next version is written everywhere', () => {
    const { status, stdout, stderr } = clone.release();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(clone.tags()).toEqual(TAGS);
    expect(clone.git('log', '-1', '--format=%s').trim()).toBe(`release: ${version}`);
    expect(clone.git('status', '--porcelain')).toBe('');
    const notes = clone.git('for-each-ref', '--format=%(contents)', `refs/tags/v${version}`);
    expect(notes.trim()).toBe(clone.read('dist/release/notes.md').trim());
    expect(stdout).toContain(`git push --atomic origin HEAD v${version}`);

    expect(clone.release('--next', '9.8.7')).toMatchObject({ status: 0, stderr: '' });
    clone.edit('CHANGELOG.md', (text) =>
      text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- Something.\n'),
    );
    const next = clone.release('--dry-run');
    // PROGRAM_VERSION and the command line now have the version 9.8.7.
    expect({ status: next.status, stderr: next.stderr }).toEqual({ status: 0, stderr: '' });
    expect(next.stdout).toContain('gateway 9.8.7, API ');
  });
});
