import { Injectable, Logger } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { AppError } from '../../kernel/app-error';
import { reviewPageUrl } from '../../platform/addresses/review-page';
import { Settings } from '../../platform/config/settings';
import { passingFault } from '../../platform/database/faults/passing-fault';
import { ChannelVisit } from './channel-visit';
import type { StartedChannel } from './channels/channel-requests';
import { sentenceOf } from './channels/ending';
import type { ServedChannel } from './channels/served-channel';
import type { ClientConnection } from './driver/client-connection';
import type { ForwardTaker } from './driver/forward-requests';
import { ClientForwards, type ServingConnection } from './forwards/client-forwards';
import { OwnEnds } from './forwards/own-ends';
import type { RestingConnection } from './resting-clients';
import type { SshPerson } from './signed-in-client';
import { SshAdmission } from './ssh-admission';
import { SshUpstream } from './upstream';

/** Serves the channels of one person who was admitted to a connection. */
export interface OpenChannels {
  /** Serves a channel by a session at the gate of its own. */
  serve(started: StartedChannel): ServedChannel;
  /** Returns what serves the forwards of a client of the SSH protocol, each by a session of its own. */
  forwards(connection: ClientConnection, visit: ServingConnection): ForwardTaker;
  /** Closes the connection to the server. Call when all channels and forwards have ended. */
  close(): void;
}

/** Admits people to connections, whatever connects them to the gateway. */
@Injectable()
export class AdmittedChannels {
  private readonly log = new Logger(AdmittedChannels.name);
  private readonly own: OwnEnds;

  constructor(
    private readonly gate: Gate,
    private readonly admission: SshAdmission,
    private readonly reachability: TargetReachability,
    private readonly settings: Settings,
  ) {
    this.own = new OwnEnds(settings);
  }

  /**
   * Admits a person. Returns the reason as a sentence if that is refused.
   * @param active called when something was sent in either direction
   * @param connection the client's connection, if it may rest without a channel
   */
  async open(
    person: SshPerson,
    active: () => void,
    connection?: RestingConnection,
  ): Promise<OpenChannels | string> {
    try {
      const admitted = await this.admission.admit(person, connection);
      const upstream = new SshUpstream(this.reachability);
      const { apiUrl, apiPrefix } = this.settings.http;
      const reviewPage = (id: string): string => reviewPageUrl(apiUrl, apiPrefix, id);
      const context = {
        client: person,
        target: admitted.connection,
        gate: this.gate,
        upstream,
        reviewPage,
        active,
      };
      return {
        serve: (started) => new ChannelVisit(started, context),
        forwards: (connection, visit) => new ClientForwards(visit, { ...context, connection, own: this.own }),
        close: () => {
          upstream.close();
          admitted.leave();
        },
      };
    } catch (error) {
      return this.whyNot(error);
    }
  }

  private whyNot(error: unknown): string {
    const refusal = error instanceof AppError ? error : passingFault(error);
    if (refusal !== undefined) return sentenceOf(refusal.message);
    this.log.error({ err: error }, 'An SSH client could not be served');
    return FAULT_MESSAGE;
  }
}
