/**
 * The event that a step waits for before the next one is sent. `nothing`: the next one follows at once.
 * `ready`: everything so far is answered with ReadyForQuery. `flush`: everything since the last Sync has an
 * answer, or one of it failed. `copy-simple`, `copy-extended`: the server asks for data of a COPY in a Query
 * or an Execute, or will not. `end`: the server closes the connection. `half-close`: the client ends its
 * half, then the server closes.
 */
export type Awaits = 'nothing' | 'ready' | 'flush' | 'copy-simple' | 'copy-extended' | 'end' | 'half-close';

/** One or more messages of a client, and what a server makes of them. */
export interface Step {
  /** For people who look for a fault. */
  readonly label: string;
  readonly bytes: Buffer;
  /** Number of ReadyForQuery messages that it causes. */
  readonly readies: number;
  /** Number of messages in it that are answered one by one within an extended query. */
  readonly answers: number;
  readonly awaits: Awaits;
  /** Sent only while the server asks for data of a COPY. */
  readonly onlyInCopy: boolean;
}

export interface Pipeline {
  /** Makes the same pipeline again. */
  readonly seed: number;
  readonly steps: readonly Step[];
  /** The cuts of the bytes into writes; see `cutInto`. */
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

/** Facts about a pipeline that went wrong, for a person. */
export function explain({ seed, steps, cut }: Pipeline): string {
  const lines = steps.map(({ label, awaits, onlyInCopy }, index) => {
    const marks = [awaits === 'nothing' ? '' : `await ${awaits}`, onlyInCopy ? 'only in copy' : ''];
    return `  ${index}. ${label.length > 200 ? `${label.slice(0, 200)}…` : label} ${marks.filter(Boolean).join(', ')}`;
  });
  return [`seed ${seed}, cut ${cut}`, ...lines].join('\n');
}
