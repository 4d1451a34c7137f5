import type { Redirection } from '../reading/simple-command';
import { type Argument, isKnown } from './arguments';

/** Shells whose scripts are read as they are run. */
const READ = new Set(['sh', 'bash', 'dash', 'ash', 'rbash']);
/** Shells whose scripts are read too, but have more in them than is read. */
const PARTLY_READ = /^(?:(?:m|lk|ok|lok|pd|r)?ksh\d*|zsh|rzsh|yash|hush|posh|sash|bosh)$/;

const LONG_FLAGS = /^--(?:norc|noprofile|posix|login|verbose|restricted|noediting|debugger|pretty-print)$/;
const LONG_VALUED = /^--(?:rcfile|init-file)$/;
/** Bash also takes long options with one dash, of which other shells read the letters. */
const ONE_DASH = /^-(?:norc|noprofile|posix|login|verbose|restricted|rcfile|init-file|help|version)$/;
/** Letters of options. After `o` and `O`, the name of an option stands in a later word. */
const LETTERS = /^[-+][abefhilmnprtuvxBCDEIPTVcsoO]+$/;
const OPTION_NAME = /^(?!keyword$|hist)[a-z_]+$/;

export function isShell(name: string): boolean {
  return READ.has(name) || isPartlyRead(name);
}

/** Whether scripts of this shell may run what is not read. */
export function isPartlyRead(name: string): boolean {
  return PARTLY_READ.test(name);
}

/** Source of the script that a shell runs: the text of `-c`, its standard input, or a file. */
export type ShellRun =
  | { readonly kind: 'text'; readonly text: Argument }
  | { readonly kind: 'input' | 'file' | 'question' | 'unknown' };

/** Finds what a shell with these arguments runs. */
export function shellRun(args: readonly Argument[]): ShellRun {
  let isText = false;
  let isInput = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at]!;
    const { text } = argument;
    if (/^--(?:version|help)$/.test(text)) return { kind: 'question' };
    const isEnd = text === '--' || text === '-';
    if (isEnd || !/^[-+]./.test(text)) {
      const rest = isEnd ? args[at + 1] : argument;
      if (rest === undefined) break;
      if (isText) return { kind: 'text', text: rest };
      // An unknown word may be an option.
      return { kind: isInput && isKnown(rest) ? 'input' : 'file' };
    }
    const names = isKnown(argument) ? optionNames(text, args.slice(at + 1)) : undefined;
    if (names === undefined) return { kind: 'unknown' };
    at += names;
    if (text.startsWith('--')) continue;
    if (text.includes('c')) isText = true;
    if (text.includes('s')) isInput = true;
  }
  return isText ? { kind: 'question' } : { kind: 'input' };
}

/** Returns the number of values after an option; undefined if the option is not known. */
function optionNames(option: string, next: readonly Argument[]): number | undefined {
  if (LONG_FLAGS.test(option)) return 0;
  if (LONG_VALUED.test(option)) return next[0] !== undefined && isKnown(next[0]) ? 1 : undefined;
  if (ONE_DASH.test(option) || !LETTERS.test(option)) return undefined;
  const count = option.replaceAll(/[^oO]/g, '').length;
  // Without names, the shell prints its options.
  const names = next.slice(0, count);
  return names.every((name) => isKnown(name) && OPTION_NAME.test(name.text)) ? names.length : undefined;
}

/** Text that a command has as its standard input; undefined if another command or a file gives it. */
export function standardInput(redirections: readonly Redirection[]): string | undefined {
  const last = redirections.findLast(changesInput);
  if (last === undefined || (last.descriptor !== '' && last.descriptor !== '0')) return undefined;
  if (last.operator === '<<<') return last.target.text;
  return last.document?.body;
}

/** Whether a command reads its standard input from a file. */
export function readsFile(redirections: readonly Redirection[]): boolean {
  const last = redirections.findLast(changesInput);
  return last !== undefined && last.target.text !== '/dev/null';
}

/** Whether a redirection sets descriptor 0, also if it is written as `00` or `0>&3`. */
function changesInput({ operator, descriptor }: Redirection): boolean {
  if (descriptor === '') return operator.startsWith('<');
  return !/^\d+$/.test(descriptor) || Number(descriptor) === 0;
}
