import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../support/root';

/** Allows ten minutes, because npm downloads the packages of the site. */
jest.setTimeout(600_000);

const SITE = join(ROOT, 'docs/site');
const OUTPUT = join(ROOT, 'dist/docs');

/** Builds the documentation as a web site, with the command from CONTRIBUTING.md. */
describe('the site of the documentation', () => {
  let pages: ReadonlyMap<string, string>;

  beforeAll(() => {
    for (const script of [['ci'], ['run', 'build']]) {
      const { status, stdout, stderr } = spawnSync('npm', script, { cwd: SITE, encoding: 'utf8' });
      if (status !== 0) throw new Error(`npm ${script.join(' ')} in docs/site: ${stdout}${stderr}`);
    }
    const files = readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' });
    pages = new Map(
      files
        .filter((file) => file.endsWith('.html'))
        .map((file) => [file, readFileSync(join(OUTPUT, file), 'utf8')]),
    );
  });

  it('has a page for each Markdown file that people read', () => {
    const { stdout } = spawnSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' });
    const files = stdout
      .split('\n')
      .filter((file) => file !== '' && !/^(\.github|clients\/terraform\/templates)\//.test(file));
    expect(files.length).toBeGreaterThan(100);
    const pageOf = (file: string): string =>
      file.replace(/(^|\/)README\.md$/, '$1index.md').replace(/md$/, 'html');
    expect(files.filter((file) => !pages.has(pageOf(file)))).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const dead = [...pages].flatMap(([page, html]) =>
      linksOf(html)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('loads nothing from other hosts', () => {
    const loaded = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)].map(
        ([, address]) => `${page}: ${address}`,
      ),
    );
    expect(loaded).toEqual([]);
  });

  it('has an index of its own, in which the search finds each part of a page', () => {
    const folder = join(OUTPUT, 'assets/chunks');
    const [name = ''] = readdirSync(folder).filter((file) => file.includes('localSearchIndexroot'));
    const index = readFileSync(join(folder, name), 'utf8');
    for (const part of ['/docs/guides/reviews.html#to-decide', '/src/gate/#', '/docs/contract.html#evidence'])
      expect([part, index.includes(part)]).toEqual([part, true]);
  });

  function linksOf(html: string): string[] {
    return [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)]
      .map(([, link = '']) => link.replaceAll('&amp;', '&'))
      .filter((link) => !/^([a-z]+:|\/\/)/i.test(link));
  }

  function leadsSomewhere(page: string, link: string): boolean {
    const [path = '', part] = link.split('#');
    const absolute = path.startsWith('/') ? path : join('/', dirname(page), path);
    let file = path === '' ? join(OUTPUT, page) : join(OUTPUT, decodeURI(absolute));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (part === undefined || part === '') return existsSync(file);
    const html = pages.get(relative(OUTPUT, file));
    return html?.includes(` id="${decodeURIComponent(part)}"`) ?? false;
  }
});
