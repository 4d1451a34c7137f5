import { spawnSync } from 'node:child_process';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from './workshop';

const hasLocks = spawnSync('flock', ['--version']).status === 0;
/** One lock for each user, like Maven's local repository: a file of another user cannot be locked. */
const LOCK = join(tmpdir(), `gateway-clients-maven-${userInfo().username}.lock`);

/**
 * Runs the command, which runs Maven, after those of other test files: two Maven 3 at a time spoil each
 * other's local repository. Where there is no flock(1) of util-linux, `npm run test:clients -- -i` runs one
 * file at a time.
 */
export function aloneWithMaven(command: Command): Command {
  return hasLocks ? ['flock', LOCK, ...command] : command;
}
