import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/root';
import { probes } from './generators';
import { aloneWithMaven } from './maven';
import { type PublishedClient, clientFolder } from './published';
import type { Command } from './workshop';

/** Time limit of a test. Includes downloads of compilers and packages. */
export const COMPILED_WITHIN_MS = 600_000;

type Tool = keyof typeof probes;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Defines a test. If tools are missing, defines a skipped test that has the reason in its title. */
export function itWith(tools: readonly Tool[], title: string, test: () => Promise<void>): void {
  if (!isSkipped(tools, title)) it(title, test, COMPILED_WITHIN_MS);
}

/** Whether tools are missing. If so, defines a skipped test that has the reason in its title. */
export function isSkipped(tools: readonly Tool[], title: string): boolean {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', probes[tool]]).status !== 0);
  if (missing.length === 0) return false;
  const reason = `${title}: skipped, not installed: ${missing.join(', ')}`;
  process.stderr.write(`${reason}\n`);
  // oxlint-disable-next-line jest/no-disabled-tests
  it.skip(reason, () => undefined);
  return true;
}

/** Checks the parts of a client that package registries show: its version, README and license. */
export function expectPublishable(name: string, versions: PublishedClient['versions']): void {
  const read = (file: string) => readFileSync(join(clientFolder(name), file), 'utf8');
  const said = Object.entries(versions).map(([file, pattern]) => [file, pattern.exec(read(file))?.[1]]);
  expect(said).toEqual(Object.keys(versions).map((file) => [file, version]));
  expect(read('LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  expect(existsSync(join(clientFolder(name), 'README.md'))).toBe(true);
}

/**
 * Runs a command, in which `$WORK` is replaced by the variable WORK. Asynchronous, because the identity
 * provider and the proxy run in this process.
 */
export async function runIn(cwd: string, command: Command, more: Record<string, string>): Promise<void> {
  const [program, ...parameters] = command[0] === 'mvn' ? aloneWithMaven(command) : command;
  const expand = (text: string) => text.replace('$WORK', more['WORK'] ?? '');
  await promisify(execFile)(expand(program), parameters.map(expand), {
    cwd,
    env: { ...process.env, ...more },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { message: string; stdout?: string; stderr?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
  });
}
