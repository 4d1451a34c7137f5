import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from 'express';
import type { HttpSettings } from '../../platform/config/groups';

/**
 * Policy of the page: it may load its own files, call this gateway, and nothing else. Styles that the
 * components make carry the nonce. WebAssembly is the player's of terminal recordings.
 */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** Settings that the page gets. */
export type PageSettings = Pick<HttpSettings, 'apiUrl' | 'apiPrefix' | 'bodyLimitMb'>;

/** The one HTML page of the portal. */
export class PortalPage {
  /** Id of the portal's build: another one has files of other names, which the page names. */
  readonly build: string;
  private readonly before: string;
  private readonly after: string;

  /** @param folder with the built portal. @throws when it has no page */
  constructor(folder: string, { apiUrl, apiPrefix, bodyLimitMb }: PageSettings) {
    // The path is the one that the browser sees: `API_URL` may contain a path.
    const base = new URL(apiUrl).pathname.replace(/\/$/, '');
    const built = readFileSync(join(folder, 'index.html'), 'utf8');
    this.build = createHash('sha256').update(built).digest('base64url').slice(0, 16);
    const html = built
      .replaceAll('="./', `="${base}/`)
      .replace('name="api" content="/api"', `name="api" content="${base}${apiPrefix}"`)
      .replace('name="base" content=""', `name="base" content="${base}"`)
      .replace('name="body-limit-mb" content="1"', `name="body-limit-mb" content="${bodyLimitMb}"`)
      .replace('name="build" content=""', `name="build" content="${this.build}"`);
    const [before, after, ...others] = html.split('name="csp-nonce" content="');
    if (before === undefined || after === undefined || others.length > 0)
      throw new Error('the page of the portal has no place for a nonce');
    this.before = `${before}name="csp-nonce" content="`;
    this.after = after;
  }

  send(response: Response): void {
    const nonce = randomBytes(16).toString('base64');
    response
      .set('Content-Security-Policy', policy(nonce))
      .set('Cache-Control', 'no-store')
      .set('Vary', 'Accept')
      .type('html')
      .send(`${this.before}${nonce}${this.after}`);
  }
}
