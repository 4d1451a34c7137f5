import { Injectable, Logger } from '@nestjs/common';
import { PostgresProxySettings } from '../../config/groups';
import type { Session } from '../../gate/session';
import { Gate } from '../../gate/gate';
import { FAULT_MESSAGE } from '../../gate/refusal';
import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { Target } from '../../gate/ports/target-directory';
import { TargetReachability } from '../../gate/ports/target-reachability';
import { AppError } from '../../kernel/app-error';
import { askTouched } from '../../targets/postgres/ask-touched';
import { TypeCatalog } from './binary/type-catalog';
import { type CancelKey, CancelKeys } from './cancel-keys';
import { ClientLimits } from '../kit/client-limits';
import { type Ending, STOPPING } from './ending';
import { askedOfTarget, versionAnswer } from './handshake/protocol-version';
import { signInRefusalOf } from './handshake/refusal';
import { OpenSessions } from '../kit/open-sessions';
import { ProxyFrontend } from './proxy-frontend';
import type { Refused } from './refusals';
import { Relay } from './relay';
import type { IncomingCancel } from './sign-in';
import type { SignedInClient } from './signed-in-client';
import { admitStartUp } from './start-up-admission';
import { labelOf } from './start-up-statements';
import { type Upstream, cancelUpstream, dialUpstream } from './upstream';
import { UpstreamRefused } from './upstream-refused';
import { ClientVisit } from '../kit/visit';
import { authenticationOk } from './wire/authentication';
import { type ErrorFields, errorResponse } from './wire/error-fields';
import { backendKeyData, parameterStatus, readyForQuery } from './wire/start-up-answers';

/** psql's exit code when the connection could not be made. */
const EXIT_NOT_REACHED = 2;

/** Serves signed-in clients: opens a session at the gate, dials the target and relays until either side ends. */
@Injectable()
export class GatewayFrontend extends ProxyFrontend {
  private readonly log = new Logger(GatewayFrontend.name);

  constructor(
    private readonly gate: Gate,
    private readonly settings: PostgresProxySettings,
    private readonly limits: ClientLimits,
    private readonly keys: CancelKeys,
    private readonly sessions: OpenSessions,
    private readonly types: TypeCatalog,
    private readonly reachability: TargetReachability,
  ) {
    super();
  }

  async serve(client: SignedInClient): Promise<void> {
    // The client may close its sending side and still read.
    client.socket.allowHalfOpen = true;
    try {
      if (client.principal.role === 'auditor')
        throw new AppError('forbidden', 'auditors read what others did; they open no connections');
      const target = await this.gate.target(client.principal, client.database);
      const place = this.limits.enter(client.principal.userId, target.id);
      if (place.kind === 'full') throw new AppError('too_many_requests', place.message);
      const visit = new ClientVisit();
      const over = this.sessions.register(visit);
      try {
        await this.enter(client, visit);
      } finally {
        over();
        place.leave();
      }
    } catch (error) {
      const { fields, cause } = signInRefusalOf(error);
      if (cause !== undefined) this.log.error({ err: cause }, 'A PostgreSQL client could not be served');
      if (fields !== undefined) client.socket.end(errorResponse(fields));
    }
  }

  cancel({ processId, key, address }: IncomingCancel): Promise<void> {
    return this.keys.request(processId, key, address);
  }

  private async enter(client: SignedInClient, visit: ClientVisit): Promise<void> {
    const session = await this.gate.connect(client.principal, {
      connection: client.database,
      labels: labelsOf(client),
      metadata: {},
      batchId: null,
      correlationId: null,
      reason: client.credential?.reason ?? null,
      credentialId: client.credential?.id ?? null,
      until: client.credential?.expiresAt ?? null,
    });
    const ending = await this.run(client, session, visit).catch((error: unknown): Ending => {
      const fields = visit.stopped.aborted ? fatal('57P01', STOPPING) : this.whyNot(error, session);
      client.socket.end(errorResponse(fields));
      return { exitCode: EXIT_NOT_REACHED, cause: fields.message };
    });
    await session.end(ending.exitCode, ending.cause).catch((error: unknown) => {
      this.log.error({ err: error, session: session.id }, 'A session could not be closed');
    });
  }

  private async run(client: SignedInClient, session: Session, visit: ClientVisit): Promise<Ending> {
    const { target, ended } = session;
    if (target.clientProtocol !== 'postgresql')
      throw new UpstreamRefused(
        fatal('0A000', `The connection ${target.name} is not a PostgreSQL database.`),
      );
    const refused = await admitStartUp(session, client.settings);
    if (refused !== undefined) return turnedAway(client, refused);
    const secret = this.openSecret(session);
    const signal = AbortSignal.any([ended, visit.stopped]);
    const greeting = { parameters: client.settings, protocolMinor: askedOfTarget(client.protocol) };
    const server = await this.noting(target, dialUpstream(secret, greeting, signal));
    let relay: Relay | undefined;
    const key = this.keys.issue(server.processId, server.protocolMinor, () => relay?.cancel());
    try {
      greet(client, server, key);
      relay = new Relay(session, {
        client: client.socket,
        fromClient: client.rest,
        server: server.socket,
        fromServer: server.rest,
        parameters: server.parameters,
        types: this.types.forSession(secret),
        ask: askTouched(() => secret),
        cancel: () => cancelUpstream(secret, server),
        idleMs: this.settings.idleMinutes * 60_000,
      });
      relay.start();
      visit.reached(relay);
      return await relay.ended;
    } finally {
      key.release();
      if (relay === undefined) server.socket.destroy();
    }
  }

  /** Records whether the target could be reached. A refusal that this client caused says nothing about that. */
  private async noting(target: Target, dialling: Promise<Upstream>): Promise<Upstream> {
    try {
      const server = await dialling;
      void this.reachability.note(target, true);
      return server;
    } catch (error) {
      if (error instanceof UpstreamRefused && error.isOfTheTarget) void this.reachability.note(target, false);
      throw error;
    }
  }

  private whyNot(error: unknown, { id, ended }: Session): ErrorFields {
    if (ended.aborted) return fatal('57P01', (ended.reason as Error).message);
    if (error instanceof UpstreamRefused) return { ...error.fields, severity: 'FATAL' };
    this.log.error({ err: error, session: id }, 'A PostgreSQL session could not begin');
    return fatal('58000', FAULT_MESSAGE);
  }

  private openSecret(session: Session): Readonly<Record<string, string>> {
    try {
      return session.target.openSecret();
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
      throw new UpstreamRefused(
        fatal('58000', 'The secret of this connection could not be opened. Please tell an administrator.'),
      );
    }
  }
}

function labelsOf({ settings, address }: SignedInClient): Record<string, string> {
  const application = labelOf(settings);
  return { client_address: address, ...(application ? { application_name: application } : {}) };
}

/** Sends all that a server sends between the password and the first command. */
function greet({ socket, protocol }: SignedInClient, server: Upstream, { processId, key }: CancelKey): void {
  const version = versionAnswer(protocol, server.protocolMinor);
  const parameters = [...server.parameters].map(([name, value]) => parameterStatus(name, value));
  socket.write(
    Buffer.concat([
      ...(version === undefined ? [] : [version]),
      authenticationOk(),
      ...parameters,
      backendKeyData(processId, key),
      ...server.notices,
      readyForQuery('I'),
    ]),
  );
}

/** The ending for refused start-up settings. The recording already has the settings and the reason. */
function turnedAway({ socket }: SignedInClient, { code, message }: Refused): Ending {
  socket.end(errorResponse(fatal(code, message)));
  return { exitCode: EXIT_BLOCKED };
}

function fatal(code: string, message: string) {
  return { severity: 'FATAL', code, message } as const;
}
