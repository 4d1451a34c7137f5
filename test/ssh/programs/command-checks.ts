import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, run } from './running';
import type { SshWay } from './ways';

const CONTENT = Buffer.from(
  Array.from({ length: 1_000_000 }, (_, index) => (index * 7 + (index >> 8)) & 0xff),
);
const SIGNAL = 'kill -TERM $$';
const COMMAND = 'printf out; printf err >&2; exit 7';
/** A command that shows whether it has a terminal. */
export const IN_TERMINAL = 'echo term=$TERM; test -t 0 && echo terminal; exit 3';

/** A program that runs commands on the server: its command line for one command there. */
export type CommandLine = (command: string) => readonly string[];

/** Replaces what differs between two ways on purpose. */
export function plain({ code, out, err }: Ended, { remote, local, user, port }: SshWay): unknown[] {
  const without = (text: string): string =>
    text
      // Programs show these lines where they sign in with a password, and not with a key.
      .replaceAll(/^(Login for .*|.*eyboard-interactive .*)\r?\n/gm, '')
      .replaceAll(remote, 'REMOTE')
      .replaceAll(local, 'LOCAL')
      .replaceAll(`${user}@`, 'USER@')
      .replaceAll(`"${user}"`, '"USER"')
      .replaceAll(String(port), 'PORT');
  return [code, without(out), without(err)];
}

/** Returns what a program sees of commands: output, error output, exit codes, signals, input. */
export async function commands(way: SshWay, line: CommandLine, environment: Record<string, string>) {
  const see = async (command: string, input?: Buffer) =>
    plain(await run(way, line(command), { environment, ...(input === undefined ? {} : { input }) }), way);
  return {
    command: await see(COMMAND),
    signal: await see(SIGNAL),
    bytes: await see(String.raw`printf '\377\000\302'`),
    input: await see('sha256sum', CONTENT),
    'large output': (await run(way, line('head -c 3000000 /dev/zero'), { environment })).out.length,
  };
}

/** Writes the file that is uploaded. Returns its path. */
export function upload({ local }: SshWay): string {
  const file = join(local, 'up.bin');
  writeFileSync(file, CONTENT);
  return file;
}
