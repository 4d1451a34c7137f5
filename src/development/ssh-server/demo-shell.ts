import { posix } from 'node:path';
import type { DemoFiles } from './demo-files';

export interface DemoResult {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
}

const MAX_SCRIPT_CHARACTERS = 64 * 1024;
/** Maximum size of the output and of the errors of a script. */
const MAX_OUTPUT_CHARACTERS = 1024 * 1024;
const NOT_FOUND = 127;
const SYNTAX_ERROR = 2;

const HELP =
  'Commands: cat, cd, echo, exit, help, hostname, ls, pwd, rm, whoami. A demo, not a shell: it runs no programs.\n';

/** Runs scripts of a few commands on the files of the demo. */
export class DemoShell {
  private folder = '/home/demo';
  private output = '';
  private errors = '';
  /** Set by `exit`. */
  private ended: number | undefined;

  constructor(private readonly files: DemoFiles) {}

  run(script: string): DemoResult {
    const commands = script.length > MAX_SCRIPT_CHARACTERS ? undefined : readCommands(script);
    if (commands === undefined) {
      const errors = 'demo-shell: this is no script for the demo; see help\n';
      return { output: '', errors, exitCode: SYNTAX_ERROR };
    }
    let exitCode = 0;
    for (const [name = '', ...args] of commands) {
      exitCode = this.command(name, args);
      if (this.ended !== undefined) break;
      if (this.output.length + this.errors.length > MAX_OUTPUT_CHARACTERS) break;
    }
    return { output: this.output, errors: this.errors, exitCode: this.ended ?? exitCode };
  }

  private command(name: string, args: readonly string[]): number {
    switch (name) {
      case 'cat':
        return this.each(name, args, (path) => this.cat(path));
      case 'cd':
        return this.each(name, args.length === 0 ? ['/home/demo'] : args, (path) => this.enter(path));
      case 'echo':
        return this.print(`${args.join(' ')}\n`);
      case 'exit':
        this.ended = Number(args[0] ?? 0) & 0xff;
        return this.ended;
      case 'help':
        return this.print(HELP);
      case 'hostname':
        return this.print('demo-server\n');
      case 'ls':
        return this.each(name, args.length === 0 ? ['.'] : args, (path) => this.list(path));
      case 'pwd':
        return this.print(`${this.folder}\n`);
      case 'rm':
        return this.remove(args);
      case 'whoami':
        return this.print('demo\n');
      default:
        this.errors += `demo-shell: ${name}: not found; see help\n`;
        return NOT_FOUND;
    }
  }

  private print(text: string): number {
    this.output += text;
    return 0;
  }

  /** Does something with each path, and reports those for which there is a fault. */
  private each(name: string, paths: readonly string[], work: (path: string) => string | undefined): number {
    let exitCode = 0;
    for (const path of paths) {
      const fault = work(posix.resolve(this.folder, path));
      if (fault === undefined) continue;
      this.errors += `${name}: ${path}: ${fault}\n`;
      exitCode = 1;
    }
    return exitCode;
  }

  private cat(path: string): string | undefined {
    const found = this.files.read(path);
    if (typeof found !== 'string') return found === undefined ? 'no such file' : 'is a folder';
    this.output += found;
    return undefined;
  }

  private enter(path: string): string | undefined {
    if (!Array.isArray(this.files.read(path))) return 'no such folder';
    this.folder = path;
    return undefined;
  }

  private list(path: string): string | undefined {
    const found = this.files.read(path);
    if (found === undefined) return 'no such file or folder';
    const names = typeof found === 'string' ? [posix.basename(path)] : found;
    this.output += names.map((name) => `${name}\n`).join('');
    return undefined;
  }

  private remove(args: readonly string[]): number {
    const flags = args.filter((arg) => /^-[rRf]+$/.test(arg)).join('');
    const [isRecursive, isForced] = [/[rR]/.test(flags), flags.includes('f')];
    const paths = args.filter((arg) => !arg.startsWith('-'));
    return this.each('rm', paths, (path) => {
      const found = this.files.read(path);
      if (found === undefined) return isForced ? undefined : 'no such file';
      if (typeof found !== 'string' && !isRecursive) return 'is a folder';
      this.files.remove(path);
      return undefined;
    });
  }
}

const WORD =
  /[ \t]*(?:(#[^\n]*)|(\r?\n|;)|((?:'[^']*'|"[^"$`\\]*"|\\[^\n]|[^\s;'"\\$`|&<>()*?#[\]{}~!]|(?<=\S)[#~!])+))/y;

/** Returns the words of each command; undefined for a text that the demo does not read. */
function readCommands(script: string): string[][] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  const text = `${script.trimEnd()}\n`;
  for (let at = 0; at < text.length; at = WORD.lastIndex) {
    WORD.lastIndex = at;
    const [, , end, word] = WORD.exec(text) ?? [];
    if (WORD.lastIndex === 0) return undefined;
    if (word !== undefined) words.push(unquoted(word));
    if (end === undefined) continue;
    if (words.length > 0) commands.push(words);
    words = [];
  }
  return commands;
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"([^"]*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) => single ?? double ?? escaped ?? '',
  );
}
