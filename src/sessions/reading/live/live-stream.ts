import type { SentStream } from '../../../platform/http/streams/send-stream';
import { StreamLife, type StreamLifeOptions } from '../../../platform/http/streams/stream-life';
import { type Followed, follow } from './follow';
import type { Position } from './position';

/** One stream of one session to one reader. */
export class LiveStream implements SentStream {
  private readonly life: StreamLife;

  constructor(
    private readonly source: Omit<Followed, 'confirm'>,
    private readonly from: Position,
    options: StreamLifeOptions,
  ) {
    this.life = new StreamLife(options);
  }

  get signal(): AbortSignal {
    return this.life.signal;
  }

  messages(): AsyncGenerator<string> {
    const { source, life } = this;
    const followed: Followed = {
      state: () => source.state(),
      chunks: (from) => source.chunks(from),
      confirm: () => life.confirm(),
    };
    return follow(followed, this.from, this.signal);
  }

  close(): void {
    this.life.close();
  }
}
