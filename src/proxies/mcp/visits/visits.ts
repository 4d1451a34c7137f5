import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Gate } from '../../../gate/gate';
import type { Target } from '../../../gate/ports/target-directory';
import { AppError, stoppingError } from '../../../kernel/app-error';
import { canonicalHash } from '../../../kernel/json/json';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import { ClientLimits } from '../../kit/client-limits';
import { OpenSessions } from '../../kit/open-sessions';
import { ClientVisit } from '../../kit/visit';
import type { Arrival } from '../http/arrival';
import { allowedTo } from '../http/capabilities';
import { VisitTarget } from '../lists/current-targets';
import { enterWithRoom } from './room';
import { Upstreams } from './upstream';
import { Visit } from './visit';
import { VisitServices } from './visit-services';

/** Interval in milliseconds of the search for idle MCP sessions. */
const REAP_MS = 5_000;

/** The sessions of MCP clients at connections, in this process. */
@Injectable()
export class Visits implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly log = new Logger(Visits.name);
  private readonly visits = new Set<Visit>();
  /**
   * The sessions of modern clients, whose messages contain no session id. The key is made of the principal,
   * the person's authorization for the client, the connection, the reason and the client.
   */
  private readonly shared = new Map<string, Promise<Visit>>();
  private opened: (visit: Visit) => void = () => undefined;
  private stopped: Promise<void> | undefined;
  private readonly reaping = new PeriodicTask({
    everyMs: REAP_MS,
    when: () => this.visits.size > 0,
    work: () => this.reap(),
    onError: (message) => this.log.error(`Idle visits of MCP clients could not be ended: ${message}`),
  });

  constructor(
    private readonly gate: Gate,
    private readonly limits: ClientLimits,
    private readonly sessions: OpenSessions,
    private readonly upstreams: Upstreams,
    private readonly services: VisitServices,
  ) {}

  /** Registers the listener for opened MCP sessions. Called at most once. */
  onOpened(listener: (visit: Visit) => void): void {
    this.opened = listener;
  }

  onApplicationBootstrap(): void {
    this.reaping.start();
  }

  /**
   * Begins to end the MCP sessions before other modules wait for their work, so that all modules share one
   * grace period.
   */
  onModuleDestroy(): void {
    this.stopped ??= this.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /** Returns the open MCP session of a modern client, or opens one. @throws AppError like `enter` */
  async ofModernClient(arrival: Arrival): Promise<Visit> {
    const keyed = keyOf(arrival);
    const key = typeof keyed === 'string' ? keyed : await keyed;
    const known = this.shared.get(key);
    if (known !== undefined) {
      const visit = await known.catch(() => undefined);
      if (visit !== undefined && !visit.isOver) return visit;
      // Another request of the same client may have opened a new session meanwhile.
      if (this.shared.get(key) !== known) return this.ofModernClient(arrival);
    }
    const entering = this.enter(arrival, () => this.forget(key, entering));
    this.shared.set(key, entering);
    entering.catch(() => this.forget(key, entering));
    return entering;
  }

  /**
   * Opens the MCP session of a client.
   * @param onEnd called once, when the session is over.
   * @throws AppError `not_found`, `forbidden`, `unprocessable`, `too_many_requests`, `unavailable`
   */
  async enter(arrival: Arrival, onEnd: () => void): Promise<Visit> {
    if (arrival.principal.role === 'auditor')
      throw new AppError('forbidden', 'auditors may read, but open no connections');
    // Registers the client before its session opens, so that a gateway that stops meanwhile waits for it.
    const entering = new ClientVisit(() => undefined);
    const over = this.sessions.register(entering);
    try {
      return await this.open(arrival, entering, () => (over(), onEnd()));
    } catch (error) {
      over();
      throw error;
    }
  }

  /** @param onEnd called once, when the MCP session is over; not called if opening fails */
  private async open(arrival: Arrival, entering: ClientVisit, onEnd: () => void): Promise<Visit> {
    const { principal, connection } = arrival;
    const target = await this.gate.target(principal, connection);
    if (target.clientProtocol !== 'mcp')
      throw new AppError('unprocessable', `the connection ${target.name} is not an MCP server`);
    const { userId } = principal;
    const own = () => [...this.visits].filter((visit) => visit.principal.userId === userId);
    const place = await enterWithRoom(this.limits, userId, target.id, own);
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    const leave = (): void => (place.leave(), onEnd());
    try {
      if (entering.stopped.aborted) throw stoppingError();
      const visit = await this.connect(arrival, target, leave);
      entering.reached(visit);
      return visit;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** Begins a session of the gate, and the MCP session that belongs to it. */
  private async connect(arrival: Arrival, target: Target, onEnd: () => void): Promise<Visit> {
    const { principal, reason } = arrival;
    const { services, upstreams } = this;
    // Opens the connection to the server first, because this fails if no key opens the secret. No session
    // must be ended then.
    const upstream = upstreams.open(target, principal, allowedTo(target, arrival.client));
    const session = await this.gate.connect(principal, {
      connection: target.id,
      labels: labelsOf(arrival),
      metadata: metadataOf(arrival),
      batchId: null,
      correlationId: null,
      reason,
      credentialId: null,
      until: null,
    });
    const visited = new VisitTarget(principal, target, services.targets);
    const visit = new Visit(principal, session, visited, upstream, services, upstreams, () => {
      this.visits.delete(visit);
      onEnd();
    });
    this.visits.add(visit);
    this.opened(visit);
    return visit;
  }

  private forget(key: string, entering: Promise<Visit>): void {
    if (this.shared.get(key) === entering) this.shared.delete(key);
  }

  private async reap(): Promise<void> {
    const idleMs = this.services.settings.mcp.idleMinutes * 60_000;
    for (const visit of this.visits)
      if (visit.idleMs > idleMs) await visit.close(0, 'The client sent nothing for too long.');
  }

  private async stop(): Promise<void> {
    await this.reaping.stop();
    await this.sessions.stop(this.services.settings.process.shutdownGraceSeconds * 1000);
  }
}

function keyOf({ principal, connection, client, reason }: Arrival): MaybePromise<string> {
  return thenMaybe(
    canonicalHash([
      principal.orgId,
      principal.userId,
      principal.authorizationId ?? null,
      connection,
      reason,
      { ...client },
    ]),
    (hashed) => hashed.toString('base64'),
  );
}

function labelsOf({ address, client: { info } }: Arrival): Record<string, string> {
  const name = info['name'];
  return {
    client_address: address,
    ...(typeof name === 'string' && name !== ''
      ? { application_name: name.slice(0, 64).toWellFormed() }
      : {}),
  };
}

function metadataOf({ client: { info }, traceparent }: Arrival): Record<string, unknown> {
  const { name, version } = info;
  return {
    ...(typeof name === 'string'
      ? {
          mcp_client: `${name} ${typeof version === 'string' ? version : ''}`
            .trim()
            .slice(0, 128)
            .toWellFormed(),
        }
      : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
