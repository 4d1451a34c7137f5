import type { Request } from 'express';
import { PageFault } from './page-fault';

/** Checks by the headers of browsers that a form comes from this site. @throws PageFault if it does not */
export function requireOwnForm({ headers }: Pick<Request, 'headers'>, apiUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin') ||
    // With the policy `no-referrer`, browsers send `Origin: null` for the page's own forms.
    (origin !== undefined && origin !== 'null' && origin !== new URL(apiUrl).origin);
  if (isForeign) throw new PageFault('Please start again', 'The form was sent by another site.', 403);
}
