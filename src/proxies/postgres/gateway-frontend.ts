import { Injectable, Logger } from '@nestjs/common';
import { passingFault } from '../../platform/database/faults/passing-fault';
import type { Session } from '../../gate/session';
import { Gate } from '../../gate/gate';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { CancelKeys } from './cancel-keys';
import type { Ending } from './ending';
import { signInRefusalOf } from './handshake/refusal';
import { OpenSessions, STOPPING } from '../kit/open-sessions';
import { PostgresAdmission } from './postgres-admission';
import { ProxyFrontend } from './proxy-frontend';
import type { IncomingCancel } from './sign-in';
import type { SignedInClient } from './signed-in-client';
import { TargetRelay } from './target-relay';
import { labelOf } from './start-up-statements';
import { UpstreamRefused } from './upstream-refused';
import { ClientVisit } from '../kit/visit';
import { type ErrorFields, errorResponse, fatalFields } from './wire/error-fields';

/** psql's exit code when the connection could not be made. */
const EXIT_NOT_REACHED = 2;

/**
 * Serves signed-in clients: admits them, opens a session at the gate, and
 * closes it when the relay to the target has ended.
 */
@Injectable()
export class GatewayFrontend extends ProxyFrontend {
  private readonly log = new Logger(GatewayFrontend.name);

  constructor(
    private readonly gate: Gate,
    private readonly admission: PostgresAdmission,
    private readonly keys: CancelKeys,
    private readonly sessions: OpenSessions,
    private readonly relay: TargetRelay,
  ) {
    super();
  }

  async serve(client: SignedInClient, entered: () => void): Promise<void> {
    // The client may close its sending side and still read.
    client.socket.allowHalfOpen = true;
    // Registers the client before all else, so that a gateway that stops meanwhile waits for it.
    const visit = new ClientVisit(entered);
    const over = this.sessions.register(visit);
    try {
      const admitted = await this.admission.admit(client);
      try {
        if (visit.stopped.aborted) client.socket.end(errorResponse(fatalFields('57P01', STOPPING)));
        else await this.visit(client, admitted.connection, visit);
      } finally {
        admitted.leave();
      }
    } catch (error) {
      const { fields, cause } = signInRefusalOf(error);
      if (cause !== undefined) this.log.error({ err: cause }, 'A PostgreSQL client could not be served');
      if (fields !== undefined) client.socket.end(errorResponse(fields));
    } finally {
      over();
    }
  }

  cancel({ processId, key, address }: IncomingCancel): Promise<void> {
    return this.keys.request(processId, key, address);
  }

  private async visit(client: SignedInClient, connection: string, visit: ClientVisit): Promise<void> {
    const entry = {
      connection,
      labels: labelsOf(client),
      metadata: {},
      batchId: null,
      correlationId: null,
      reason: client.credential?.reason ?? null,
      credentialId: client.credential?.id ?? null,
      until: client.credential?.expiresAt ?? null,
    };
    const session = await this.gate.connect(client.principal, entry);
    const ending = await this.relay.run(client, session, visit).catch((error: unknown): Ending => {
      const fields = visit.stopped.aborted ? fatalFields('57P01', STOPPING) : this.whyNot(error, session);
      client.socket.end(errorResponse(fields));
      return { exitCode: EXIT_NOT_REACHED, cause: fields.message };
    });
    await session.end(ending.exitCode, ending.cause).catch((error: unknown) => {
      this.log.error({ err: error, session: session.id }, 'A session could not be closed');
    });
  }

  private whyNot(error: unknown, { id, ended }: Session): ErrorFields {
    if (ended.aborted) return fatalFields('57P01', (ended.reason as Error).message);
    if (error instanceof UpstreamRefused) return { ...error.fields, severity: 'FATAL' };
    if (passingFault(error) !== undefined) {
      const { fields, cause } = signInRefusalOf(error);
      this.log.warn({ err: cause, session: id }, 'A PostgreSQL session could not begin for now');
      if (fields !== undefined) return fields;
    }
    this.log.error({ err: error, session: id }, 'A PostgreSQL session could not begin');
    return fatalFields('58000', FAULT_MESSAGE);
  }
}

function labelsOf({ settings, address }: SignedInClient): Record<string, string> {
  const application = labelOf(settings);
  return { client_address: address, ...(application ? { application_name: application } : {}) };
}
