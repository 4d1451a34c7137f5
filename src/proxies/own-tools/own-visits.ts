import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { McpSettings } from '../../platform/config/groups';
import { AppError, stoppingError } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { ClientLimits } from '../kit/client-limits';
import { GatewayCounts } from '../kit/counts';
import type { Arrival } from '../mcp/http/arrival';
import { enterWithRoom } from '../mcp/visits/room';
import type { ServedVisit, VisitOpener } from '../mcp/visits/served-visit';
import { OwnTools } from './own-tools';
import { OwnVisit } from './own-visit';

/** Interval in milliseconds of the search for idle MCP sessions. */
const REAP_MS = 5_000;

/**
 * The MCP sessions of clients at our own tools. They are not sessions of the gate, because each tool call is
 * a request to the REST API, which writes the audit log as usual. A script that a tool runs is a session of
 * its own.
 */
@Injectable()
export class OwnVisits implements VisitOpener, OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(OwnVisits.name);
  private readonly limits: ClientLimits;
  private readonly open = new Set<OwnVisit>();
  private isStopping = false;
  private readonly reaping = new PeriodicTask({
    everyMs: REAP_MS,
    when: () => this.open.size > 0,
    work: async () => this.reap(),
    onError: (message) => this.log.error(`Idle visits at our own tools could not be ended: ${message}`),
  });

  constructor(
    private readonly settings: McpSettings,
    private readonly tools: OwnTools,
    counts: GatewayCounts,
  ) {
    const { clients: all, clientsPerUser: perUser } = settings;
    this.limits = new ClientLimits({ all, perUser, perConnection: all }, counts, 'own tools');
  }

  onApplicationBootstrap(): void {
    this.reaping.start();
  }

  /** Ends all MCP sessions, because their open streams would keep the process running. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    for (const visit of this.open) visit.finish();
    await this.reaping.stop();
  }

  /**
   * Opens an MCP session for a single message, because nothing is kept between two messages of a modern
   * client.
   * @throws AppError `too_many_requests`
   */
  ofModernClient(arrival: Arrival): Promise<ServedVisit> {
    return this.openVisit(arrival, () => undefined, true);
  }

  /** @throws AppError `too_many_requests` */
  enter(arrival: Arrival, onEnd: () => void): Promise<ServedVisit> {
    return this.openVisit(arrival, onEnd, false);
  }

  private async openVisit({ principal }: Arrival, onEnd: () => void, isForOne: boolean): Promise<OwnVisit> {
    const { userId } = principal;
    const own = () => [...this.open].filter((visit) => visit.userId === userId);
    const place = await enterWithRoom(this.limits, userId, 'own tools', own);
    if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
    if (this.isStopping) {
      place.leave();
      throw stoppingError();
    }
    const visit: OwnVisit = new OwnVisit(randomUUID(), this.tools, userId, isForOne, () => {
      this.open.delete(visit);
      place.leave();
      onEnd();
    });
    this.open.add(visit);
    return visit;
  }

  private reap(): void {
    const idleMs = this.settings.idleMinutes * 60_000;
    for (const visit of this.open) if (visit.idleMs > idleMs) void visit.close();
  }
}
