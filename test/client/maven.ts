import { spawnSync } from 'node:child_process';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from './workshop';

const hasLocks = spawnSync('flock', ['--version']).status === 0;
/** One for each user, as Maven's local repository is: a file of somebody else cannot be locked. */
const LOCK = join(tmpdir(), `gateway-clients-maven-${userInfo().username}.lock`);

/**
 * That command, which runs Maven, after those of other test files: two Maven 3 at a time
 * spoil each other's local repository. Where there is no flock(1) of util-linux,
 * `npm run test:clients -- -i` runs one file at a time.
 */
export function aloneWithMaven(command: Command): Command {
  return hasLocks ? ['flock', LOCK, ...command] : command;
}
