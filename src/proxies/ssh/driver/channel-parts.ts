import type { Connection, ServerChannel, Session } from 'ssh2';

/**
 * Private parts of `ssh2`, used only in this file. `channel-parts.spec.ts` fails when a version mends what
 * they are used for.
 *
 * When the window of a channel is exhausted, the driver keeps the unsent rest of output and of error output
 * in these fields, and never empties them. A later wait for the window then sends the old rest again.
 */
interface UnsentParts {
  _chunk?: Buffer | undefined;
  _chunkcb?: (() => void) | undefined;
  _chunkErr?: Buffer | undefined;
  _chunkcbErr?: (() => void) | undefined;
}

/** A channel that a client has opened; `_channel` is set when something was begun in it. */
interface SessionParts {
  readonly _channel?: object | undefined;
  readonly _chanInfo: {
    readonly incoming: { readonly id: number };
    readonly outgoing: { readonly id: number };
  };
}

interface ConnectionParts {
  readonly _chanMgr: { remove(id: number): void };
  readonly _protocol: { channelClose(id: number): void };
}

/** Forgets the rests of earlier writes. Must be called before each write, when no write is under way. */
export function forgetSent(channel: ServerChannel): void {
  const parts = channel as unknown as UnsentParts;
  parts._chunk = undefined;
  parts._chunkcb = undefined;
  parts._chunkErr = undefined;
  parts._chunkcbErr = undefined;
}

/**
 * Closes a channel that its client has closed before anything was begun in it: RFC 4254, section 5.3. The
 * driver neither answers the client nor forgets the channel until the connection ends.
 */
export function closeUnstarted(driver: Connection, session: Session): void {
  const { _channel: channel, _chanInfo: info } = session as unknown as SessionParts;
  if (channel !== undefined) return;
  const { _chanMgr: channels, _protocol: protocol } = driver as unknown as ConnectionParts;
  channels.remove(info.incoming.id);
  protocol.channelClose(info.outgoing.id);
}
