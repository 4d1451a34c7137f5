import { type Argument, baseName, meansOption, plainName } from './arguments';

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
      'mongosh mongo tcl gnuplot octave scsh fish csh tcsh xonsh nu elvish rc es java jrunscript mono dotnet swift kotlin sbt ' +
      'ipython bpython jupyter cling root rlwrap ts-node tsx groff nroff troff pic',
  ),
  ...list(
    ESCAPES,
    'vi vim view nvim vimdiff rvim gvim ex ed emacs nano pico joe mcedit micro ne jed less more most pg man info w3m lynx ' +
      'links screen tmux byobu mc visudo vipw vigr sudoedit ftp lftp mutt mail mailx gawk-debug systemd-ask-password script dialog ' +
      'editor pager sensible-editor sensible-pager sensible-browser select-editor xdg-open vimtutor rview rnano zless zmore ' +
      'bzless xzless login newgrp',
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
  cpio: ['--rsh-command'],
  sdiff: ['--diff-program'],
  rclone: ['--password-command', '--sftp-ssh'],
  restic: ['--password-command'],
  borg: ['--rsh'],
  helm: ['--post-renderer'],
  gpg: ['--agent-program', '--dirmngr-program', '--photo-viewer', '--pinentry-program'],
  mysql: ['--pager'],
  mariadb: ['--pager'],
  zip: ['--unzip-command'],
  wget: ['--use-askpass', '--execute', '--config'],
  curl: ['--config'],
  coreutils: ['--coreutils-prog'],
  dpkg: ['--pre-invoke', '--post-invoke', '--status-logger'],
  find: ['--files0-from'],
};

/** Options of apt that name programs, or files with options. */
const APT = /invoke|hook|^-[a-z]*c|^--config|Dir::Bin|\0[^=]*=/i;

/** Options of compilers that name programs, libraries, or files with options. */
const COMPILERS =
  /^-(?:wrapper|f?plugin|B|specs|-specs|fuse-ld|-ld-path|no-canonical-prefixes|Xclang|load)|^@/;

/** Patterns, per program, of arguments with which it runs something that is not read. */
const TELLING_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  zip: /^-[^-]*TT/,
  find: /^-files0-from/,
  fd: /^-\w*[xX]|^--exec/,
  rg: /^--(?:pre|hostname-bin)/,
  ag: /^--pager/,
  bat: /^--pager/,
  pg_ctl: /^-\w*[po]/,
  nm: /^--plugin/,
  ar: /^--plugin/,
  ranlib: /^--plugin/,
  strip: /^--plugin/,
  objcopy: /^--plugin/,
  ld: /^-{1,2}plugin/,
  curl: /^-K/,
  wget: /^-(?:[VhbdqvFSNckKmprxEHL46]|n[a-z])*e/,
  nc: /^-\w*[ec]|^--(?:sh-)?exec/,
  ncat: /^-\w*[ec]|^--(?:sh-)?exec|^--lua/,
  netcat: /^-\w*[ec]/,
  gcc: COMPILERS,
  'g++': COMPILERS,
  cc: COMPILERS,
  'c++': COMPILERS,
  cpp: COMPILERS,
  clang: COMPILERS,
  // Without its year: c99.
  c: COMPILERS,
  rpm: /%[({]|^-\w*E|^--eval|^--pipe/,
  apt: APT,
  'apt-get': APT,
  'apt-cache': APT,
  'apt-mark': APT,
  aptitude: APT,
  tcpdump: /^-\w*z/,
  hash: /^-\w*p/,
  enable: /^-\w*[fd]/,
  jobs: /^-x/,
  set: /^-\w*[Hk]|^histexpand$|^history$|^keyword$/,
  history: /^-\w*[sprw]/,
  declare: /^-\w*n/,
  local: /^-\w*n/,
  typeset: /^-\w*n/,
  openssl: /^-{1,2}(?:engine|provider|config)|^engine$/,
  psql: /\\|program|^-\w*[fo]|^--(?:file|output)|^\|/i,
  mysql: /\\[!.]|system|source/i,
  mariadb: /\\[!.]|system|source/i,
  ip: /^-b/,
  tshark: /^-X|lua/,
  'ssh-keygen': /^-[Dw]/,
  'ssh-add': /^-s/,
  'ssh-copy-id': /^-[oF]|command/i,
  service: /\//,
  'invoke-rc.d': /\//,
  systemctl: /^edit$|^-H|^--host/,
  ifup: /^-i|^--interfaces/,
  ifdown: /^-i|^--interfaces/,
  'wg-quick': /\//,
  exim: /^-b[emh]|run/,
  javac: /^-{1,2}processor|^-J|^@/,
  aws: /credential_process/,
  restic: /command/,
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
  // Variants such as `vim.basic` and `perl5.36-x86_64-linux-gnu`, and names such as `m4`.
  const names = [name, baseName(program), plainName(baseName(program).split('.', 1)[0]!)];
  const always = names.map((each) => ALWAYS.get(each)).find((reason) => reason !== undefined);
  if (always !== undefined) return isQuestion(args) ? undefined : always;
  if (Object.hasOwn(NEEDS, name) && !args.some(({ text }) => NEEDS[name]!.test(text))) return FROM_FILE;
  const telling = Object.hasOwn(TELLING_ARGUMENTS, name) ? TELLING_ARGUMENTS[name] : undefined;
  if (telling !== undefined && args.some(({ text }) => telling.test(text))) return OPTION;
  const long = Object.hasOwn(LONG_OPTIONS, name) ? LONG_OPTIONS[name] : undefined;
  if (long !== undefined && args.some(({ text }) => meansOption(text, long))) return OPTION;
  return undefined;
}

/** Whether the only argument asks for the version or help. */
function isQuestion(args: readonly Argument[]): boolean {
  return args.length === 1 && /^(?:-V|-v|-version|--version|--help|version)$/.test(args[0]!.text);
}
