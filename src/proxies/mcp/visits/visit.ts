import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { EXIT_BLOCKED } from '../../../gate/ports/session-end';
import type { Session } from '../../../gate/session';
import { isAllowedUri } from '../lists/globs';
import { AppError } from '../../../kernel/app-error';
import { type JsonObject, writeJson } from '../../../kernel/json/json';
import type { Principal } from '../../../kernel/principal';
import { reviewPageUrl } from '../../../platform/addresses/review-page';
import type { SubscriptionFilter, McpUpstream } from '../../../targets/mcp/upstream';
import type { OpenSession } from '../../kit/open-sessions';
import type { CallLimits } from '../calls/call-limits';
import type { VisitTarget } from '../lists/current-targets';
import { McpRelay } from '../calls/relay';
import { ToolDirectory } from '../lists/tool-directory';
import { StreamPlace } from './stream-place';
import type { Upstreams } from './upstream';
import type { VisitServices } from './visit-services';

/** Reason for the end of a visit when the gateway stops. */
const STOPPING = 'The gateway is shutting down.';

/** Receives a server's change notices for a client. */
export interface ChangeReceiver {
  readonly signal: AbortSignal;
  /** See `SubscriptionOptions`. */
  readonly logLevel?: () => string;
  /**
   * Place at the limit of streams, shared with the subscription that this one replaces. Default: a new place.
   */
  readonly place?: StreamPlace;
  notify(method: string, params: JsonObject): Promise<void>;
  ended(): void;
}

/**
 * The session of one MCP client at one connection: a session of the gate, and the known facts about the
 * server. The modern protocol has no sessions, so this session lasts from the first message until DELETE,
 * kill, revocation, or a time without messages.
 */
export class Visit implements OpenSession {
  private readonly log = new Logger(Visit.name);
  readonly relay: McpRelay;
  readonly tools: ToolDirectory;
  private readonly limits: CallLimits;
  private readonly over = new AbortController();
  private working = 0;
  private streams = 0;
  private usedAt = performance.now();
  private readonly stopping = new AbortController();
  private closing: Promise<void> | undefined;

  /** @param onEnd called once, when the MCP session has ended completely */
  constructor(
    readonly principal: Principal,
    readonly session: Session,
    private readonly target: VisitTarget,
    private readonly upstream: McpUpstream,
    services: VisitServices,
    way: Pick<Upstreams, 'unreachable' | 'signIn'>,
    private readonly onEnd: () => void,
  ) {
    this.limits = services.limits;
    // Removes the limit of listeners, because each message that is being answered adds one.
    setMaxListeners(0, this.over.signal);
    this.tools = new ToolDirectory(target, upstream, services.registry, this.over.signal);
    this.relay = new McpRelay({
      principal,
      session,
      target,
      upstream,
      tools: this.tools,
      limits: services.limits,
      log: services.calls,
      over: this.over.signal,
      unreachable: () => way.unreachable(session.target),
      signIn: (scope) => way.signIn(target.now, principal, scope),
      withdrawn: (why) => void this.close(EXIT_BLOCKED, why),
      holdMs: services.settings.mcp.holdSeconds * 1000,
      stopping: this.stopping.signal,
      reviewPage: (reviewId) => {
        const { apiUrl, apiPrefix } = services.settings.http;
        return reviewPageUrl(apiUrl, apiPrefix, reviewId);
      },
    });
    session.ended.addEventListener('abort', this.onSessionEnd, { once: true });
    if (session.ended.aborted) this.onSessionEnd();
  }

  /** Aborts when the client's MCP session is over. Its streams and answers end then. */
  get ended(): AbortSignal {
    return this.over.signal;
  }

  /** Time in milliseconds since the last message; 0 while a message is being answered. */
  get idleMs(): number {
    return this.working > 0 ? 0 : performance.now() - this.usedAt;
  }

  get unusedMs(): number {
    return this.streams > 0 || this.isOver ? 0 : this.idleMs;
  }

  /** Whether the MCP session accepts no new messages. */
  get isOver(): boolean {
    return this.stopping.signal.aborted || this.over.signal.aborted;
  }

  /** Does work for a message of the client. The MCP session is not idle meanwhile. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1;
    try {
      return await work();
    } finally {
      this.working -= 1;
      this.used();
    }
  }

  async streaming<T>(work: () => Promise<T>): Promise<T> {
    this.streams += 1;
    try {
      return await work();
    } finally {
      this.streams -= 1;
    }
  }

  record(message: JsonObject): Promise<void> {
    return this.session.recordOutput({ type: 'o', content: `${writeJson(message)}\n` });
  }

  /** Restarts the idle time of the MCP session. */
  used(): void {
    this.usedAt = performance.now();
    if (this.stopping.signal.aborted && this.working === 0) void this.close(0, STOPPING);
  }

  /**
   * Subscribes to changes of the server. Leaves out resources that the policy does not allow, as if the
   * server did not have them.
   * @returns the filter to which the server agreed. @throws UpstreamFault; AppError `forbidden`,
   * `too_many_requests`
   */
  async listen(wanted: SubscriptionFilter, listener: ChangeReceiver): Promise<SubscriptionFilter> {
    await this.target.refresh();
    const { mcp } = this.target.now;
    const { uris = [], ...kinds } = wanted;
    const filter = { ...kinds, uris: uris.filter((uri) => mcp === null || isAllowedUri(mcp.resources, uri)) };
    await this.relay.notifying('subscriptions/listen', {
      notifications: { ...kinds, uris: [...filter.uris] },
    });
    const { place: shared = new StreamPlace() } = listener;
    const place = await shared.enter(() => this.limits.openStream(this.principal, this.target.now));
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    const signal = AbortSignal.any([listener.signal, this.ended]);
    signal.addEventListener('abort', place.leave, { once: true });
    if (signal.aborted) place.leave();
    const subscribed = this.upstream.subscribe(filter, {
      signal,
      logLevel: listener.logLevel,
      notify: async (method, params) => {
        if (method === 'notifications/tools/list_changed') this.tools.forget();
        await this.relay.changed(method, params, (screened) => listener.notify(method, screened));
      },
      ended: () => {
        signal.removeEventListener('abort', place.leave);
        place.leave();
        listener.ended();
      },
    });
    return subscribed.catch((error: unknown) => {
      place.leave();
      throw error;
    });
  }

  /**
   * Notifies the server that the client's roots changed, if the policy lets the server request them. Never
   * rejects.
   */
  async rootsChanged(): Promise<void> {
    try {
      await this.target.refresh();
      if (this.target.now.mcp?.serverRequests.includes('roots') !== true) return;
      await this.relay.notifying('notifications/roots/list_changed', {});
      await this.upstream.rootsChanged();
    } catch (error) {
      this.log.debug({ err: error }, 'A server was not told of changed roots');
    }
  }

  /** Ends the MCP session: closes the connection to the server, and the recording. Idempotent. */
  close(exitCode: number, cause?: string): Promise<void> {
    this.closing ??= this.end(exitCode, cause);
    return this.closing;
  }

  finish(): void {
    this.stopping.abort();
    if (this.working === 0) void this.close(0, STOPPING);
  }

  abort(): void {
    void this.close(EXIT_BLOCKED, STOPPING);
  }

  private readonly onSessionEnd = (): void => {
    void this.close(EXIT_BLOCKED, (this.session.ended.reason as Error).message);
  };

  private async end(exitCode: number, cause: string | undefined): Promise<void> {
    this.session.ended.removeEventListener('abort', this.onSessionEnd);
    this.over.abort(new Error(cause ?? 'The visit is over.'));
    await this.upstream
      .close()
      .catch((error: unknown) => this.log.debug({ err: error }, 'A server was not left in order'));
    await this.session.end(exitCode, cause).catch((error: unknown) => {
      this.log.error({ err: error, session: this.session.id }, 'A session could not be closed');
    });
    this.onEnd();
  }
}
