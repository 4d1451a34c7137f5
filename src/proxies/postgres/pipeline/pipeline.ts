import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import type { CopyColumns } from './copy-columns';
import type { ExpectedAnswer } from './pipeline-state';
import { type Message, flush } from '../wire/client-messages';
import type { Spans } from '../wire/spans';
import { BIND, PARSE, QUERY, SYNC } from '../wire/types';

/** Number of bytes after which a Flush is added. Without a Flush, the server buffers short answers. */
const FLUSH_EVERY_BYTES = 64 * 1024;

/**
 * Sends commands. Adds a Flush to long pipelines from time to time, so that the server answers early and the
 * gateway knows how far ahead of the server the client is.
 */
export class Pipeline {
  /** Bytes sent since the last Flush. */
  private unflushedBytes = 0;

  constructor(
    private readonly copyColumns: Pick<CopyColumns, 'forward'>,
    private readonly out: Spans,
  ) {}

  forward(message: Message, expected: ExpectedAnswer): MaybePromise<true> {
    const { kind } = expected;
    const bytes = message.end - message.start;
    const isAhead = (kind === PARSE || kind === BIND) && expected.bytes === undefined;
    const forwarded = this.copyColumns.forward(message, isAhead ? { ...expected, bytes } : expected);
    return forwarded instanceof Promise
      ? forwarded.then(() => this.flushed(kind, bytes))
      : this.flushed(kind, bytes);
  }

  private flushed(kind: number, bytes: number): true {
    this.unflushedBytes = kind === SYNC || kind === QUERY ? 0 : this.unflushedBytes + bytes;
    if (this.unflushedBytes < FLUSH_EVERY_BYTES) return true;
    this.unflushedBytes = 0;
    this.out.insert(flush);
    return true;
  }
}
