import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const STYLE = `
:root { color-scheme: light dark; --line: #d8dee6; --soft: #5b6675; --card: #fff; --back: #f3f5f8; --accent: #2457d6; --pill: #e8eefb; }
@media (prefers-color-scheme: dark) { :root { --line: #333c48; --soft: #9aa6b5; --card: #1b2129; --back: #12161b; --accent: #8fb0ff; --pill: #26324a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 440px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.3; }
p { margin: 0 0 20px; color: var(--soft); }
form { display: grid; gap: 10px; }
button { font: inherit; color: inherit; cursor: pointer; border-radius: 12px; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.user { display: grid; gap: 2px; width: 100%; padding: 14px 16px; text-align: left; background: none; border: 1px solid var(--line); }
.user:hover { border-color: var(--accent); }
.user b { font-weight: 600; }
.user span { color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
.user .groups { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 6px; }
.user .groups i { padding: 1px 9px; font-size: 13px; font-style: normal; background: var(--pill); color: var(--accent); border-radius: 999px; }
.cancel { justify-self: center; margin-top: 8px; padding: 6px 12px; background: none; border: 0; color: var(--soft); }
footer { margin-top: 20px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
`;

/**
 * Allows no script, no external resource, and only the known style sheet. `form-action` allows every host,
 * because Chromium applies it to each redirect after the form's submission, and this server cannot know the
 * last redirects (from the gateway's callback to the caller's own page).
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self' http: https:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Headers of every page of this server. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for element content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A whole page; `title` is text, `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
<footer>Development identity provider: for this computer only, no real passwords.</footer>
</main>
</body>
</html>
`;
}

/** An error page with one sentence. */
export function messagePage(title: string, sentence: string): string {
  return page(title, `<p>${escapeHtml(sentence)}</p>`);
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, PAGE_HEADERS).end(html);
}
