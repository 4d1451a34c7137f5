import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitepress';

const HERE = join(import.meta.dirname, '..');
const ROOT = join(HERE, '../..');

/** Markdown files that do not become pages: files of other projects and of tools. */
const NO_PAGES = [
  '**/node_modules/**',
  'dist/**',
  '.data/**',
  '.github/**',
  'clients/terraform/templates/**',
];

/**
 * The documentation as a site, made of the Markdown files of the repository. A `README.md` is the page of its
 * folder. Nothing is loaded from other hosts: the search works on an index that is part of the site.
 */
export default defineConfig({
  srcDir: ROOT,
  srcExclude: NO_PAGES,
  outDir: join(ROOT, 'dist/docs'),
  cacheDir: join(ROOT, 'dist/docs-cache'),
  title: 'Access Gateway',
  description: 'Access to databases and MCP servers: decided, judged and recorded.',
  rewrites: pageOf,
  markdown: { config: withRepositoryLinks },
  // Lets pages outside this folder find Vue.
  vite: { resolve: { alias: [{ find: /^vue(?=\/|$)/, replacement: join(HERE, 'node_modules/vue') }] } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/docs/guides/api' },
      { text: 'Operations', link: '/docs/operations/deployment' },
      { text: 'Contract', link: '/docs/contract' },
      { text: 'How it works', link: '/src/' },
    ],
    sidebar: [
      { text: 'Start', items: linksTo(['README.md', 'docs/README.md', 'docs/portal.md', 'CHANGELOG.md']) },
      { text: 'Guides', items: linksTo(filesIn('docs/guides')) },
      { text: 'Operations', items: linksTo(['docs/configuration.md', ...filesIn('docs/operations')]) },
      { text: 'Clients', items: linksTo(foldersIn('clients')) },
      {
        text: 'What is promised',
        items: linksTo(['docs/specification.md', 'docs/contract.md', 'docs/glossary.md', 'VERSIONING.md']),
      },
      { text: 'Decisions', items: linksTo(filesIn('docs/decisions')) },
      { text: 'How it works', items: linksTo(foldersIn('src')) },
    ].map((part, at) => ({ ...part, collapsed: at > 1 })),
  },
});

/** @param {string} file path in the repository */
function pageOf(file) {
  return file.replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns links to pages. The text of each link is the heading of its page. */
function linksTo(files) {
  return files.map((file) => {
    const [, heading] = /^# (.*)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    return { text: heading.replaceAll('`', ''), link: addressOf(file) };
  });
}

function filesIn(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => `${folder}/${name}`);
}

/** The pages of a folder and of the folders in it. */
function foldersIn(folder) {
  const names = readdirSync(join(ROOT, folder)).sort();
  return [folder, ...names.map((name) => `${folder}/${name}`)]
    .map((path) => `${path}/README.md`)
    .filter((path) => existsSync(join(ROOT, path)));
}

/**
 * Resolves links for the site. In the repository, links also lead to folders and to files that are no pages.
 * On the site, a link to a folder leads to its page, and the name of such a file appears without a link.
 */
function withRepositoryLinks(markdown) {
  markdown.core.ruler.push('repository_links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children !== null) resolveLinks(children, env.relativePath);
  });
}

/** @param {string} page path of the page in the repository */
function resolveLinks(tokens, page) {
  const opened = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = linkFrom(page, token.attrGet('href'));
      opened.push(link !== undefined);
      if (link === undefined) hide(token);
      else token.attrSet('href', link);
    }
    if (token.type === 'link_close' && !opened.pop()) hide(token);
  }
}

/** The address of the page to which a link leads; undefined for a file that is no page. */
function linkFrom(page, href) {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path, part] = decodeURI(href).split('#');
  const target = join(dirname(page), path);
  const file = [join(target, 'README.md'), target].find((each) => existsSync(join(ROOT, each)));
  if (file === undefined || !file.endsWith('.md')) return undefined;
  return addressOf(file) + (part === undefined ? '' : `#${part}`);
}

function addressOf(file) {
  return `/${pageOf(file).replace(/(^|\/)index\.md$/, '$1')}`;
}

function hide(token) {
  Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null });
}
