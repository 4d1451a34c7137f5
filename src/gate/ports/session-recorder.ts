import type { Principal } from '../../kernel/principal';
import type { Hit, Mask } from './guardrails';
import type { Target, Verb } from './target-directory';

/** `i` input, `o` output, `e` error output (specification, section 2.4). */
export type TrailEventType = 'i' | 'o' | 'e';

/**
 * What an input is that is no command of its own: the values for one whose text was recorded before. It is an input
 * wherever recordings are read, but for those who ask for the text of commands (`raw-queries`).
 */
export type InputKind = 'parameters';

/** The content of an event. Large content may be given in pieces. */
export type EventContent = string | Buffer | readonly Buffer[];

/**
 * An input larger than this, and any content given in pieces, is recorded in pieces, with at most 256 KiB between two turns of the
 * event loop.
 */
export const LARGE_BYTES = 1024 * 1024;

/**
 * An event to record. Bytes are recorded unchanged. The caller may reuse them when the call returns; for an event that is
 * recorded in pieces, when it is durable.
 */
export interface TrailEvent {
  readonly type: TrailEventType;
  /** In pieces only where it is an input. */
  readonly content: EventContent;
  /** Of inputs only. */
  readonly what?: InputKind | undefined;
}

/** What is known when a visit begins. */
export interface SessionEntry {
  readonly principal: Principal;
  readonly target: Target;
  readonly verb: Verb;
  /** The input as a whole; only for verb `exec`. */
  readonly script: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly batchId: string | null;
  readonly correlationId: string | null;
  /** Why the session is wanted, in the words of who asks for it. */
  readonly reason: string | null;
  /** The issued credential the visit came with, or that stands for the leave it came by; revoking it ends the session. */
  readonly credentialId: string | null;
  /** When the visit must be over at the latest; null: no such time. */
  readonly until: Date | null;
  /** A grant stands for it: while that holds, no rule asks people again. Absent: nobody was asked. */
  readonly isGranted?: boolean;
}

/** The recording of one session, while it runs. */
export interface SessionTrail {
  readonly sessionId: string;
  /** Aborts when somebody else ended the session, or with `RecordingFailed`: the visit must stop. */
  readonly ended: AbortSignal;
  /** Records an event; resolves when it is durable. @throws when it is not: what it records must not go on. */
  append(type: TrailEventType, content: EventContent, what?: InputKind): Promise<void>;
  /** Records events in this order, as one write; resolves when all are durable. @throws as `append` does. */
  appendAll(events: readonly TrailEvent[]): Promise<void>;
  /** Counts a judged command. Written with the next event or the end, as the two below are. */
  checked(): void;
  /** Counts and keeps what a rule found in input or output, or why it could not be applied. */
  blocked(hit: Hit): void;
  /** Counts what was masked in output that is about to be recorded. */
  masked(masks: readonly Mask[]): void;
  /** Flushes and closes: `done`, with an end date. Ending an ended session changes nothing. */
  end(exitCode: number): Promise<void>;
  /** Flushes and lets go of a session that waits for its review; it stays `open` without a running gateway. */
  park(): Promise<void>;
}

/** Port: remember everything. */
export abstract class SessionRecorder {
  abstract begin(entry: SessionEntry): Promise<SessionTrail>;
  /** Why inputs are refused just now, for whoever runs the gateway; undefined while all is well. */
  abstract fault(): string | undefined;
  /** Tries now whether sessions could be recorded. Returns why not, without what only operators may know. */
  abstract tryOut(): Promise<string | undefined>;
}
