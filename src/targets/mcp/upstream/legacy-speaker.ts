import { isObject } from '../../../kernel/json/json';
import { type LegacyRevision, NEWEST_LEGACY, isLegacyRevision } from '../protocol/revisions';
import {
  type DiscoveredServer,
  type ExchangeOptions,
  type SubscriptionFilter,
  type SubscriptionOptions,
  type UpstreamAnswer,
  UpstreamFault,
  type UpstreamRequest,
} from './contract';
import { closedFault, lostFault, malformedFault, notSent, sentBefore } from './faults';
import { type LegacyLink, type LegacyReceiver, SessionGone } from './legacy-link';
import { LegacySession } from './legacy-session';
import { EraMismatch, type Speaker, type SpeakerOptions } from './speaker';
import { SseLink } from './sse-link';
import { StreamableLink } from './streamable-link';

/** Sends requests to a server of the legacy era, in one session at a time. */
export class LegacySpeaker implements Speaker {
  server: DiscoveredServer | undefined;
  /** Whether the server keeps a session, by which it recognizes its client in later requests. */
  hasSession = false;
  private session: Promise<LegacySession> | undefined;
  private isClosed = false;

  constructor(
    private readonly options: SpeakerOptions,
    private readonly transport: 'streamable-http' | 'sse',
  ) {}

  async discover(): Promise<DiscoveredServer> {
    return (await this.current()).server;
  }

  async exchange(request: UpstreamRequest, on: ExchangeOptions): Promise<UpstreamAnswer> {
    const session = await this.current().catch((error: unknown) => {
      throw request.continuation === undefined ? error : sentBefore(error);
    });
    try {
      return await session.exchange(request, on);
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      await this.leave(session);
      if (request.continuation !== undefined) throw lostFault('The MCP server ended the session');
      // The server did not handle the request, so it is safe to send it once more.
      return await (await this.current()).exchange(request, on).catch(goneTwice);
    }
  }

  async subscribe(filter: SubscriptionFilter, on: SubscriptionOptions): Promise<SubscriptionFilter> {
    return (await this.current()).subscribe(filter, on);
  }

  async rootsChanged(): Promise<void> {
    const { roots } = this.options.client.capabilities;
    const session = await this.session?.catch(() => undefined);
    // Without an open session, no notice is needed: the server requests the roots in the next session.
    if (!isObject(roots) || roots['listChanged'] !== true || session === undefined || session.isOver) return;
    await session.notify('notifications/roots/list_changed').catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const session = await this.session?.catch(() => undefined);
    await session?.close();
  }

  /** Returns the session. Opens a new session if there is none, or it is over. */
  private async current(): Promise<LegacySession> {
    const known = await this.session?.catch(() => undefined);
    if (known !== undefined && !known.isOver) return known;
    if (this.isClosed) throw closedFault(false);
    // Several callers may find that the same session is over. They share the next session.
    if (known !== undefined) await this.leave(known);
    const opening = (this.session ??= this.opened());
    try {
      return await opening;
    } catch (error) {
      if (this.session === opening) this.session = undefined;
      throw error instanceof SessionGone ? goneTwice() : notSent(error);
    }
  }

  private async leave(session: LegacySession): Promise<void> {
    if ((await this.session?.catch(() => undefined)) === session) this.session = undefined;
    session.lost(lostFault('The MCP server ended the session'));
    void session.close();
  }

  private async opened(): Promise<LegacySession> {
    const session = new LegacySession(this.options);
    const link = await this.linked(session);
    session.begin(link);
    try {
      const { info, capabilities } = this.options.client;
      const answer = await session.exchange(
        { method: 'initialize', params: { protocolVersion: NEWEST_LEGACY, capabilities, clientInfo: info } },
        { signal: this.options.closing, notify: () => undefined },
      );
      const server = serverOf(answer);
      link.negotiated(server.revision as LegacyRevision);
      await session.notify('notifications/initialized');
      session.established(server);
      this.server = server;
      this.hasSession = link.hasSession;
      return session;
    } catch (error) {
      void session.close();
      throw error;
    }
  }

  private async linked(receiver: LegacyReceiver): Promise<LegacyLink> {
    const { way, maxMessageBytes: maxBytes, timeoutMs } = this.options;
    if (this.transport === 'streamable-http') return new StreamableLink(way, maxBytes, receiver);
    const link = new SseLink(way, { maxBytes, timeoutMs }, receiver);
    await link.open();
    return link;
  }
}

function serverOf(answer: UpstreamAnswer): DiscoveredServer {
  // A modern-only server does not know `initialize`, or answers it with an error that names its revisions.
  if (answer.kind !== 'result')
    throw new EraMismatch(new UpstreamFault('refused', 'The MCP server refuses to begin a session.'));
  const { protocolVersion: revision, capabilities, serverInfo, instructions } = answer.result;
  if (!isLegacyRevision(revision))
    throw new EraMismatch(
      new UpstreamFault(
        'refused',
        'The MCP server speaks no revision of the protocol that the gateway knows.',
      ),
    );
  if (!isObject(capabilities)) throw malformedFault('to initialize has no capabilities');
  return {
    era: 'legacy',
    revision,
    capabilities,
    ...(isObject(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

function goneTwice(error?: unknown): never {
  if (error !== undefined && !(error instanceof SessionGone)) throw error;
  throw new UpstreamFault('refused', 'The MCP server does not keep its sessions.');
}
