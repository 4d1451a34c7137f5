import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../kernel/principal';

/** Parts of a request by which its caller is identified. */
export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** Network address of the caller. */
  readonly ip?: string | undefined;
}

/** A person at a page of the portal. */
export interface PortalCaller {
  readonly principal: Principal;
  /** Network address of the person's browser. */
  readonly address: string;
  /**
   * Identifies the person again, by the sign-in with which the page was opened.
   * @param isUse whether the person has done something since the last call, which keeps the sign-in
   * @throws AppError `unauthenticated` when the sign-in has ended, or the person is inactive; `unavailable`
   * when this is not known now
   */
  identifyAgain(isUse: boolean): Promise<Principal>;
}

/** Port: identifies people at pages of the portal, for connections that are no HTTP requests. */
export abstract class PortalCallers {
  /**
   * Identifies the person whose page opens a WebSocket. Browsers let pages of every origin open one, with the
   * cookies of the address, and send the origin (RFC 6455, section 10.2).
   * @throws AppError `unauthenticated` without a sign-in at the portal, and for pages of another origin
   */
  abstract identify(request: PageRequest): Promise<PortalCaller>;
}
