import type { CopyColumns } from './copy-columns';
import type { Expected } from './pipeline-state';
import { type Message, flush } from './wire/client-messages';
import type { Spans } from './wire/spans';
import { BIND, PARSE, QUERY, SYNC } from './wire/types';

/** After so many bytes the server is asked for its answers; it keeps short ones to itself until then. */
const FLUSH_EVERY_BYTES = 64 * 1024;

/** Sends commands, and has the server answer long pipelines while they come: so it is known how far ahead of it the client is. */
export class Pipeline {
  /** What was sent since the server was last asked for its answers. */
  private unflushedBytes = 0;

  constructor(
    private readonly copyColumns: Pick<CopyColumns, 'forward'>,
    private readonly out: Spans,
  ) {}

  forward(message: Message, expected: Expected): true {
    const { kind } = expected;
    const bytes = message.end - message.start;
    this.copyColumns.forward(message, kind === PARSE || kind === BIND ? { ...expected, bytes } : expected);
    this.unflushedBytes = kind === SYNC || kind === QUERY ? 0 : this.unflushedBytes + bytes;
    if (this.unflushedBytes < FLUSH_EVERY_BYTES) return true;
    this.unflushedBytes = 0;
    this.out.insert(flush);
    return true;
  }
}
