import { constants } from 'node:os';
import type { ClientChannel } from 'ssh2';

/** The end of a command, as the server reported it. */
export type ScriptExit = { readonly code: number } | { readonly signal: string };

/** Added to the number of a signal, as shells do. */
const SIGNALLED = 128;

/**
 * Resolves when the channel is closed, and its output was read. Resolves with undefined if the server did not
 * report how the command ended.
 */
export function exitOf(channel: ClientChannel): Promise<ScriptExit | undefined> {
  let exit: ScriptExit | undefined;
  channel.once('exit', (code: number | null, signal?: string) => {
    exit = code === null ? { signal: signal ?? '' } : { code };
  });
  return new Promise((resolve) => {
    channel.once('close', () => resolve(exit));
  });
}

/** Returns the exit code: of a signal as shells show it, of others as the server reported it. */
export function exitCodeOf(exit: ScriptExit): number {
  // The protocol has 32 bits without a sign, of which Windows uses all; the gateway stores them with one.
  if ('code' in exit) return exit.code | 0;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return SIGNALLED + (Object.hasOwn(signals, exit.signal) ? (signals[exit.signal] ?? 0) : 0);
}

/** Returns what to add to the error output, or undefined. */
export function exitMessage(exit: ScriptExit): string | undefined {
  if ('code' in exit) return undefined;
  // A server may name a signal as it likes.
  const name = /^SIG[A-Z0-9]{1,12}$/.test(exit.signal) ? exit.signal.slice('SIG'.length) : 'unknown';
  return `The script was ended by the signal ${name}.`;
}
