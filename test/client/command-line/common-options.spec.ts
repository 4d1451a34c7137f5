import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { buildSync, stop } from 'esbuild';
import { ROOT } from '../../support/root';

type Program = typeof import('../../../clients/cli/src/program');

/** Commands that send no request to a gateway. */
const WITHOUT = ['completion', 'sessions verify-file'];
const COMMON = ['--url', '--token-file', '--output'];
/** Commands that pass all that stands after their first argument on to another program. */
const PASSES_ON = ['ssh'];
/** Values of required options. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = { 'sign-off': ['--comment', 'fine'] };

/**
 * The program, bundled from its sources, so that one process tests all command lines. The built program would
 * need a process for each command line.
 */
const folder = mkdtempSync(join(tmpdir(), 'gateway-options-'));
const outfile = join(folder, 'program.cjs');
buildSync({
  absWorkingDir: ROOT,
  entryPoints: ['clients/cli/src/program.ts'],
  tsconfig: 'clients/cli/tsconfig.json',
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  conditions: ['access-gateway-source'],
  // Uses the ES module, because `tslib.js` changes the global object, which all test files of a worker share.
  alias: { tslib: 'tslib/tslib.es6.mjs' },
  define: { 'import.meta.url': '""' },
  logLevel: 'error',
});
const { programOf } = createRequire(outfile)(outfile) as Program;

const program = (): Command => programOf(new AbortController().signal, () => undefined);

function pathsOf(command: Command, path: readonly string[] = []): (readonly string[])[] {
  return command.commands.flatMap((one) => {
    const own = [...path, one.name()];
    return [own, ...pathsOf(one, own)];
  });
}

function commandAt(path: readonly string[]): Command {
  return path.reduce((command, name) => {
    const found = command.commands.find((one) => one.name() === name);
    if (found === undefined) throw new Error(`there is no ${path.join(' ')}`);
    return found;
  }, program());
}

const paths = pathsOf(program()).filter((path) => !WITHOUT.includes(path.join(' ')));
const runnable = paths.filter((path) => commandAt(path).commands.length === 0);

/** Returns `done` or the error message. An invalid address ends a command before it sends a request. */
function outcome(args: readonly string[]): Promise<string> {
  return program()
    .parseAsync(args, { from: 'user' })
    .then(
      () => 'done',
      (error: Error) => error.message,
    );
}

describe('options of every command', () => {
  afterAll(() => {
    rmSync(folder, { recursive: true });
    return stop();
  });

  it.each(paths.map((path) => [path.join(' '), path] as const))('are in the help of %s', (_, path) => {
    const help = commandAt(path).helpInformation();
    expect(COMMON.filter((option) => !help.includes(option))).toEqual([]);
  });

  it.each(runnable.map((path) => [path.join(' '), path] as const))(
    'stand before and after %s, and the last one counts',
    async (name, path) => {
      const own = commandAt(path).registeredArguments.filter(({ required }) => required);
      const args = [...own.map(() => 'something'), ...(REQUIRED[name] ?? [])];
      const first = ['--url', 'first'];
      const last = ['--url', 'last', '--output', 'json'];
      const after = PASSES_ON.includes(name) ? [...last, ...args] : [...args, ...last];
      expect([
        await outcome([...first, ...path, ...args]),
        await outcome([...path, ...after]),
        await outcome([...first, ...path, ...after]),
        await outcome([...path.slice(0, -1), ...first, ...path.slice(-1), ...args]),
      ]).toEqual(['first', 'last', 'last', 'first'].map((url) => `this is no address: ${url}`));
    },
  );
});
