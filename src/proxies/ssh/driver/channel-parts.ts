import type { ServerChannel } from 'ssh2';

/**
 * Private parts of `ssh2`, used only in this file. When the window of a channel is exhausted, the driver
 * keeps the unsent rest of output and of error output in these fields, and never empties them. A later wait
 * for the window then sends the old rest again. `channel-parts.spec.ts` fails when a version mends it.
 */
interface UnsentParts {
  _chunk?: Buffer | undefined;
  _chunkcb?: (() => void) | undefined;
  _chunkErr?: Buffer | undefined;
  _chunkcbErr?: (() => void) | undefined;
}

/** Forgets the rests of earlier writes. Must be called before each write, when no write is under way. */
export function forgetSent(channel: ServerChannel): void {
  const parts = channel as unknown as UnsentParts;
  parts._chunk = undefined;
  parts._chunkcb = undefined;
  parts._chunkErr = undefined;
  parts._chunkcbErr = undefined;
}
