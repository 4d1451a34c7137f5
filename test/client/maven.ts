import { spawnSync } from 'node:child_process';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from './workshop';

const hasLocks = spawnSync('flock', ['--version']).status === 0;
/**
 * Each user has a lock file, because each has a local Maven repository and cannot lock another user's file.
 */
const LOCK = join(tmpdir(), `gateway-clients-maven-${userInfo().username}.lock`);

/**
 * Returns the command, run by flock(1), so that it waits for Maven in other test files. Two concurrent
 * Maven 3 processes damage each other's local repository. Without flock(1) of util-linux, use
 * `npm run test:clients -- -i`, which runs one file at a time.
 */
export function aloneWithMaven(command: Command): Command {
  return hasLocks ? ['flock', LOCK, ...command] : command;
}
