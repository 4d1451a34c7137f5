import { type JsonObject, readJson, writeJson } from '../../../kernel/json/json';
import { classifyMessage } from '../protocol/rpc-messages';
import { SseReader } from '../protocol/sse-reader';
import { UpstreamFault } from './contract';
import { lostFault, malformedFault } from './faults';
import type { HttpReply, HttpWay } from './http-way';
import type { LegacyCall } from './legacy-call';
import { type LegacyLink, type LegacyReceiver, SessionGone } from './legacy-link';
import { eventsOf, readFault } from './reply-messages';
import { EraMismatch } from './speaker';

/**
 * HTTP+SSE of the revision 2024-11-05. The server sends all messages on one stream. The stream names the URL
 * for all messages to the server.
 */
export class SseLink implements LegacyLink {
  private readonly closing = new AbortController();
  private endpoint: URL | undefined;

  constructor(
    private readonly way: HttpWay,
    private readonly options: { readonly maxBytes: number; readonly timeoutMs: number },
    private readonly receiver: LegacyReceiver,
  ) {}

  /**
   * Opens the stream.
   * @throws UpstreamFault; EraMismatch where the server has no such stream
   */
  async open(): Promise<void> {
    const patience = AbortSignal.timeout(this.options.timeoutMs);
    const giveUp = (): void => this.closing.abort();
    patience.addEventListener('abort', giveUp);
    try {
      const reply = await this.way.send(
        {
          method: 'GET',
          headers: { accept: 'text/event-stream', 'accept-encoding': 'identity' },
          isRepeatable: true,
        },
        this.closing.signal,
      );
      if (!reply.isSuccess || reply.mediaType !== 'text/event-stream') {
        reply.release();
        const fault = reply.isSuccess ? malformedFault('is not a stream of events') : reply.statusFault();
        throw fault.reason === 'needs_reauth' ? fault : new EraMismatch(fault);
      }
      await new Promise<void>((resolve, reject) => void this.read(reply, resolve).catch(reject));
    } catch (error) {
      this.closing.abort();
      if (!patience.aborted) throw error;
      throw new UpstreamFault('unreachable', 'The MCP server named no address for messages in time.');
    } finally {
      patience.removeEventListener('abort', giveUp);
    }
  }

  async request(message: JsonObject, call: LegacyCall): Promise<void> {
    const { method, traceparent } = call.request;
    const traced = traceparent === undefined ? {} : { traceparent };
    await this.send(message, call.controller.signal, method !== 'tools/call', traced);
  }

  async send(message: JsonObject, signal: AbortSignal, isRepeatable = false, more = {}): Promise<void> {
    const { endpoint: url } = this;
    if (url === undefined || this.closing.signal.aborted) throw new SessionGone();
    const headers = { 'content-type': 'application/json', accept: 'application/json', ...more };
    const reply = await this.way.send(
      { method: 'POST', url, headers, body: writeJson(message), isRepeatable },
      signal,
    );
    reply.release();
    if (reply.isSuccess) return;
    if (reply.status === 404) throw new SessionGone();
    throw reply.statusFault();
  }

  get hasSession(): boolean {
    return true;
  }

  negotiated(): void {
    // This transport has no header for the revision.
  }

  listen(): Promise<boolean> {
    return Promise.resolve(true);
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  private async read(reply: HttpReply, opened: () => void): Promise<void> {
    const { maxBytes } = this.options;
    try {
      for await (const { event, data } of eventsOf(reply, new SseReader(maxBytes))) {
        if (event === 'endpoint' && this.endpoint === undefined) {
          this.endpoint = this.endpointOf(data.toString('utf8'));
          opened();
        } else if (event === 'message' && data.length > 0 && this.endpoint !== undefined)
          await this.receiver.receive(classifyMessage(await readJson(data)));
      }
      throw lostFault('The MCP server closed its stream');
    } catch (error) {
      this.closing.abort();
      const fault = readFault(error, maxBytes);
      this.receiver.lost(fault);
      // Throws only before the stream is open. Later, no caller would catch the fault.
      if (this.endpoint === undefined) throw fault;
    }
  }

  /**
   * Returns the URL for messages. It must have the origin of the stream, because messages carry the
   * credentials of the connection (2024-11-05, "HTTP with SSE").
   */
  private endpointOf(text: string): URL {
    const endpoint = URL.canParse(text, this.way.url.href) ? new URL(text, this.way.url.href) : undefined;
    if (endpoint === undefined) throw malformedFault('names an address for messages that is none');
    if (endpoint.origin !== this.way.url.origin)
      throw new UpstreamFault('refused', 'The MCP server names an address of another origin for messages.');
    return endpoint;
  }
}
