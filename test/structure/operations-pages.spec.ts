import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const FOLDER = 'docs/operations';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const settings = read('.env.example');

/** Variables that are not settings of the gateway, but of commands on the pages, other programs or tests. */
const NOT_SETTINGS =
  /^(?:ADMIN_URL|BACKUP|PGDATA|RESTORE_TO|GATEWAY|HEADERS|EVIDENCE|OLD_ID|WEBHOOK_ID|NEW_[A-Z]+|DEPLOY_TOOLS|UPGRADE_FROM|LD_PRELOAD|MALLOC_CONF|NODE_[A-Z_]+|SIG[A-Z]+|NOLOGIN|REPLICATION)$/;

const PAGES = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.md'));

describe.each(PAGES)('docs/operations/%s', (page) => {
  const text = read(join(FOLDER, page));
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

  it('names tests, scripts and files that are there, and at least one that shows that it is right', () => {
    const files = quoted.filter((code) => /^(?:test|src|deploy|bench|docs)\/[\w./-]+$/.test(code));
    const commands = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
    const proofs = [
      ...files.filter((file) => file.startsWith('test/')),
      ...commands.filter((name) => /^(?:test|bench)/.test(name)),
    ];
    expect(proofs).not.toEqual([]);
  });

  it('names variables that the gateway has', () => {
    const names = quoted.flatMap(
      (code) => /^([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?:=.*)?$/.exec(code)?.[1] ?? [],
    );
    const unknown = names.filter(
      (name) =>
        !NOT_SETTINGS.test(name) && !new RegExp(`^#?${name.replace(/_FILE$/, '')}=`, 'm').test(settings),
    );
    expect(unknown).toEqual([]);
  });
});

it('docs/operations/hardening.md says of each thing to do what shows it, or whose work it is', () => {
  const rows = read(join(FOLDER, 'hardening.md'))
    .split('\n')
    .filter((line) => /^\| (?!Do \||-)/.test(line))
    .map((line) => line.split(' | ').at(-1) ?? '');
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((shown) => !/\bdoctor\b|`test\/|\*\*yours\*\*/.test(shown))).toEqual([]);
});
