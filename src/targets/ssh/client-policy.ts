import type { SecretField } from '../contract/secret-schema';
import type { Secret } from '../contract/kind';
import { ForwardList, forwardListFault } from './forwards/forward-list';

/** Permissions of SSH clients on a server. */
export interface SshClientPolicy {
  readonly commands: boolean;
  readonly shells: boolean;
  /** File transfers: both ways, downloads alone, or none. */
  readonly files: 'write' | 'read' | 'none';
  /** Whether what people type in a terminal is recorded. */
  readonly recordsTerminalInput: boolean;
  /** Ends to which the server may connect for a client (`-L`, `-D`). */
  readonly forwardTo: ForwardList;
  /** Ends at which the server may listen for a client (`-R`). */
  readonly forwardFrom: ForwardList;
}

const WORDS = ['command', 'shell', 'sftp', 'sftp-read'] as const;
type Word = (typeof WORDS)[number];
const NOT_SET: readonly Word[] = ['command', 'shell', 'sftp'];

/** The fields of a connection's secret with the permissions of its SSH clients. */
export const sshClientFields: Readonly<Record<string, SecretField>> = {
  CLIENT_MAY: {
    label: 'Allowed for SSH clients',
    description:
      'Some of command, shell, sftp and sftp-read (lists and downloads alone), separated by commas. Not set: command, shell, sftp.',
    placeholder: 'command, sftp-read',
    check: allowedFault,
  },
  TERMINAL_INPUT: {
    label: 'Recording of what people type in a terminal',
    description:
      'Not set: unrecorded, because people type passwords. The output, with what the terminal shows of their typing, is always recorded.',
    choices: ['unrecorded', 'recorded'],
  },
  FORWARD_TO: {
    label: 'Allowed destinations of port forwarding (ssh -L and -D)',
    description:
      'Where the server may connect for SSH clients: host:port, *.suffix:port or the path of a socket, separated by commas; a port may be *. Nothing in such a stream is judged. Never allowed: the SSH port of the server itself, metadata services, and this gateway. Not set: none.',
    placeholder: 'db.internal:5432, *.svc:443, 127.0.0.1:8080',
    check: (value) => forwardListFault(value, 'to'),
  },
  FORWARD_FROM: {
    label: 'Allowed listening addresses of port forwarding (ssh -R)',
    description:
      'Where the server may listen for SSH clients: host:port, *:port (all interfaces) or the path of a socket, separated by commas; a port may be *. ssh -R 8080:… asks for localhost:8080. Not set: none.',
    placeholder: 'localhost:8080',
    check: (value) => forwardListFault(value, 'from'),
  },
};

export function sshClientPolicy(secret: Secret): SshClientPolicy {
  const { CLIENT_MAY, TERMINAL_INPUT, FORWARD_TO = '', FORWARD_FROM = '' } = secret;
  const words: readonly string[] = CLIENT_MAY ? wordsOf(CLIENT_MAY) : NOT_SET;
  return {
    commands: words.includes('command'),
    shells: words.includes('shell'),
    files: words.includes('sftp') ? 'write' : words.includes('sftp-read') ? 'read' : 'none',
    recordsTerminalInput: TERMINAL_INPUT === 'recorded',
    forwardTo: ForwardList.of(FORWARD_TO, 'to'),
    forwardFrom: ForwardList.of(FORWARD_FROM, 'from'),
  };
}

function wordsOf(value: string): string[] {
  return value.split(',').map((word) => word.trim());
}

function allowedFault(value: string): string | undefined {
  const isKnown = (word: string): boolean => (WORDS as readonly string[]).includes(word);
  return wordsOf(value).every(isKnown)
    ? undefined
    : `must list some of ${WORDS.join(', ')}, separated by commas`;
}
