/** Arguments of a program that runs the command in them. */
export interface Wrapper {
  /** Letters of options with a value. */
  readonly valued: string;
  /** Letters of options without a value. */
  readonly flags: string;
  /** Long options whose value is the next argument. */
  readonly longValued?: readonly string[];
  readonly longFlags?: readonly string[];
  /** Number of arguments between the options and the command. */
  readonly skips?: number;
  /** Whether variables may be set before the command, as in `env A=b`. */
  readonly assigns?: true;
  /** Options with which it runs a shell or an editor. */
  readonly hides?: readonly string[];
  /** Whether it runs a shell if no command is given. */
  readonly isShell?: true;
  /** Options with which it runs nothing. */
  readonly only?: readonly string[];
}

const plain = (valued = '', flags = ''): Wrapper => ({ valued, flags });

/** Programs and builtins whose options are known, so that the command in their arguments is found. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'ughpCTRDrt',
    flags: 'AbBEHkKnNPSvlisV',
    longValued: ['--user', '--group', '--host', '--prompt', '--chdir', '--chroot', '--role', '--type'],
    longFlags: ['--non-interactive', '--preserve-env', '--login', '--set-home', '--background', '--stdin'],
    assigns: true,
    hides: ['-e', '--edit', '-s', '-i', '--shell', '--login'],
  },
  doas: { valued: 'uC', flags: 'nL', hides: ['-s'] },
  env: {
    valued: 'uC',
    flags: 'i0v',
    longValued: ['--unset', '--chdir'],
    longFlags: ['--ignore-environment', '--null', '--debug'],
    assigns: true,
  },
  nice: { ...plain('n', '0123456789'), longValued: ['--adjustment'] },
  ionice: { ...plain('cnp', 't'), longValued: ['--class', '--classdata'], longFlags: ['--ignore'] },
  nohup: plain(),
  setsid: { ...plain('', 'cfw'), longFlags: ['--ctty', '--fork', '--wait'] },
  stdbuf: { ...plain('ioe'), longValued: ['--input', '--output', '--error'] },
  timeout: {
    ...plain('ks', 'fpv'),
    longValued: ['--signal', '--kill-after'],
    longFlags: ['--foreground', '--preserve-status', '--verbose'],
    skips: 1,
  },
  time: {
    ...plain('fo', 'apqv'),
    longValued: ['--format', '--output'],
    longFlags: ['--portability', '--verbose'],
  },
  chroot: { ...plain(), longValued: ['--userspec', '--groups'], skips: 1, isShell: true },
  taskset: { ...plain('', 'ac'), skips: 1 },
  chrt: { ...plain('TPD', 'bfiodrRa'), skips: 1 },
  setarch: plain('', 'RBFILSXTZ3v'),
  // Without their digits: linux32 and linux64.
  linux: plain('', 'RBFILSXTZ3v'),
  unbuffer: plain('', 'p'),
  fakeroot: plain(),
  eatmydata: plain(),
  busybox: plain(),
  toybox: plain(),
  command: { ...plain('', 'p'), only: ['-v', '-V'] },
  builtin: plain(),
  exec: plain('a', 'cl'),
  pkexec: { ...plain(), longValued: ['--user'], longFlags: ['--disable-internal-agent', '--keep-cwd'] },
  runuser: {
    ...plain('ugGsc', 'lmpP'),
    longValued: ['--user', '--group', '--supp-group', '--shell', '--command'],
    longFlags: ['--login', '--preserve-environment', '--pty'],
  },
  flock: {
    ...plain('wEc', 'sxuneoF'),
    longValued: ['--timeout', '--conflict-exit-code', '--command'],
    longFlags: [
      '--shared',
      '--exclusive',
      '--unlock',
      '--nonblock',
      '--nb',
      '--close',
      '--no-fork',
      '--verbose',
    ],
    skips: 1,
  },
};

/**
 * Programs that run a command in their arguments behind too many options to list. Any argument may be the
 * program. The pattern matches the arguments with which they run one.
 */
export const LOOSE_WRAPPERS: Readonly<Record<string, RegExp>> = {
  docker: /^(?:exec|run|create)$/,
  podman: /^(?:exec|run|create)$/,
  nerdctl: /^(?:exec|run|create)$/,
  'docker-compose': /^(?:exec|run)$/,
  kubectl: /^(?:exec|run|debug)$/,
  lxc: /^exec$/,
  ip: /^exec$/,
  'lxc-attach': /^/,
  'systemd-run': /^/,
  'systemd-nspawn': /^/,
  machinectl: /^shell$/,
  nsenter: /^/,
  unshare: /^/,
  setpriv: /^/,
  capsh: /^/,
  numactl: /^/,
  cgexec: /^/,
  chpst: /^/,
  strace: /^/,
  ltrace: /^/,
  perf: /^/,
  valgrind: /^/,
  firejail: /^/,
  bwrap: /^/,
  proot: /^/,
  flatpak: /^run$/,
  snap: /^run$/,
  'start-stop-daemon': /^/,
  'dbus-run-session': /^/,
  proxychains: /^/,
  torsocks: /^/,
};

/** Loose wrappers that run the program in a container, or on another machine. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  'docker',
  'podman',
  'nerdctl',
  'docker-compose',
  'kubectl',
  'lxc',
  'lxc-attach',
]);

/** Matches the loader of programs, which runs the program in its arguments. */
export const LOADER = /^ld(?:-linux[-\w]*|-musl[-\w]*)?\.so/;
