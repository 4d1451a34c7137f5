import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../kernel/app-error';
import { toDirectory, type DevelopmentUsers } from './development-user';
import { messagePage, sendPage } from './html';
import { DevelopmentKeys } from './keys';
import { MemoryStore } from './memory-store';
import { loadOidcLibrary, type OidcLibrary } from './oidc-library';
import type { DevelopmentIdentityProviderOptions } from './options';
import { registerPasswordGrant } from './password-grant';
import {
  gatewayResource,
  issuesJwt,
  providerConfiguration,
  type ProviderState,
} from './provider-configuration';
import { handleSignIn, SIGN_IN_PATH } from './sign-in';
import { answerUserinfoForJwt } from './userinfo';

export type { DevelopmentUser, DevelopmentUserEntry } from './development-user';
export type { DevelopmentIdentityProviderOptions } from './options';
export { COMMAND_LINE_CLIENT_ID } from './provider-configuration';

/** Anyone who can reach this server can sign in as any user, so it listens on loopback only. */
const LOOPBACK = '127.0.0.1';

export interface DevelopmentIdentityProvider {
  /** For example `http://127.0.0.1:8010`. */
  issuer: string;
  /** The live users by username: a change is effective in the next token, and at /userinfo at once. */
  users: DevelopmentUsers;
  /** Signs with a new key from now on. The two previous keys stay published, so issued tokens stay valid. */
  rotateKeys(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real OpenID Connect provider for development and tests, in this process, on 127.0.0.1. */
export async function startDevelopmentIdentityProvider(
  options: DevelopmentIdentityProviderOptions,
): Promise<DevelopmentIdentityProvider> {
  const library = loadOidcLibrary();
  const state: ProviderState = {
    keys: await DevelopmentKeys.open(options.keysFile),
    store: new MemoryStore(),
    users: toDirectory(options.users),
  };
  const server = await listen(options.port);
  const issuer = `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  let answer = requestListener(library, issuer, options, state);
  server.on('request', (request, response) => answer(request, response));
  return {
    issuer,
    users: state.users,
    rotateKeys: async () => {
      await state.keys.rotate();
      // The library reads its keys once, so a new instance replaces the old one. Codes and grants are in the
      // store, so they are kept.
      answer = requestListener(library, issuer, options, state);
    },
    close: () => close(server),
  };
}

function requestListener(
  { default: Provider, errors }: OidcLibrary,
  issuer: string,
  options: DevelopmentIdentityProviderOptions,
  state: ProviderState,
): RequestListener {
  const provider = new Provider(issuer, providerConfiguration(options, state));
  const resource = issuesJwt(options) ? gatewayResource(options) : undefined;
  registerPasswordGrant(provider, errors, state.users, resource);
  answerUserinfoForJwt(provider, options.audience, state.keys, state.users);
  const callback = provider.callback();
  const { host } = new URL(issuer);

  return (request, response) => {
    // Refuse other host names. Otherwise a page of another site could make its own name resolve to 127.0.0.1
    // (DNS rebinding) and read the answers.
    if (request.headers.host !== host) {
      sendPage(response, 421, messagePage('Another address', `This server answers at ${issuer} only.`));
    } else if (request.url?.startsWith(SIGN_IN_PATH)) {
      handleSignIn(provider, state.users, request, response).catch((error: unknown) =>
        sendPage(response, 500, messagePage('This sign-in failed', messageOf(error))),
      );
    } else {
      void callback(request, response);
    }
  };
}

function listen(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'something else listens there already. Stop it, or set DEV_IDP_PORT to a free port'
          : cause.message;
      const sentence = `The development identity provider cannot listen on ${LOOPBACK}:${port}: ${why}.`;
      reject(new Error(sentence, { cause }));
    });
    server.listen(port, LOOPBACK, () => resolve(server));
  });
}

/** Closes client connections too, because idle keep-alive connections keep the server open. Idempotent. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
