import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { WebSocketServer } from 'ws';
import { PortalCallers, type PortalCaller } from '../../gate/ports/portal-callers';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { Settings } from '../../platform/config/settings';
import { upgradeOf } from '../../platform/http/edge/upgrades';
import { OpenSessions } from '../kit/open-sessions';
import { AdmittedChannels } from './admitted-channels';
import type { Identity, SshPerson } from './signed-in-client';
import type { PagePurpose } from './page/page-messages';
import { PageSocket } from './page/page-socket';
import { PageVisit } from './page-visit';

/** Paths below that of the API, before the name of the connection, and what their pages do. */
export const PAGE_PATHS: ReadonlyMap<string, PagePurpose> = new Map([
  ['/terminals', 'terminal'],
  ['/file-transfers', 'files'],
]);
/** Maximum size of a message of a page. A page sends what is pasted in smaller pieces. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Label of sessions of the portal, where clients of SSH have the name of their program. */
const SOFTWARE = 'portal';

/**
 * Opens terminals and files of servers in pages of the portal: a WebSocket, in place of a channel of an SSH
 * client. The session passes the same gate, and the sign-in at the portal takes the place of a password.
 */
@Injectable()
export class PageEndpoint {
  private readonly log = new Logger(PageEndpoint.name);
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // Lengths of compressed secrets reveal them.
    perMessageDeflate: false,
  });

  constructor(
    private readonly callers: PortalCallers,
    private readonly channels: AdmittedChannels,
    private readonly sessions: OpenSessions,
    private readonly settings: Settings,
  ) {}

  /** Passes all requests on that do not ask for a WebSocket. */
  async handle(
    purpose: PagePurpose,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    const upgrade = upgradeOf(request);
    const [, name, more] = request.path.split('/');
    if (upgrade === undefined || name === undefined || more !== undefined) return next();
    try {
      const connection = connectionNamed(name);
      const caller = await this.callers.identify(request);
      response.statusCode = 101;
      this.server.handleUpgrade(request, upgrade.socket, upgrade.head, (socket) => {
        void this.serve(new PageSocket(socket, purpose), caller, connection);
      });
    } catch (error) {
      next(error);
    }
  }

  private async serve(socket: PageSocket, caller: PortalCaller, connection: string): Promise<void> {
    const visit = new PageVisit(socket, caller, this.settings.sshProxy.idleMinutes * 60_000);
    // Registered before all else, so that a gateway that stops meanwhile waits for it.
    const over = this.sessions.register(visit);
    try {
      await visit.serve((reason) =>
        this.channels.open(personOf(caller, connection, reason), () => visit.active()),
      );
    } catch (error) {
      this.log.error({ err: error }, 'A page of the portal could not be served');
      socket.destroy();
    } finally {
      over();
    }
  }
}

/** @throws AppError `malformed` */
function connectionNamed(written: string): string {
  try {
    const name = decodeURIComponent(written);
    if (!name.includes('\0')) return name;
  } catch {
    // It is answered below.
  }
  throw new AppError('malformed', 'the name of the connection is not UTF-8 in percent-encoding');
}

function personOf(caller: PortalCaller, target: string, reason: string | null): SshPerson {
  const identityOf = (principal: Principal): Identity => ({
    principal,
    credential: null,
    reason,
    until: null,
  });
  return {
    ...identityOf(caller.principal),
    target,
    address: caller.address,
    software: SOFTWARE,
    identifyAgain: async () => identityOf(await caller.identifyAgain(true)),
  };
}
