import { randomBytes } from 'node:crypto';

/** A command for the server, and what it reads at its standard input. */
export interface ScriptCommand {
  readonly command: string;
  readonly input: string;
  /** Whether the end of the input stops the script, so that it must not be sent before. */
  readonly isEndedByInput: boolean;
}

/**
 * Steps in which the login shell of the user runs a script. They are one line, so that the shell counts the
 * lines of the script from 1, and have no single quotes:
 *
 * 1. It reads the whole script. A connection that breaks off would otherwise leave the shell with the first
 *    part of a script, down to half a line. The first line of the input has a mark and the number of bytes
 *    that follow; they end with the mark.
 * 2. It gives the script an empty standard input. A program that reads it would otherwise swallow the lines
 *    after it.
 * 3. It starts a watcher, which is no child of the shell, so that `wait` does not wait for it. It waits
 *    without a program, which could be missing. When the input ends because the session or the connection
 *    did, it ends the shell and its process group. Many servers send no signals: OpenSSH to no process of
 *    root, Dropbear to the shell alone. If the shell is gone by then, the script has ended by itself, and
 *    what it left in the background stays.
 * 4. It forgets its own variables, and runs the script.
 */
const STEPS = [
  'IFS=" " read -r gateway_mark gateway_bytes',
  'gateway_input=$(head -c "$gateway_bytes")',
  'gateway_script=${gateway_input%"$gateway_mark"}',
  'if [ "$gateway_script" = "$gateway_input" ]; then echo "The script did not arrive whole, so nothing of it ran." >&2; exit 2; fi',
  'exec 3<&0 </dev/null',
  '( ( trap "" HUP INT TERM; while read -r gateway_rest; do :; done; if kill -0 $$; then kill -s TERM -- -$$ || kill -s TERM $$; sleep 0.6 || sleep 1; kill -s KILL -- -$$ || kill -s KILL $$; fi ) <&3 >/dev/null 2>&1 & )',
  'exec 3<&-',
  'eval "unset gateway_steps gateway_mark gateway_bytes gateway_input gateway_script;$gateway_script"',
].join('; ');

/**
 * The shell is to have a process group of its own, so that the watcher finds all of its processes. OpenSSH
 * makes one, Dropbear does not. Without `setsid`, only the shell itself is ended there.
 */
const WHOLE_SCRIPT = [
  `gateway_steps='${STEPS}'`,
  'if kill -s 0 -- -$$ 2>/dev/null || ! command -v setsid >/dev/null; then eval "$gateway_steps"; else exec setsid "${SHELL:-sh}" -c "$gateway_steps"; fi',
].join('; ');

/**
 * Returns how to run a script.
 * @param own the command of the connection, which gets the script itself at its standard input
 */
export function scriptCommand(script: string, own: string | undefined): ScriptCommand {
  if (own !== undefined && own !== '') return { command: own, input: script, isEndedByInput: false };
  const mark = randomBytes(16).toString('hex');
  const marked = `${script}${mark}`;
  const input = `${mark} ${Buffer.byteLength(marked)}\n${marked}`;
  return { command: WHOLE_SCRIPT, input, isEndedByInput: true };
}
