// npm run release: makes and checks everything of a release in dist/release/, then the section of the
// changelog, a commit and the tags. It publishes and pushes nothing, and prints the command that pushes.
//
// --dry-run            makes and checks the same, but changes no changelog, commit or tag
// --next <version>     writes the version of the next release in all places
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './deploy/tools.mjs';
import { ARTIFACTS } from './release/artifacts.mjs';
import { faultsOfChangelog, notesOf, released } from './release/changelog.mjs';
import { faultsOfVersions, versionOf, writeVersion } from './release/versions.mjs';

const root = join(import.meta.dirname, '..');
const [option, next] = process.argv.slice(2);
const git = (...args) => run('git', args, { cwd: root });

if (option === '--next' && next !== undefined) {
  writeVersion(root, next);
  console.log(`the next release is ${next}`);
} else if (option === undefined || option === '--dry-run') {
  const faults = release(option === '--dry-run');
  for (const fault of faults) console.error(`WRONG: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} else {
  console.error('npm run release [-- --dry-run | --next <version>]');
  process.exitCode = 2;
}

/** Returns the faults. If there are any, nothing was committed. */
function release(isDryRun) {
  const version = versionOf(root);
  // For a module in a folder, Go needs a tag that begins with the path of the folder.
  const tags = [`v${version}`, `clients/go/v${version}`, `clients/terraform/v${version}`];
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const before = [
    ...faultsOfVersions(root),
    ...faultsOfChangelog(changelog, version),
    ...tags.filter((tag) => git('tag', '--list', tag).stdout !== '').map((tag) => `the tag ${tag} exists`),
    ...(isDryRun || git('status', '--porcelain').stdout === '' ? [] : ['the work tree has changes']),
  ];
  if (before.length > 0) return before;
  const folder = join(root, 'dist/release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const section = released(changelog, version, new Date().toISOString().slice(0, 10));
  writeFileSync(join(folder, 'CHANGELOG.md'), section);
  writeFileSync(join(folder, 'notes.md'), `${notesOf(changelog)}\n`);
  console.log(`notes: dist/release/notes.md, ${notesOf(changelog).split('\n- ').length - 1} changes`);
  const wrong = makeAll({ root, folder, version });
  if (wrong.length > 0) return wrong;
  if (isDryRun) console.log(`tags: ${tags.join(', ')}: not made, this is a dry run`);
  else commit({ section, version, tags, notes: join(folder, 'notes.md') });
  return [];
}

/** Prints what was made, and returns what is wrong. */
function makeAll(where) {
  return Object.entries(ARTIFACTS).flatMap(([name, make]) => {
    const { made, notTried, wrong } = make(where);
    for (const line of made) console.log(`${name}: ${line}`);
    for (const line of notTried) console.log(`${name}: NOT TRIED: ${line}`);
    return wrong.map((line) => `${name}: ${line}`);
  });
}

function commit({ section, version, tags, notes }) {
  writeFileSync(join(root, 'CHANGELOG.md'), section);
  const steps = [
    ['commit', '--quiet', '--message', `release: ${version}`, '--', 'CHANGELOG.md'],
    // Verbatim, because headings of the notes begin with `#`, and git would remove them as comments.
    ...tags.map((tag) => ['tag', '--annotate', '--cleanup=verbatim', '--file', notes, tag]),
  ];
  for (const step of steps) {
    const { isRight, stderr } = git(...step);
    if (!isRight) throw new Error(`git ${step[0]}: ${stderr}`);
  }
  console.log(`tags: ${tags.join(', ')}`);
  console.log(`now: git push --atomic origin HEAD ${tags.join(' ')}`);
}
