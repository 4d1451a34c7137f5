import type { ForwardEnd } from '../../../targets/ssh/forwards/forward-end';
import type { ServedChannel } from '../channels/served-channel';
import type { OpeningRefusal } from '../driver/opening-parts';
import type { ForwardTaker, ListenRequest, StreamRequest } from '../driver/forward-requests';
import type { ForwardContext, ForwardVisit } from './forward-visit';
import { InwardStream } from './inward-stream';
import { type ListenedStream, ListeningVisit } from './listening-visit';
import { OutwardStream } from './outward-stream';

/**
 * Maximum number of streams of one client at a time, beside its ten channels. A browser opens up to 32
 * connections to a proxy (Chromium), and VS Code a few for each window. Each may hold some MiB in memory.
 */
const MAX_STREAMS = 32;
/** Maximum number of ends at which a server listens for one client. */
const MAX_LISTENING = 10;

const TOO_MANY = `A connection has at most ${MAX_STREAMS} forwarded streams at a time.`;
const FINISHING = 'This SSH connection is being closed, so nothing more begins in it. Please connect again.';

/** The connection of a client, in which streams are served. */
export interface ServingConnection {
  /** Whether nothing may begin any more. */
  readonly isFinishing: boolean;
  /** Resolves when the stream has ended. Never rejects. */
  run(stream: ServedChannel): Promise<void>;
}

/** The forwards of one client. */
export class ClientForwards implements ForwardTaker {
  private streams = 0;
  private readonly listening = new Set<ListeningVisit>();

  constructor(
    private readonly visit: ServingConnection,
    private readonly context: ForwardContext,
  ) {}

  stream(request: StreamRequest): void {
    const { refusal } = this;
    if (refusal !== undefined) request.refuse(refusal);
    else this.serve(new OutwardStream(request, this.context));
  }

  listen(request: ListenRequest): void {
    const isTaken = !isChosenByServer(request.at) && this.listeningAt(request.at) !== undefined;
    if (isTaken || this.visit.isFinishing || this.listening.size >= MAX_LISTENING) return request.refuse();
    const listening = new ListeningVisit(request, this.context, (stream) => this.offered(stream));
    this.listening.add(listening);
    void this.visit.run(listening).finally(() => this.listening.delete(listening));
  }

  /** Also cancels what waits for an approval, which is then refused first: the answers have an order. */
  cancel(request: ListenRequest): void {
    const listening = this.listeningAt(request.at);
    if (listening === undefined) return request.refuse();
    listening.cancel();
    request.accept(0);
  }

  private listeningAt(end: ForwardEnd): ListeningVisit | undefined {
    return [...this.listening].find((each) => each.isAt(end));
  }

  private offered(stream: ListenedStream): void {
    if (this.refusal !== undefined) stream.reject();
    else this.serve(new InwardStream(stream, this.context));
  }

  /** Why no stream may begin now; undefined if one may. */
  private get refusal(): OpeningRefusal | undefined {
    if (this.visit.isFinishing) return { reason: 'prohibited', text: FINISHING };
    return this.streams >= MAX_STREAMS ? { reason: 'shortage', text: TOO_MANY } : undefined;
  }

  private serve(stream: ForwardVisit): void {
    this.streams += 1;
    void this.visit.run(stream).finally(() => (this.streams -= 1));
  }
}

function isChosenByServer(end: ForwardEnd): boolean {
  return end.kind === 'tcp' && end.port === 0;
}

/** Refuses the forwards of a client that is not admitted. */
export function refusedForwards(message: string): ForwardTaker {
  return {
    stream: (request) => request.refuse({ reason: 'prohibited', text: message }),
    listen: (request) => request.refuse(),
    cancel: (request) => request.refuse(),
  };
}
