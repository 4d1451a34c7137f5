import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plain, upload } from './command-checks';
import { type Outcome, run, sumOf, versionOf } from './running';
import type { SshWay } from './ways';
import { askpass, openSshOptions } from './with-openssh';

/** Variables with the command line that rsync and git run instead of `ssh`. */
function environmentOf(way: SshWay): Record<string, string> {
  const ssh = ['ssh', ...openSshOptions(way), '-p', String(way.port)].join(' ');
  const git = { GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z' };
  return { ...askpass(way), ...git, GIT_SSH_COMMAND: ssh, RSYNC_RSH: ssh };
}

/** rsync: a folder to the server and back, a part of a file that changed, and a file that is not there. */
export async function withRsync(way: SshWay): Promise<Outcome> {
  const { user, local, remote } = way;
  const [here, back] = [join(local, 'here'), join(local, 'back')];
  mkdirSync(join(here, 'sub'), { recursive: true });
  await run(way, ['cp', upload(way), join(here, 'sub', 'ä b.bin')]);
  await run(way, ['ln', '-s', 'sub/ä b.bin', join(here, 'link')]);
  const at = (path: string): string => `${user}@127.0.0.1:${remote}/${path}`;
  const rsync = async (...args: string[]) =>
    plain(await run(way, ['rsync', '-s', ...args], { environment: environmentOf(way) }), way);
  const there = await rsync('-a', `${here}/`, at('there/'));
  writeFileSync(join(here, 'sub', 'ä b.bin'), 'at the begin', { flag: 'r+' });
  // No flags (%i): whether the time differs depends on the second in which each copy is made.
  const changed = await rsync('-a', '--no-whole-file', '-c', '--out-format=%n', `${here}/`, at('there/'));
  const files = {
    there,
    changed,
    back: await rsync('-a', '--delete', '-z', at('there/'), `${back}/`),
    content: [sumOf(join(back, 'link')), sumOf(join(back, 'sub', 'ä b.bin'))],
    // The line of an error has the version of rsync.
    missing: (await rsync(at('missing'), `${back}/`)).slice(0, 2),
  };
  return { versions: { rsync: await versionOf(way, ['rsync', '--version']) }, seen: files };
}

/** git: a repository on the server that is cloned, changed, pushed to, and asked for what is not there. */
export async function withGit(way: SshWay): Promise<Outcome> {
  const { user, local, remote } = way;
  const [server, copy] = [join(remote, 'one.git'), join(local, 'copy')];
  const at = `${user}@127.0.0.1:${server}`;
  const git = async (...args: string[]) =>
    plain(await run(way, ['git', ...args], { environment: environmentOf(way) }), way);
  const inCopy = (...args: string[]) =>
    git('-C', copy, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args);
  await git('init', '-q', '--bare', '-b', 'main', server);
  const seen: Record<string, unknown> = { clone: await git('clone', '-q', at, copy) };
  await run(way, ['cp', upload(way), join(copy, 'file.bin')]);
  await inCopy('add', '.');
  await inCopy('commit', '-q', '-m', 'one');
  seen['push'] = await inCopy('push', '-q', 'origin', 'HEAD:main');
  seen['pushed again'] = await inCopy('push', '--porcelain', 'origin', 'HEAD:main');
  seen['shallow'] = await git('clone', '-q', '--depth', '1', '-b', 'main', at, join(local, 'again'));
  seen['content'] = sumOf(join(local, 'again', 'file.bin'));
  seen['branches'] = (await git('ls-remote', '--symref', at)).slice(0, 1);
  seen['missing'] = await git('ls-remote', `${at}-missing`);
  return { versions: { git: await versionOf(way, ['git', '--version']) }, seen };
}
