import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { nameOf, shownPieces, withNames } from '../../../kernel/text/hidden-characters';

const STYLE = `
:root { color-scheme: light dark; --text: #17202b; --soft: #55606f; --line: #d5dce5; --card: #fff; --back: #f2f4f7; --accent: #1f52cc; --on-accent: #fff; --warn: #fdf3d8; --warn-line: #d9a514; }
@media (prefers-color-scheme: dark) { :root { --text: #e8ecf1; --soft: #a3aebc; --line: #36404d; --card: #1a2028; --back: #11151a; --accent: #8db0ff; --on-accent: #0d1420; --warn: #332a10; --warn-line: #c9991a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 560px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; unicode-bidi: isolate; }
p { margin: 0 0 16px; }
dl { margin: 0 0 20px; border: 1px solid var(--line); border-radius: 12px; }
main > :last-child { margin-bottom: 0; }
dl div { padding: 10px 16px; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); font-size: 14px; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; unicode-bidi: isolate; }
dd span { color: var(--soft); font-weight: 400; }
.warning { padding: 12px 16px; background: var(--warn); border-left: 4px solid var(--warn-line); border-radius: 4px; }
form { display: flex; flex-wrap: wrap; gap: 12px; }
button { flex: 1 1 140px; padding: 12px 16px; font: inherit; font-weight: 600; color: var(--text); background: none; border: 1px solid var(--soft); border-radius: 12px; cursor: pointer; }
button.allow { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { margin: 4px 0 0; padding: 12px; font: 14px/1.5 ui-monospace, monospace; font-weight: 400; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--back); border-radius: 8px; }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.odd { padding: 0 3px; color: var(--text); background: var(--warn); border: 1px solid var(--warn-line); border-radius: 4px; font: 12px/1.4 ui-monospace, monospace; }
label { flex: 1 1 100%; }
input:not([type=hidden]) { display: block; width: 100%; margin-top: 4px; padding: 10px 12px; font: 22px/1.4 ui-monospace, monospace; letter-spacing: 2px; text-transform: uppercase; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 12px; }
textarea { display: block; width: 100%; min-height: 72px; margin-top: 4px; padding: 10px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 12px; resize: vertical; }
input:focus-visible, textarea:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.note { margin: 20px 0 0; color: var(--soft); font-size: 14px; }
`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page for a person in the browser. */
export interface Page {
  readonly status: number;
  /** Plain text. */
  readonly title: string;
  /** HTML; text from outside the program must have gone through `shownText` or `attribute`. */
  readonly body: string;
  /** CSP sources to which the page's forms and their redirects may lead. Default: only the gateway. */
  readonly formTargets?: string;
}

/** Sends a page without scripts or external resources, with one style sheet, not framed and not cached. */
export function answerPage(response: Response, { status, title, body, formTargets = "'self'" }: Page): void {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${HASH}'`,
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
  response.status(status).set(headers).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(withNames(title))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${shownText(title)}</h1>
${body}
</main>
</body>
</html>
`);
}

/** Sends a page that explains in plain sentences why the request cannot continue. */
export function sendMessage(response: Response, status: number, title: string, sentences: string): void {
  answerPage(response, { status, title, body: `<p>${shownText(sentences)}</p>` });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe for quoted attribute values, unchanged otherwise. */
export function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Text made safe for element content. Characters that could deceive the reader are shown by their names. */
export function shownText(text: string): string {
  return shownPieces(text)
    .map((piece) =>
      piece.isHidden ? `<span class="odd">${nameOf(piece.text)}</span>` : attribute(piece.text),
    )
    .join('');
}
