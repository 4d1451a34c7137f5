import type { Response } from 'express';
import { attribute, answerPage, shownText } from '../../../platform/http/pages/page';
import type { Consent } from './consent.service';

/**
 * `form-action` sources of the consent page. All web origins are allowed, because Chromium checks each
 * redirect after the form is sent, and the client may redirect to origins that the gateway cannot know. The
 * private-use scheme of a client is allowed only on the page for its own request.
 */
const FORM_TARGETS = "'self' http: https:";

const CONNECTION_ASKED =
  'An application asks to use this MCP connection in your name. It can do there what you may do.';
const API_ASKED =
  'The command line asks to use this gateway in your name. It can do all that you may do here, and as an administrator all that administrators may do.';

/** Sends the page that asks for consent. */
export function sendConsent(response: Response, consent: Consent): void {
  const { clientName, redirectHost, connection, person, scheme } = consent;
  const who =
    person.email === ''
      ? shownText(person.name)
      : `${shownText(person.name)} <span>(${shownText(person.email)})</span>`;
  answerPage(response, {
    status: 200,
    title:
      connection === null
        ? `Allow ${clientName} to act in your name?`
        : `Allow ${clientName} to use ${connection}?`,
    formTargets: scheme === undefined ? FORM_TARGETS : `${FORM_TARGETS} ${scheme}:`,
    body: `<p>${connection === null ? API_ASKED : CONNECTION_ASKED} What it does is recorded as yours.</p>
<dl>
<div><dt>Application, as it calls itself</dt><dd>${shownText(clientName)}</dd></div>
<div><dt>Described at</dt><dd>${describedAt(consent)}</dd></div>
<div><dt>You return to</dt><dd>${shownText(redirectHost)}</dd></div>
<div><dt>${connection === null ? 'It may use' : 'Connection'}</dt><dd>${connection === null ? 'all of this gateway, as you may' : shownText(connection)}</dd></div>
<div><dt>You are signed in as</dt><dd>${who}</dd></div>
</dl>
${warnings(consent)
  .map((text) => `<p class="warning" role="note"><strong>Take care.</strong> ${shownText(text)}</p>`)
  .join('\n')}
<form method="post" action="consent">
<input type="hidden" name="request" value="${attribute(consent.request)}">
<input type="hidden" name="proof" value="${attribute(consent.proof)}">
<button class="allow" name="decision" value="allow">Allow</button>
<button name="decision" value="refuse">Refuse</button>
</form>
<p class="note">If you did not just ask an application to ${connection === null ? 'sign you in' : 'connect'}, refuse. What you allow ends after 30 days.</p>`,
  });
}

function describedAt({ clientHost, connection }: Consent): string {
  if (clientHost !== undefined) return shownText(clientHost);
  return connection === null
    ? '<span>a part of this gateway</span>'
    : '<span>nowhere: it registered itself</span>';
}

function warnings({ clientHost, redirectHost, isLocal }: Consent): string[] {
  if (isLocal)
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
