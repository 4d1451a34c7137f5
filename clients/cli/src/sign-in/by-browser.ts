import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFault, EXIT } from '../exit-codes.js';
import { CLIENT, type SignIn, post, signInOf } from './oauth.js';

interface Answer {
  readonly redirectUri: string;
  readonly parameters: URLSearchParams;
}

/**
 * Signs in with the browser of this computer (RFC 8252). The browser returns to a port of the loopback
 * address, which is open for this sign-in only.
 * @param api URL of the API; also the resource for which the tokens are issued
 */
export async function signInByBrowser(
  api: string,
  show: (address: string) => void,
  signal: AbortSignal,
): Promise<SignIn> {
  const [state, verifier] = [secret(), secret()];
  const { redirectUri, parameters } = await returning(
    state,
    (redirectUri) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: CLIENT,
        redirect_uri: redirectUri,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource: api,
      });
      show(`${api}/oauth/authorize?${query.toString()}`);
    },
    signal,
  );
  const error = parameters.get('error');
  if (error !== null)
    throw new CommandFault(
      `you were not signed in: ${parameters.get('error_description') ?? error}`,
      EXIT.notAllowed,
    );
  // RFC 9207: without this check, an authorization code of another server would be sent to this server.
  if (!api.startsWith(`${parameters.get('iss') ?? 'nobody'}/`))
    throw new CommandFault('the answer came from another gateway', EXIT.notAllowed);
  return signInOf(
    await post(api, '/token', {
      grant_type: 'authorization_code',
      code: parameters.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource: api,
    }),
  );
}

/**
 * Waits until the browser returns with this OAuth `state`. Refuses a request with another state and keeps
 * waiting.
 */
function returning(
  state: string,
  begin: (redirectUri: string) => void,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      // Any page in the browser can send requests to this port, so a wrong request must not end the sign-in.
      const [path, query] = (request.url ?? '').split('?', 2);
      const parameters = new URLSearchParams(query);
      const isOurs = request.method === 'GET' && path === '/callback' && parameters.get('state') === state;
      response.writeHead(isOurs ? 200 : 400, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        Connection: 'close',
      });
      const text = isOurs ? 'You can close this page, and go back to your terminal.\n' : 'Not expected.\n';
      response.end(text, () => {
        if (!isOurs) return;
        close();
        resolve({ redirectUri: uri, parameters });
      });
    });
    let uri = '';
    const stop = (): void => {
      close();
      reject(new CommandFault('interrupted', EXIT.interrupted));
    };
    const close = (): void => {
      signal.removeEventListener('abort', stop);
      server.close();
      // Close the connections that browsers open in advance, otherwise the program would not exit.
      server.closeAllConnections();
    };
    signal.addEventListener('abort', stop, { once: true });
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
      begin(uri);
    });
  });
}

/** Opens the browser. Ignores a failure, because the address was also printed. */
export function openBrowser(address: string): void {
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [address]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', address]]
        : ['xdg-open', [address]];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .once('error', () => undefined)
    .unref();
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
