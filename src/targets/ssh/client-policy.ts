import type { SecretField } from '../contract/secret-schema';
import type { Secret } from '../contract/kind';

/** Permissions of SSH clients on a server. */
export interface SshClientPolicy {
  readonly commands: boolean;
  readonly shells: boolean;
  /** File transfers: both ways, downloads alone, or none. */
  readonly files: 'write' | 'read' | 'none';
  /** Whether what people type in a terminal is recorded. */
  readonly recordsTerminalInput: boolean;
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
};

export function sshClientPolicy({ CLIENT_MAY, TERMINAL_INPUT }: Secret): SshClientPolicy {
  const words: readonly string[] = CLIENT_MAY ? wordsOf(CLIENT_MAY) : NOT_SET;
  return {
    commands: words.includes('command'),
    shells: words.includes('shell'),
    files: words.includes('sftp') ? 'write' : words.includes('sftp-read') ? 'read' : 'none',
    recordsTerminalInput: TERMINAL_INPUT === 'recorded',
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
