import { answered } from '@access-gateway/client';
import { findApi } from '../api-address.js';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { keepConfiguration } from '../kept/configuration.js';
import { ownFolder } from '../kept/folder.js';
import { openBrowser, signInByBrowser } from '../sign-in/by-browser.js';
import { signInByDevice } from '../sign-in/by-device.js';
import { endSignIn, keepSignIn } from '../sign-in/kept-sign-in.js';

export interface LoginOptions {
  readonly device?: boolean;
  /** False with `--no-browser`. */
  readonly browser: boolean;
}

/** `gateway login` */
export async function login(context: Context, { device = false, browser }: LoginOptions): Promise<void> {
  const { url, api, output, signal } = context;
  ownFolder();
  const { calledItself } = await findApi(url);
  // Refuse if the gateway reports another URL: another gateway there could receive the authorization code.
  if (new URL(calledItself).href !== new URL(api).href)
    throw new CommandFault(`this gateway calls itself ${calledItself}; use that as --url`, EXIT.usage);
  const signIn = device
    ? await signInByDevice(
        api,
        (address, code) =>
          output.say(`Open ${address} in a browser, at any computer, and type the code:\n\n    ${code}\n`),
        signal,
      )
    : await signInByBrowser(
        api,
        (address) => {
          output.say(`Sign in with your browser. If it does not open, go to:\n\n${address}\n`);
          if (browser) openBrowser(address);
        },
        signal,
      );
  const place = keepSignIn(api, signIn);
  keepConfiguration({ url, api });
  const { email, name, role } = await answered(context.gatewayWith(signIn.access).api.GET('/userinfo'));
  output.say(`Signed in as ${email || name} (${role}). The sign-in is kept in ${place}.`);
}

/** `gateway logout` */
export async function logout({ api, output }: Context): Promise<void> {
  output.say((await endSignIn(api)) ? 'Signed out.' : 'You were not signed in.');
}

/** `gateway whoami` */
export async function whoami(context: Context): Promise<void> {
  const person = await answered(context.gateway.api.GET('/userinfo'));
  const { id, email, name, role, groups } = person;
  context.output.fields(person, { gateway: context.url, id, email, name, role, groups });
}

/** `gateway version` */
export async function version(context: Context): Promise<void> {
  const info = await answered(context.gateway.api.GET('/serverinfo'));
  context.output.fields(info, {
    gateway: context.url,
    program: info.program_version,
    API: info.version,
    schema: info.schema_version,
    'schema of its database': info.database_schema_version,
  });
}
