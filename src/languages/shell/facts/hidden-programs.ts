import { ANY } from '../reading/word';
import { type Argument, meansOption, plainName } from './arguments';

const INTERPRETS = 'runs code in a language that is not read';
const ESCAPES = 'opens a program from which others can be run';
const ELSEWHERE = 'runs commands on another machine';
const FROM_FILE = 'runs what a file says';
const LATER = 'runs commands later';
const OPTION = 'has an option that runs another program';

const list = (reason: string, names: string): [string, string][] =>
  names.split(' ').map((name) => [name, reason]);

/** Programs that run what stands in their arguments, their input or their files. */
const ALWAYS: ReadonlyMap<string, string> = new Map([
  ...list(
    INTERPRETS,
    'python pypy perl ruby node nodejs php lua luajit tclsh wish expect irb rscript r ghc runghc scala groovy ' +
      'jshell julia erl elixir iex ocaml guile racket clisp sbcl deno bun osascript pwsh powershell gdb lldb m4 dc sqlite ' +
      'mongosh mongo jq.exe tcl gnuplot octave scsh fish csh tcsh xonsh nu elvish rc es',
  ),
  ...list(
    ESCAPES,
    'vi vim view nvim vimdiff rvim gvim ex ed emacs nano pico joe mcedit micro ne jed less more most pg man info w3m lynx ' +
      'links screen tmux byobu mc visudo vipw vigr sudoedit ftp lftp mutt mail mailx gawk-debug systemd-ask-password script dialog',
  ),
  ...list(ELSEWHERE, 'ssh rsh rlogin mosh telnet autossh dbclient sshpass salt pssh clush'),
  ...list(
    FROM_FILE,
    'make gmake ninja rake ant mvn gradle npm npx yarn pnpm run-parts ansible ansible-playbook puppet chef-client vagrant invoke ' +
      'just task go cargo cmake ctest scons bazel source .',
  ),
  ...list(LATER, 'at batch complete compgen bind fc coproc'),
  ...list(OPTION, 'socat parallel entr inotifywatch logsave ptx facter'),
]);

/** Long options, per program, whose value is a program or a command. */
const LONG_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '--checkpoint-action',
    '--to-command',
    '--rmt-command',
    '--rsh-command',
    '--info-script',
    '--new-volume-script',
  ],
  rsync: ['--rsync-path'],
  zip: ['--unzip-command'],
  wget: ['--use-askpass', '--execute', '--config'],
  curl: ['--config'],
  git: ['--config-env', '--exec-path', '--upload-pack', '--receive-pack', '--exec', '--open-files-in-pager'],
  coreutils: ['--coreutils-prog'],
  dpkg: ['--pre-invoke', '--post-invoke', '--status-logger'],
  find: ['--files0-from'],
};

/** Patterns, per program, of arguments with which it runs something that is not read. */
const TELLING_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  tar: /^-?[A-Za-z]*F/,
  zip: /^-T?TT/,
  curl: /^-K/,
  wget: /^-e/,
  scp: /^-S|proxycommand|localcommand|^-F/i,
  sftp: /^-S|^-b|proxycommand|localcommand|^-F/i,
  nc: /^-\w*[ec]|^--(?:sh-)?exec/,
  ncat: /^-\w*[ec]|^--(?:sh-)?exec|^--lua/,
  netcat: /^-\w*[ec]/,
  gcc: /^-wrapper|^-f?plugin/,
  'g++': /^-wrapper/,
  cc: /^-wrapper/,
  rpm: /%[({]|^-\w*E|^--eval|^--pipe/,
  apt: /invoke|hook|^-c/i,
  'apt-get': /invoke|hook|^-c/i,
  tcpdump: /^-\w*z/,
  hash: /^-p/,
  enable: /^-\w*[fd]/,
  jobs: /^-x/,
  set: /^-\w*H|^histexpand$|^history$/,
  history: /^-[sprw]/,
  declare: /^-\w*n/,
  local: /^-\w*n/,
  typeset: /^-\w*n/,
  git: /^ext::|^alias\.|^core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass)|^(?:filter-branch|bisect|difftool|mergetool)$/i,
  openssl: /^-engine|^engine$|^-provider/,
  psql: /\\|program/i,
  mysql: /\\!|system/i,
  mariadb: /\\!|system/i,
  nmap: /^--script|^--interactive/,
  cpan: /^/,
  irb: /^/,
  crontab: /^(?!-[lr]$)/,
  hexdump: /^$/,
};

/** Programs that read commands if an argument with one of these beginnings is missing. */
const NEEDS: Readonly<Record<string, RegExp>> = {
  psql: /^-(?:\w*c|l|V)|^--(?:command|list|version)/,
  mysql: /^-(?:\w*e|V)|^--(?:execute|version)/,
  mariadb: /^-(?:\w*e|V)|^--(?:execute|version)/,
  crontab: /^-[lr]$/,
};

/** Returns why a program runs what cannot be read here; undefined if it does not. */
export function programHides(program: string, args: readonly Argument[]): string | undefined {
  const name = plainName(program);
  const always = ALWAYS.get(name === '' ? program : name);
  if (always !== undefined) return isQuestion(args) ? undefined : always;
  if (Object.hasOwn(NEEDS, name) && !args.some(({ text }) => NEEDS[name]!.test(text))) return FROM_FILE;
  const telling = Object.hasOwn(TELLING_ARGUMENTS, name) ? TELLING_ARGUMENTS[name] : undefined;
  if (telling !== undefined && args.some(({ text }) => telling.test(text))) return OPTION;
  const long = Object.hasOwn(LONG_OPTIONS, name) ? LONG_OPTIONS[name] : undefined;
  if (long !== undefined && args.some(({ text }) => meansOption(text, long))) return OPTION;
  if (name === 'git' && gitRuns(args)) return OPTION;
  return undefined;
}

/** Whether the only argument asks for the version or help. */
function isQuestion(args: readonly Argument[]): boolean {
  return args.length === 1 && /^(?:-V|-v|--version|--help|version)$/.test(args[0]!.text);
}

/** Whether options before the subcommand of git set its configuration, or the subcommand runs a command. */
function gitRuns(args: readonly Argument[]): boolean {
  const words = args.map(({ text }) => text);
  const at = words.findIndex((word, index) => !word.startsWith('-') && words[index - 1] !== '-C');
  const before = at === -1 ? words : words.slice(0, at);
  if (before.some((word) => word.startsWith('-c') || word.includes(ANY))) return true;
  const rest = at === -1 ? [] : words.slice(at);
  return (
    (rest[0] === 'submodule' && rest.includes('foreach')) ||
    (rest[0] === 'rebase' && rest.some((word) => /^-\w*[xi]|^--interactive/.test(word))) ||
    (rest[0] === 'grep' && rest.some((word) => word.startsWith('-O'))) ||
    (rest[0] === 'config' && rest.some((word) => word.startsWith('!')))
  );
}
