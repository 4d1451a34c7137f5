import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as fc from '../../../test/support/fast-check';
import { eventually } from '../../../test/support/eventually';
import { scriptCommand } from './script-command';

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh', '/bin/ksh'].filter((path) =>
  existsSync(path),
);

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command as an SSH server does.
 * @param isLeader whether the shell has a process group of its own, as with OpenSSH
 * @param endsInput whether the input ends before the command does
 * @param seen called with all output so far; returns whether to end the input now
 */
function runIn(
  shell: string,
  command: string,
  input: Buffer | string,
  {
    endsInput = false,
    isLeader = true,
    seen,
  }: { endsInput?: boolean; isLeader?: boolean; seen?: (output: string) => boolean } = {},
): Promise<Ran> {
  const child = spawn(shell, ['-c', command], {
    detached: isLeader,
    stdio: 'pipe',
    env: { ...process.env, SHELL: shell },
  });
  let [stdout, stderr] = ['', ''];
  child.stdin.on('error', () => undefined).write(input);
  if (endsInput) child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (seen?.(stdout)) child.stdin.end();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.once('exit', () => child.stdin.end());
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('the command that runs a script', () => {
  it.each(SHELLS)('runs all of a script in %s', async (shell) => {
    const script = 'cd /\necho "$PWD" "$#"\ncat\nread line\nsleep 0 & wait\nset | grep ^gateway_\nexit 9\n';
    const { command, input } = scriptCommand(script, undefined);
    expect(await runIn(shell, command, input)).toEqual({ status: 9, stdout: '/ 0\n', stderr: '' });
  });

  // promises: SSH-5
  it.each(SHELLS)('runs nothing in %s of a script that breaks off, wherever', async (shell) => {
    const { command, input } = scriptCommand('echo ran äö\necho again', undefined);
    const bytes = Buffer.from(input);
    // Each byte in one shell, and some places in the others, where a process for each would take long.
    const step = shell === SHELLS[0] ? 1 : 7;
    for (let length = 0; length < bytes.length; length += step) {
      const { status, stdout, stderr } = await runIn(shell, command, bytes.subarray(0, length), {
        endsInput: true,
      });
      expect([length, status, stdout]).toEqual([length, 2, '']);
      expect(stderr).toContain('The script did not arrive whole, so nothing of it ran.');
    }
    expect(await runIn(shell, command, bytes)).toEqual({ status: 0, stdout: 'ran äö\nagain\n', stderr: '' });
  });

  const groups = SHELLS.flatMap((shell) => [
    [shell, 'its own', true] as const,
    [shell, 'another', false] as const,
  ]);
  it.each(groups)(
    'is ended in %s with all of its processes, in %s process group',
    async (shell, _, isLeader) => {
      const script = 'sleep 1000 & echo "$$ $!"; while :; do sleep 1; done';
      const { command, input } = scriptCommand(script, undefined);
      const { stdout } = await runIn(shell, command, input, {
        isLeader,
        seen: (output) => output.endsWith('\n'),
      });
      const pids = stdout.trim().split(' ');
      expect(pids).toHaveLength(2);
      for (const pid of pids) await eventually('it is gone', () => isGone(Number(pid)));
    },
  );

  it.each(SHELLS)('is ended in %s, though it ignores SIGTERM', async (shell) => {
    const script = 'trap "" TERM; echo "$$"; while :; do sleep 1; done';
    const { command, input } = scriptCommand(script, undefined);
    const { stdout } = await runIn(shell, command, input, { seen: (output) => output.endsWith('\n') });
    await eventually('it is gone', () => isGone(Number(stdout)));
  });

  it.each(SHELLS)('leaves in %s what it put in the background', async (shell) => {
    const { command, input } = scriptCommand('sleep 1000 >/dev/null 2>&1 & echo "$!"', undefined);
    const pid = Number((await runIn(shell, command, input)).stdout);
    // The watcher has ended by now, or finds no shell to end.
    const other = await runIn(shell, command, input);
    expect(isGone(pid)).toBe(false);
    for (const left of [pid, Number(other.stdout)]) process.kill(left, 'SIGKILL');
  });

  it('has another mark for each script, which a script cannot know', () => {
    const first = scriptCommand('x', undefined);
    const second = scriptCommand('x', undefined);
    expect(first.input).not.toBe(second.input);
    expect(first.command).toBe(second.command);
    expect(first.input).toMatch(/^([0-9a-f]{32}) 33\nx\1$/);
  });

  // The script prints a text in single quotes.
  it.each(SHELLS)('gives each text to %s as it is', async (shell) => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const script = `printf %s '${value.replaceAll("'", `'\\''`)}'`;
        const { command, input } = scriptCommand(script, undefined);
        expect(await runIn(shell, command, input)).toEqual({ status: 0, stdout: value, stderr: '' });
      }),
      { numRuns: fc.runs(20) },
    );
  });

  it('is that of the connection if it has one, which gets the script and nothing else', () => {
    expect(scriptCommand('echo x', 'exec bash -s')).toEqual({
      command: 'exec bash -s',
      input: 'echo x',
      isEndedByInput: false,
    });
    expect(scriptCommand('echo x', '').command).toContain('eval');
  });
});
