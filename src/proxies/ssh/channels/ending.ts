import { EXIT_BLOCKED } from '../../../gate/ports/session-end';
import { FAULT_MESSAGE } from '../../../gate/refusal';

/** The server could not be reached, or refused a request. The message has no value of the secret. */
export class ServerRefused extends Error {}

/** The end of a program on the server: its exit code, or the signal that killed it. */
export type ProgramExit =
  | { readonly code: number }
  /** The signal as the driver names it, such as `SIGTERM`. */
  | { readonly signal: string; readonly isCoreDumped: boolean; readonly description: string };

/** The end of a program as the driver reports it. */
export type ReportedExit = [
  code?: number | null,
  signal?: string,
  isCoreDumped?: boolean,
  description?: string,
];

/** The end of a channel and of its session. */
export interface ChannelEnding {
  /** Exit code in the recording, as a shell would show it. */
  readonly exitCode: number;
  /** The end of the program for the client. Default: the exit code of the recording. */
  readonly exit?: ProgramExit;
  /** Message that is recorded as the last event of the session; undefined when there is nothing to record. */
  readonly cause?: string;
  /** Last line on the client's error output; undefined for none. */
  readonly lastWord?: string;
  /** Whether the session was ended from outside, so that the client must sign in again. */
  readonly isFinal?: true | undefined;
}

/** Exit code of `ssh` itself when it could not reach the server, or lost it. */
export const EXIT_NOT_REACHED = 255;
/** A shell shows the death by a signal as this number plus that of the signal. */
const EXIT_SIGNALLED = 128;

export const CHANNEL_LEFT: ChannelEnding = {
  exitCode: EXIT_NOT_REACHED,
  cause: 'The client closed the channel before the program ended.',
};

export const CHANNEL_LOST: ChannelEnding = {
  exitCode: EXIT_NOT_REACHED,
  cause: 'The connection of the client was lost.',
};

const LOST = 'The connection to the server was lost.';
export const PROGRAM_LOST: ChannelEnding = { exitCode: EXIT_NOT_REACHED, cause: LOST, lastWord: LOST };

const WITHOUT_CODE = 'The server closed the session without an exit code.';
/**
 * The server closed the channel of a command, and did not report how the command ended, which it need not:
 * RFC 4254, section 6.10. OpenSSH's own client shows the same code.
 */
export const UNREPORTED: ChannelEnding = {
  exitCode: EXIT_NOT_REACHED,
  cause: WITHOUT_CODE,
  lastWord: WITHOUT_CODE,
};

const FILES_WITHOUT_END = 'The server closed the session in the middle of a file transfer.';
/** The server closed the channel of a file transfer while it owed answers, or while files were open. */
export const FILES_LOST: ChannelEnding = {
  exitCode: EXIT_NOT_REACHED,
  cause: FILES_WITHOUT_END,
  lastWord: FILES_WITHOUT_END,
};

/** Returns undefined if the server did not report how the program ended. */
export function programExit(
  ...[code, signal = '', isCoreDumped = false, description = '']: ReportedExit
): ProgramExit | undefined {
  if (typeof code === 'number') return { code };
  return signal === '' ? undefined : { signal, isCoreDumped, description };
}

/** A forwarded stream, the listening for such, or a subsystem ended by itself, without an exit code. */
export const STREAM_ENDED: ChannelEnding = { exitCode: 0 };

/** The program ended by itself. */
export function programEnded(exit: ProgramExit): ChannelEnding {
  if ('code' in exit) return { exitCode: exit.code, exit };
  return { exitCode: EXIT_SIGNALLED + (SIGNALS[exit.signal.replace(/^SIG/, '')] ?? 0), exit };
}

/** The gateway ended the session, and records why. */
export function channelEndedBy(message: string): ChannelEnding {
  return { exitCode: EXIT_BLOCKED, cause: message, lastWord: message, isFinal: true };
}

/** The gateway ended this session alone, and records why. */
export function faultedBy(message: string): ChannelEnding {
  return { exitCode: EXIT_BLOCKED, cause: message, lastWord: message };
}

/** The server could not be reached, or refused what the client asked for. */
export function notReached(message: string): ChannelEnding {
  return { exitCode: EXIT_NOT_REACHED, cause: message, lastWord: message };
}

/** A rule ended the session. Its message is recorded already. */
export function blockedBy(message: string): ChannelEnding {
  return { exitCode: EXIT_BLOCKED, lastWord: message };
}

export const FAULTY: ChannelEnding = channelEndedBy(FAULT_MESSAGE);

/** Numbers of the signals of RFC 4254, section 6.10, on Linux. */
const SIGNALS: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  ABRT: 6,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
};

/** Makes an error message a sentence (capital letter, period), because people read it in a terminal. */
export function sentenceOf(words: string): string {
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
