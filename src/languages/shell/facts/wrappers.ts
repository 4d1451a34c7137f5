import type { OptionSpec } from './options';

/** Arguments of a program that runs the command in them. Options end at the first other argument. */
export interface Wrapper extends OptionSpec {
  /** Number of arguments between the options and the command. */
  readonly skips?: number;
  /** Matches an argument before the command. Another argument in its place begins the command. */
  readonly skipped?: RegExp;
  /** Whether variables may be set before the command, as in `env A=b`. */
  readonly assigns?: true;
  /** Options with which it runs a shell or an editor. */
  readonly hides?: readonly string[];
  /** Whether it runs a shell if no command is given. */
  readonly isShell?: true;
  /** Options with which it runs nothing. */
  readonly only?: readonly string[];
}

const ARCHITECTURE_OPTIONS: Wrapper = {
  flags: 'BFILRSTXZ3v',
  longFlags:
    'verbose addr-no-randomize fdpic-funcptrs mmap-page-zero addr-compat-layout read-implies-exec 32bit ' +
    'short-inode whole-seconds sticky-timeouts 3gb 4gb uname-2.6',
  isShell: true,
};

/**
 * Matches names under which `setarch` is called. The name of the architecture may also be its first
 * argument.
 */
const ARCHITECTURES =
  /^(?:setarch|linux(?:32|64)|i[3-6]86|x86_64|uname26|athlon|ppc\w*|sparc\w*|mips\w*|s390x?|alpha|ia64|arm\w*|aarch64|riscv\d*|parisc\w*|loongarch\d*)$/;

/** Programs and builtins whose options are known, so that the command in their arguments is found. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: 'aCcDghpRrTtUu',
    flags: 'ABbEeHiKklNnPSsVv',
    longValued:
      'auth-type close-from login-class chdir group host prompt chroot role command-timeout type other-user user',
    longFlags:
      'askpass bell background preserve-env edit set-home login remove-timestamp reset-timestamp list ' +
      'no-update non-interactive preserve-groups stdin shell validate',
    assigns: true,
    hides: ['e', 'edit', 's', 'i', 'shell', 'login'],
  },
  doas: { valued: 'uC', flags: 'nL', hides: ['s'] },
  env: {
    valued: 'uCS',
    flags: 'i0v',
    longValued: 'unset chdir split-string',
    longFlags: 'ignore-environment null debug default-signal ignore-signal block-signal list-signal-handling',
    assigns: true,
  },
  nice: { valued: 'n', flags: '0123456789', longValued: 'adjustment' },
  ionice: { valued: 'cnpPu', flags: 't', longValued: 'class classdata pid pgid uid', longFlags: 'ignore' },
  nohup: {},
  setsid: { flags: 'cfw', longFlags: 'ctty fork wait' },
  stdbuf: { valued: 'ioe', longValued: 'input output error' },
  timeout: {
    valued: 'ks',
    flags: 'fpv',
    longValued: 'signal kill-after',
    longFlags: 'foreground preserve-status verbose',
    skips: 1,
  },
  time: {
    valued: 'fo',
    flags: 'apqv',
    longValued: 'format output',
    longFlags: 'append portability quiet verbose',
  },
  chroot: { longValued: 'userspec groups', longFlags: 'skip-chdir', skips: 1, isShell: true },
  taskset: { flags: 'acp', longFlags: 'all-tasks cpu-list pid', skips: 1 },
  chrt: {
    valued: 'TPD',
    flags: 'abdefiomprRv',
    longValued: 'sched-runtime sched-period sched-deadline',
    longFlags: 'all-tasks batch deadline ext fifo idle max other pid reset-on-fork rr verbose',
    skips: 1,
    skipped: /^-?\d+$/,
  },
  prlimit: {
    valued: 'po',
    flags: '',
    attached: 'cdefilmnqrstuvxy',
    longValued: 'pid output',
    longFlags:
      'as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack ' +
      'noheadings raw verbose',
  },
  choom: { valued: 'np', longValued: 'adjust pid' },
  uclampset: {
    valued: 'mMp',
    flags: 'asRv',
    longValued: 'util-min util-max pid',
    longFlags: 'all-tasks system reset-on-fork verbose',
  },
  unshare: {
    valued: 'RwSG',
    flags: 'fmuinpCTUrc',
    longValued:
      'root wd setuid setgid propagation setgroups monotonic boottime map-user map-group map-users map-groups owner',
    longFlags:
      'mount uts ipc net pid user cgroup time fork kill-child mount-proc mount-binfmt map-root-user ' +
      'map-current-user map-auto keep-caps',
    isShell: true,
  },
  nsenter: {
    valued: 'tSGW',
    flags: 'aFecZ',
    attached: 'muinpCUTrw',
    longValued: 'target setuid setgid wdns',
    longFlags:
      'all mount uts ipc net pid cgroup user time root wd no-fork follow-context preserve-credentials ' +
      'keep-caps env join-cgroup user-parent net-socket',
    isShell: true,
  },
  setpriv: {
    flags: 'd',
    longValued:
      'ambient-caps apparmor-profile bounding-set groups inh-caps landlock-access landlock-rule ptracer rgid ' +
      'regid egid ruid reuid euid securebits selinux-label pdeathsig seccomp-filter',
    longFlags: 'clear-groups dump init-groups keep-groups list-caps no-new-privs nnp reset-env',
  },
  'ssh-agent': { valued: 'aEtPO', flags: 'cDdkTsx' },
  unbuffer: { flags: 'p' },
  fakeroot: { valued: 'sib', flags: 'u' },
  eatmydata: {},
  busybox: {},
  toybox: {},
  command: { flags: 'pvV', only: ['v', 'V'] },
  builtin: {},
  exec: { valued: 'a', flags: 'cl' },
  pkexec: { longValued: 'user', longFlags: 'disable-internal-agent keep-cwd' },
  flock: {
    valued: 'wEc',
    flags: 'sxuneoF',
    longValued: 'timeout wait conflict-exit-code command',
    longFlags: 'shared exclusive unlock nonblocking nb close no-fork verbose fcntl',
    skips: 1,
  },
};

/** @param name the name of the program, without path, version and suffix */
export function wrapperCalled(name: string, called: string): Wrapper | undefined {
  if (ARCHITECTURES.test(called)) return ARCHITECTURE_OPTIONS;
  return Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
}

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
  incus: /^exec$/,
  oc: /^(?:exec|run|debug|rsh)$/,
  crictl: /^exec$/,
  ctr: /^(?:exec|run)$/,
  buildah: /^run$/,
  conda: /^run$/,
  consul: /^(?:exec|watch|lock)$/,
  etcdctl: /^(?:watch|exec-watch)$/,
  ip: /^exec$/,
  'lxc-attach': /^/,
  'systemd-run': /^/,
  'systemd-nspawn': /^/,
  machinectl: /^shell$/,
  numactl: /^/,
  cgexec: /^/,
  chpst: /^/,
  'systemd-cat': /^/,
  'systemd-inhibit': /^/,
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
  'incus',
  'oc',
  'crictl',
  'ctr',
  'buildah',
]);

/** Matches the loader of programs, which runs the program in its arguments. */
export const LOADER = /^ld(?:-linux[-\w]*|-musl[-\w]*)?\.so/;
