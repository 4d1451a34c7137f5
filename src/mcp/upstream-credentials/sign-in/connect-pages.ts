import type { Response } from 'express';
import { attribute, answerPage, shownText } from '../../../platform/http/pages/page';
import type { ConnectPage } from './sign-ins.service';

/**
 * `form-action` sources of the page. All web origins are allowed, because browsers check each redirect after
 * the form is sent, and the gateway cannot know where the authorization server redirects.
 */
const FORM_TARGETS = "'self' http: https:";

/** Sends the page that asks whether to connect an account. */
export function sendConnect(response: Response, page: ConnectPage): void {
  const { connection, serverHost, authorizationHost, issuerHost, subject, scope, person } = page;
  const isShared = subject === 'shared';
  const who =
    person.email === ''
      ? shownText(person.name)
      : `${shownText(person.name)} <span>(${shownText(person.email)})</span>`;
  answerPage(response, {
    status: 200,
    title: `Connect ${isShared ? 'an account for all' : 'your account'} to ${connection}?`,
    formTargets: FORM_TARGETS,
    body: `<p>${isShared ? 'Everybody who may open this connection will act at the MCP server with the account that you sign in with next.' : 'The gateway will act at the MCP server in your name, with the account that you sign in with next, and for you alone.'}</p>
<dl>
<div><dt>Connection</dt><dd>${shownText(connection)}</dd></div>
<div><dt>MCP server</dt><dd>${shownText(serverHost)}</dd></div>
<div><dt>You sign in at</dt><dd>${shownText(authorizationHost)}</dd></div>
${issuerHost === authorizationHost ? '' : `<div><dt>The sign-in is for</dt><dd>${shownText(issuerHost)}</dd></div>`}
<div><dt>What is asked for</dt><dd>${scope === undefined ? '<span>what the server gives by itself</span>' : shownText(scope)}</dd></div>
<div><dt>You are signed in to the gateway as</dt><dd>${who}</dd></div>
</dl>
${issuerHost === authorizationHost ? '' : `<p class="note">You sign in at one address, and another one receives the result of the sign-in. Connect only if you know that the two belong together.</p>`}
<form method="post">
<input type="hidden" name="visit" value="${attribute(page.visit)}">
<input type="hidden" name="proof" value="${attribute(page.proof)}">
<button class="allow" name="decision" value="connect">Connect</button>
<button name="decision" value="cancel">Cancel</button>
</form>
<p class="note">If you did not expect to be asked, cancel. What you connect can be disconnected at any time.</p>`,
  });
}
