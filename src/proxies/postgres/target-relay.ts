import { Injectable, Logger } from '@nestjs/common';
import { PostgresProxySettings } from '../../platform/config/groups';
import { EXIT_BLOCKED } from '../../gate/ports/session-end';
import type { Target } from '../../gate/ports/target-directory';
import { TargetReachability } from '../../gate/ports/target-reachability';
import type { Session } from '../../gate/session';
import { FirstAbort } from '../../kernel/async/first-abort';
import { askTouched } from '../../targets/postgres/ask-touched';
import type { ClientVisit } from '../kit/visit';
import { TypeCatalog } from './binary/type-catalog';
import { type CancelKey, CancelKeys } from './cancel-keys';
import type { Ending } from './ending';
import { askedOfTarget, versionAnswer } from './handshake/protocol-version';
import type { Refused } from './pipeline/refusals';
import { Relay } from './relay';
import type { SignedInClient } from './signed-in-client';
import { admitStartUp } from './start-up-admission';
import { screenedNotices, screenedParameters, screenedRefusal } from './start-up-screening';
import { type Upstream, cancelUpstream, dialUpstream } from './upstream';
import { UpstreamRefused } from './upstream-refused';
import { authenticationOk } from './wire/authentication';
import { errorResponse, fatalFields } from './wire/error-fields';
import { backendKeyData, readyForQuery } from './wire/start-up-answers';

/**
 * Connects an open session to its target: judges the start-up settings, signs in at the target, and relays
 * messages until either side ends.
 */
@Injectable()
export class TargetRelay {
  private readonly log = new Logger(TargetRelay.name);

  constructor(
    private readonly settings: PostgresProxySettings,
    private readonly keys: CancelKeys,
    private readonly types: TypeCatalog,
    private readonly reachability: TargetReachability,
  ) {}

  /**
   * Resolves when the session has ended. The caller closes the recording.
   * @throws UpstreamRefused if the target cannot be reached or refuses the connection, or if the session or
   * the gateway ends first; RecordingFailed
   */
  async run(client: SignedInClient, session: Session, visit: ClientVisit): Promise<Ending> {
    const { target } = session;
    if (target.clientProtocol !== 'postgresql')
      throw new UpstreamRefused(
        fatalFields('0A000', `The connection ${target.name} is not a PostgreSQL database.`),
      );
    const refused = await admitStartUp(session, client.settings);
    if (refused !== undefined) return turnedAway(client, refused);
    const secret = this.openSecret(session);
    const dialling = dialled(client, secret, [session.ended, visit.stopped]);
    const server = await this.noting(target, dialling).catch(async (error: unknown) => {
      throw await screenedRefusal(session, error);
    });
    let relay: Relay | undefined;
    const key = this.keys.issue(server.processId, server.protocolMinor, () => relay?.cancel());
    try {
      // A start-up without settings is no input, and has not requested the rules.
      await session.askForRules();
      const parameters = await screenedParameters(session, server.parameters);
      greet(client, server, key, [parameters, await screenedNotices(session, server.notices)]);
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

  /** Records whether the target could be reached. Ignores a refusal that this client caused. */
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

  private openSecret(session: Session): Readonly<Record<string, string>> {
    try {
      return session.target.openSecret();
    } catch (error) {
      this.log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
      throw new UpstreamRefused(
        fatalFields(
          '58000',
          'The secret of this connection could not be opened. Please tell an administrator.',
        ),
      );
    }
  }
}

/** Signs in at the target. Stops if the session must end or the client must leave first. */
async function dialled(
  { settings: parameters, protocol }: SignedInClient,
  secret: Readonly<Record<string, string>>,
  stops: readonly AbortSignal[],
): Promise<Upstream> {
  const first = new FirstAbort(stops);
  try {
    return await dialUpstream(secret, { parameters, protocolMinor: askedOfTarget(protocol) }, first.signal);
  } finally {
    first.release();
  }
}

function greet(
  { socket, protocol }: SignedInClient,
  server: Upstream,
  { processId, key }: CancelKey,
  [parameters, notices]: readonly [parameters: readonly Buffer[], notices: readonly Buffer[]],
): void {
  const version = versionAnswer(protocol, server.protocolMinor);
  socket.write(
    Buffer.concat([
      ...(version === undefined ? [] : [version]),
      authenticationOk(),
      ...parameters,
      backendKeyData(processId, key),
      ...notices,
      readyForQuery('I'),
    ]),
  );
}

/** Sends the refusal of start-up settings, which is already recorded, and returns the session's ending. */
function turnedAway({ socket }: SignedInClient, { code, message }: Refused): Ending {
  socket.end(errorResponse(fatalFields(code, message)));
  return { exitCode: EXIT_BLOCKED };
}
