import type { RequestingClient } from '../mcp/client/requesting-client';
import type { ServedVisit } from '../mcp/visits/served-visit';
import type { SubscriptionFilter, UpstreamAnswer, UpstreamRequest } from '../../targets/mcp/upstream';
import type { OwnTools } from './own-tools';
import { FirstAbort } from '../../kernel/async/first-abort';

/** One client at our own tools: a legacy session, or one message of a modern client. */
export class OwnVisit implements ServedVisit {
  readonly session: ServedVisit['session'];
  readonly relay: ServedVisit['relay'];
  private readonly over = new AbortController();
  private working = 0;
  private streams = 0;
  private usedAt = performance.now();
  private serial = 0;
  private isStopping = false;
  private isListening = false;

  /** @param onEnd called once, when the MCP session ends */
  constructor(
    id: string,
    private readonly tools: OwnTools,
    readonly userId: string,
    private readonly isForOneMessage: boolean,
    private readonly onEnd: () => void,
  ) {
    // No connection has an empty name, so this name matches none of them.
    this.session = { id, target: { id: 'own-tools', name: '' } };
    this.relay = {
      request: (request, client) => this.request(request, client),
      // Our own tools send no requests to the client, so there is nothing to abandon.
      abandon: async () => undefined,
    };
  }

  get ended(): AbortSignal {
    return this.over.signal;
  }

  /** Time without messages, in milliseconds; 0 while one is being answered. */
  get idleMs(): number {
    return this.working > 0 ? 0 : performance.now() - this.usedAt;
  }

  get unusedMs(): number {
    return this.isForOneMessage || this.streams > 0 || this.isStopping || this.over.signal.aborted
      ? 0
      : this.idleMs;
  }

  async streaming<T>(work: () => Promise<T>): Promise<T> {
    this.streams += 1;
    try {
      return await work();
    } finally {
      this.streams -= 1;
    }
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1;
    try {
      return await work();
    } finally {
      this.working -= 1;
      await this.used();
    }
  }

  async used(): Promise<void> {
    this.usedAt = performance.now();
    if (this.working === 0 && (this.isForOneMessage || this.isStopping)) await this.close();
  }

  /** Only keeps the stream open. Sends no notices, because the tools never change. */
  async listen(): Promise<SubscriptionFilter> {
    this.isListening = true;
    return {};
  }

  /** Does nothing, because our tools do not request the client's roots. */
  rootsChanged(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Does nothing, because this MCP session has no recording. The API writes the audit log for each tool call
   * as usual.
   */
  record(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.over.signal.aborted) return;
    this.over.abort(new Error('The visit is over.'));
    this.onEnd();
  }

  /**
   * Ends the MCP session once its current messages are answered. Does not wait for streams of notifications.
   */
  finish(): void {
    this.isStopping = true;
    if (this.working === 0 || (this.isForOneMessage && this.isListening)) void this.close();
  }

  private async request(
    request: UpstreamRequest,
    client: RequestingClient,
  ): Promise<{ answer: UpstreamAnswer; serial: number }> {
    const first = new FirstAbort([client.signal, this.ended]);
    try {
      const answer = await this.tools.answer(request, { ...client, signal: first.signal });
      return { answer, serial: ++this.serial };
    } finally {
      first.release();
    }
  }
}
