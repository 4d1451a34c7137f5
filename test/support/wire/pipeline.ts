/**
 * Event that a step waits for before the next step is sent. `nothing`: no wait. `ready`: ReadyForQuery for
 * all steps so far. `flush`: an answer to each message since the last Sync, or an error. `copy-simple`,
 * `copy-extended`: the server requests data for a COPY in a Query or an Execute, or completes the message
 * without a request. `end`: the server closes the connection. `half-close`: the client ends its half, then
 * the server closes.
 */
export type Awaits = 'nothing' | 'ready' | 'flush' | 'copy-simple' | 'copy-extended' | 'end' | 'half-close';

/** One or more messages of a client, with the expected number of answers. */
export interface Step {
  /** Description of the messages, for people who search for a fault. */
  readonly label: string;
  readonly bytes: Buffer;
  /** Number of ReadyForQuery messages that the step causes. */
  readonly readies: number;
  /** Number of messages in the step that the server answers one by one within an extended query. */
  readonly answers: number;
  readonly awaits: Awaits;
  /** Whether the step is sent only if the server has requested COPY data. */
  readonly onlyInCopy: boolean;
}

export interface Pipeline {
  /** Seed with which `generatePipeline` generates the same pipeline again. */
  readonly seed: number;
  readonly steps: readonly Step[];
  /** Method to cut the bytes into writes; see `writeCut`. */
  readonly cut: Cut;
}

export const CUTS = ['whole', 'random', 'crumbs', 'tiny'] as const;
export type Cut = (typeof CUTS)[number];

export function step(label: string, bytes: Buffer | readonly Buffer[], more: Partial<Step> = {}): Step {
  return {
    label,
    bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes),
    readies: 0,
    answers: 0,
    awaits: 'nothing',
    onlyInCopy: false,
    ...more,
  };
}

/** Describes a failed pipeline for people. */
export function explain({ seed, steps, cut }: Pipeline): string {
  const lines = steps.map(({ label, awaits, onlyInCopy }, index) => {
    const marks = [awaits === 'nothing' ? '' : `await ${awaits}`, onlyInCopy ? 'only in copy' : ''];
    return `  ${index}. ${label.length > 200 ? `${label.slice(0, 200)}…` : label} ${marks.filter(Boolean).join(', ')}`;
  });
  return [`seed ${seed}, cut ${cut}`, ...lines].join('\n');
}
