import { type Argument, isKnown } from './arguments';

/** Shells whose scripts are read as they are run. */
const READ = new Set(['sh', 'bash', 'dash', 'ash', 'rbash']);
/** Shells whose scripts are read too, but have more in them than is read. */
const PARTLY_READ = /^(?:(?:m|lk|ok|lok|pd|r)?ksh\d*|zsh|rzsh|yash|hush|posh|sash|bosh)$/;

/** Options whose value is the next argument. */
const VALUED = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file|--startup-file)$/;

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
  | { readonly kind: 'input' }
  | { readonly kind: 'file' }
  | { readonly kind: 'question' };

/** Finds what a shell with these arguments runs. */
export function shellRun(args: readonly Argument[]): ShellRun {
  let isText = false;
  let isInput = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at]!;
    const { text } = argument;
    if (text === '--version' || text === '--help') return { kind: 'question' };
    const isOption = /^[-+]./.test(text) && text !== '--';
    if (!isOption || !isKnown(argument)) {
      const rest = text === '--' || text === '-' ? args[at + 1] : argument;
      if (rest === undefined) break;
      if (isText) return { kind: 'text', text: rest };
      return isInput ? { kind: 'input' } : { kind: 'file' };
    }
    // An unknown word may be an option too.
    if (VALUED.test(text)) at += 1;
    if (/^-[a-zA-Z]*c/.test(text)) isText = true;
    if (/^-[a-zA-Z]*s/.test(text)) isInput = true;
  }
  return { kind: 'input' };
}
