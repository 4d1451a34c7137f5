import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Consent } from './consent.service';

const STYLE = `
:root { color-scheme: light dark; --text: #17202b; --soft: #55606f; --line: #d5dce5; --card: #fff; --back: #f2f4f7; --accent: #1f52cc; --on-accent: #fff; --warn: #fdf3d8; --warn-line: #d9a514; }
@media (prefers-color-scheme: dark) { :root { --text: #e8ecf1; --soft: #a3aebc; --line: #36404d; --card: #1a2028; --back: #11151a; --accent: #8db0ff; --on-accent: #0d1420; --warn: #332a10; --warn-line: #c9991a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 480px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 16px; }
dl { margin: 0 0 20px; border: 1px solid var(--line); border-radius: 12px; }
dl div { padding: 10px 16px; }
dl div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); font-size: 14px; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
dd span { color: var(--soft); font-weight: 400; }
.warning { padding: 12px 16px; background: var(--warn); border-left: 4px solid var(--warn-line); border-radius: 4px; }
form { display: flex; flex-wrap: wrap; gap: 12px; }
button { flex: 1 1 140px; padding: 12px 16px; font: inherit; font-weight: 600; color: var(--text); background: none; border: 1px solid var(--soft); border-radius: 12px; cursor: pointer; }
button.allow { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.note { margin: 20px 0 0; color: var(--soft); font-size: 14px; }
`;

/**
 * No script, no resource from elsewhere, one known style sheet, in no frame. `form-action` names no origin: Chromium holds every
 * redirect that follows a form's submission against it, also those of the client's own page, which the gateway cannot know.
 */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self' http: https:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe for element content and for quoted attribute values. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Sends the page that asks for consent. */
export function sendConsent(response: Response, consent: Consent): void {
  const { clientName, clientHost, redirectHost, connection, person } = consent;
  const who =
    person.email === ''
      ? escaped(person.name)
      : `${escaped(person.name)} <span>(${escaped(person.email)})</span>`;
  send(
    response,
    200,
    `Allow ${clientName} to use ${connection}?`,
    `<p>An application asks to use this MCP connection in your name. It can do there what you may do. What it does is recorded as yours.</p>
<dl>
<div><dt>Application, as it calls itself</dt><dd>${escaped(clientName)}</dd></div>
<div><dt>Described at</dt><dd>${clientHost === undefined ? '<span>nowhere: it registered itself</span>' : escaped(clientHost)}</dd></div>
<div><dt>You return to</dt><dd>${escaped(redirectHost)}</dd></div>
<div><dt>Connection</dt><dd>${escaped(connection)}</dd></div>
<div><dt>You are signed in as</dt><dd>${who}</dd></div>
</dl>
${warnings(consent)
  .map((text) => `<p class="warning" role="note"><strong>Take care.</strong> ${escaped(text)}</p>`)
  .join('\n')}
<form method="post" action="consent">
<input type="hidden" name="request" value="${escaped(consent.request)}">
<input type="hidden" name="proof" value="${escaped(consent.proof)}">
<button class="allow" name="decision" value="allow">Allow</button>
<button name="decision" value="refuse">Refuse</button>
</form>
<p class="note">If you did not just ask an application to connect, refuse. What you allow ends after 30 days.</p>`,
  );
}

function warnings({ clientHost, redirectHost, isLoopback }: Consent): string[] {
  if (isLoopback)
    return [
      `You return to this computer (${redirectHost}). Any program on it can say that it is this application. Allow it only if you started the sign-in in that program yourself.`,
    ];
  if (clientHost === undefined)
    return [
      'The application registered itself, and its name is not checked. Allow it only if you know the address to which you return.',
    ];
  if (clientHost !== redirectHost)
    return [
      `The application is described at ${clientHost}, and you return to another address, ${redirectHost}.`,
    ];
  return [];
}

/** Sends a page that says why the sign-in stopped. */
export function sendMessage(response: Response, status: number, title: string, sentences: string): void {
  send(response, status, title, `<p>${escaped(sentences)}</p>`);
}

/** `body` is HTML. */
function send(response: Response, status: number, title: string, body: string): void {
  response.status(status).set(HEADERS).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`);
}
