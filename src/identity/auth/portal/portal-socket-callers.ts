import { Injectable } from '@nestjs/common';
import { type PageRequest, type PortalCaller, PortalCallers } from '../../../gate/ports/portal-callers';
import { HttpSettings, PortalSettings } from '../../../platform/config/groups';
import { noCredential, portalCookieOf, requireOwnOrigin } from './portal-cookie';
import { PortalSessions } from './portal-sessions';

/** Identifies people by the cookie of the portal, at WebSockets that their pages open. */
@Injectable()
export class PortalSocketCallers extends PortalCallers {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly settings: HttpSettings,
    private readonly portalSettings: PortalSettings,
  ) {
    super();
  }

  async identify(request: PageRequest): Promise<PortalCaller> {
    const cookie = this.portalSettings.isOn ? portalCookieOf(request, this.settings) : undefined;
    if (cookie === undefined) throw noCredential(request, this.settings);
    requireOwnOrigin(request, this.settings);
    const address = request.ip ?? '';
    return {
      // A person opened it: a page does not do so by itself.
      principal: await this.sessions.identify(cookie, address, true),
      address,
      identifyAgain: (isUse) => this.sessions.identify(cookie, address, isUse),
    };
  }
}
