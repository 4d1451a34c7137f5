import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import sirv from 'sirv';
import { type PageSettings, PortalPage } from './portal-page';

/**
 * Header of the requests of a page of the portal. The answers to them name the build of this gateway's pages.
 */
const PAGE_HEADER = 'x-gateway-portal';
const BUILD_HEADER = 'X-Gateway-Portal-Build';
const YEAR_SECONDS = 31_536_000;
/**
 * Places in which the build is: beside the bundle, and beside the compiled sources, whether they run or those
 * they were made of.
 */
const FOLDERS = ['.', '../../dist/portal', '../../../portal', '../../../dist/portal'].map((folder) =>
  join(__dirname, folder),
);

/**
 * Serves the portal at the root of the gateway: its files, and its page for every other address that a
 * browser opens. Nothing below the prefix of the API, nor below `/.well-known` (RFC 8615). A page that stays
 * open while the gateway is upgraded learns of it. Must run after the security headers are set.
 */
export function servePortal(http: PageSettings): RequestHandler {
  const folder = FOLDERS.find((each) => existsSync(join(each, 'assets')));
  if (folder === undefined) throw new Error('the portal was not built: npm run build, or PORTAL=false');
  const page = new PortalPage(folder, http);
  const files = serveFiles(folder);
  // Paths below these are for programs: a page in its place would be read as an answer.
  const others = [http.apiPrefix.toLowerCase(), '/.well-known'];
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.headers[PAGE_HEADER] !== undefined) response.setHeader(BUILD_HEADER, page.build);
    const path = request.path.toLowerCase();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || others.some((other) => path === other || path.startsWith(`${other}/`))) return next();
    if (path.startsWith('/assets/') || path === '/favicon.svg') return void files(request, response, next);
    if (asksForHtml(request)) page.send(response);
    else next();
  };
}

/**
 * Serves files of a folder, as they were when it was called. They have a hash of their content in their
 * names, and were compressed when they were built.
 */
export function serveFiles(folder: string): RequestHandler {
  const files = sirv(folder, { brotli: true, gzip: true, immutable: true, maxAge: YEAR_SECONDS });
  return (request, response, next) => {
    // Ignored, as a server may (RFC 9110, section 14.2): sirv answers some ranges with other bytes than were
    // asked for, and breaks off at others.
    delete request.headers.range;
    // sirv does not listen for it: a file that is gone, because another version was installed over this one,
    // would end the process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()));
    files(request, response, next);
  };
}

/** A program that accepts anything has not asked for a page. */
function asksForHtml({ headers }: Request): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}
