import { Injectable, Logger } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { AppError } from '../../kernel/app-error';
import { reviewPageUrl } from '../../platform/addresses/review-page';
import { Settings } from '../../platform/config/settings';
import { passingFault } from '../../platform/database/faults/passing-fault';
import { OpenSessions } from '../kit/open-sessions';
import { ChannelVisit } from './channel-visit';
import { ConnectionVisit } from './connection-visit';
import { sentenceOf } from './channels/ending';
import { SshFrontend } from './proxy-frontend';
import { RefusedChannel } from './refused-channel';
import type { SignedInSshClient } from './signed-in-client';
import { SshAdmission } from './ssh-admission';
import { SshUpstream } from './upstream';

/** Time within which a refused client must open a channel, in which it gets the reason. */
const REFUSED_WITHIN_MS = 10_000;

/** Serves signed-in clients: admits them, and opens a session at the gate for each of their channels. */
@Injectable()
export class SshGatewayFrontend extends SshFrontend {
  private readonly log = new Logger(SshGatewayFrontend.name);

  constructor(
    private readonly gate: Gate,
    private readonly admission: SshAdmission,
    private readonly sessions: OpenSessions,
    private readonly reachability: TargetReachability,
    private readonly settings: Settings,
  ) {
    super();
  }

  async serve(client: SignedInSshClient): Promise<void> {
    // Registers the client before all else, so that a gateway that stops meanwhile waits for it.
    const visit = new ConnectionVisit(client.connection, this.settings.sshProxy.idleMinutes * 60_000);
    const over = this.sessions.register(visit);
    try {
      const admitted = await this.admission.admit(client).catch((error: unknown) => this.whyNot(error));
      if (typeof admitted === 'string') return await refuse(client, visit, admitted);
      try {
        await this.visit(client, visit, admitted.connection);
      } finally {
        admitted.leave();
      }
    } finally {
      over();
    }
  }

  private async visit(client: SignedInSshClient, visit: ConnectionVisit, target: string): Promise<void> {
    const upstream = new SshUpstream(this.reachability);
    const {
      gate,
      settings: { http },
    } = this;
    const reviewPage = (id: string): string => reviewPageUrl(http.apiUrl, http.apiPrefix, id);
    const context = { client, target, gate, upstream, reviewPage, active: () => visit.active() };
    try {
      await visit.serve((started) => new ChannelVisit(started, context));
    } finally {
      upstream.close();
    }
  }

  private whyNot(error: unknown): string {
    const refusal = error instanceof AppError ? error : passingFault(error);
    if (refusal !== undefined) return sentenceOf(refusal.message);
    this.log.error({ err: error }, 'An SSH client could not be served');
    return FAULT_MESSAGE;
  }
}

async function refuse(client: SignedInSshClient, visit: ConnectionVisit, message: string): Promise<void> {
  const { connection } = client;
  const late = setTimeout(() => connection.close(), REFUSED_WITHIN_MS).unref();
  await visit.serve((started) => new RefusedChannel(started, connection, message));
  clearTimeout(late);
}
