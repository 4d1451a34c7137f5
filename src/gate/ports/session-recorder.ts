import type { Principal } from '../../kernel/principal';
import type { Hit, Mask } from './guardrails';
import type { Target, Verb } from './target-directory';

/** `i` input, `o` output, `e` error output (specification, section 2.4). */
export type TrailEventType = 'i' | 'o' | 'e';

/**
 * Marks an input that is not a command, but the values for a command that was recorded before. Readers of
 * recordings see it as an input, except when they request only the text of commands (`raw-queries`).
 */
export type InputKind = 'parameters';

/** The content of an event. Large content may be given in pieces. */
export type EventContent = string | Buffer | readonly Buffer[];

/**
 * Size above which an input is recorded in pieces: at most 256 KiB in one turn of the event loop. Content
 * that is given in pieces is always recorded in this way.
 */
export const LARGE_BYTES = 1024 * 1024;

/**
 * An event to record. Bytes are recorded unchanged. The caller may reuse the bytes after the call returns; if
 * the event is recorded in pieces, the caller must wait until it is durable.
 */
export interface TrailEvent {
  readonly type: TrailEventType;
  /** Only an input may have content in pieces. */
  readonly content: EventContent;
  /** Kind of an input that is no command; only for inputs. */
  readonly what?: InputKind | undefined;
}

/** Facts of a session at its beginning. */
export interface SessionEntry {
  readonly principal: Principal;
  readonly target: Target;
  readonly verb: Verb;
  /** The whole input; only for the verb `exec`. */
  readonly script: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly batchId: string | null;
  readonly correlationId: string | null;
  /** Reason for the session, in the words of the owner. */
  readonly reason: string | null;
  /**
   * The issued credential that opened the session, or the credential of its grant. Revoking it ends the
   * session.
   */
  readonly credentialId: string | null;
  /** When the session must end at the latest; null for no limit. */
  readonly until: Date | null;
  /** Whether the session is opened with a grant, so that no rule requires another review. */
  readonly isGranted?: boolean;
}

/** The recording of one running session. */
export interface SessionTrail {
  readonly sessionId: string;
  /** Aborts when the session must stop: ended from outside, or no longer recorded (`RecordingFailed`). */
  readonly ended: AbortSignal;
  /**
   * Records an event. Resolves when the event is durable. @throws when it is not durable; then the data must
   * not be forwarded.
   */
  append(type: TrailEventType, content: EventContent, what?: InputKind): Promise<void>;
  /** Records events in this order, as one write; resolves when all are durable. @throws as `append` does. */
  appendAll(events: readonly TrailEvent[]): Promise<void>;
  /** Counts a judged command. The count is stored with the next event or the end of the session. */
  checked(): void;
  /** Counts and stores a rule's finding in input or output, or why the rule could not be applied. */
  blocked(hit: Hit): void;
  /** Counts masks in output that is about to be recorded. */
  masked(masks: readonly Mask[]): void;
  /** Stores all pending events, and closes the session as `done` with an end date. Idempotent. */
  end(exitCode: number): Promise<void>;
  /**
   * Stores all pending events, and releases a session that waits for its review: it stays `open`, but no
   * gateway runs it.
   */
  park(): Promise<void>;
}

/** Port: records sessions. */
export abstract class SessionRecorder {
  abstract begin(entry: SessionEntry): Promise<SessionTrail>;
  /** Returns, for operators, why inputs are refused at the moment; undefined while recording works. */
  abstract fault(): string | undefined;
  /**
   * Tests whether sessions can be recorded. Returns the fault, if any, without details that only operators
   * may see.
   */
  abstract tryOut(): Promise<string | undefined>;
}
