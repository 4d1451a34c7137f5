import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { DevelopmentUsers } from './development-user';
import { messagePage, sendPage } from './html';
import { signInPage } from './sign-in-page';

export const SIGN_IN_PATH = '/sign-in/';

const MAX_FORM_BYTES = 4096;

/**
 * The sign-in step of the authorization code flow: GET shows the users, POST signs one of them in and
 * consents for them. Another site cannot post here: the library finds the unfinished sign-in by a cookie
 * bound to this path, and browsers do not send a SameSite=Lax cookie with a cross-site POST.
 */
export async function handleSignIn(
  provider: Provider,
  users: DevelopmentUsers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const underWay = await provider.interactionDetails(request, response).catch(() => undefined);
  if (underWay === undefined) {
    sendPage(response, 400, messagePage('This sign-in is over', 'Start again from where you came from.'));
  } else if (request.method === 'POST') {
    await decide(provider, users, request, response);
  } else {
    const application = String(underWay.params['client_id']);
    sendPage(response, 200, signInPage(SIGN_IN_PATH + underWay.uid, application, users.values()));
  }
}

async function decide(
  provider: Provider,
  users: DevelopmentUsers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result = outcome(await readForm(request), users);
  if (result === undefined) {
    sendPage(response, 400, messagePage('No such user', 'Go back and choose one of the users listed.'));
  } else {
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

function outcome(form: URLSearchParams, users: DevelopmentUsers): InteractionResults | undefined {
  if (form.has('cancel')) return { error: 'access_denied', error_description: 'The sign-in was cancelled' };
  const user = users.get(form.get('username') ?? '');
  // Contains `consent` too, so that the same click also answers a client's prompt=consent.
  return user && { login: { accountId: user.sub, remember: false }, consent: {} };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > MAX_FORM_BYTES) return new URLSearchParams();
  }
  return new URLSearchParams(body);
}
