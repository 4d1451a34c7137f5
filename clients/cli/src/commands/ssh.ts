import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { answered } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { keep, ownFolder } from '../kept/folder.js';
import { strictArgument } from '../text-file.js';
import { type AccessOptions, withAccess } from './access.js';
import { runClient } from './client-program.js';

/** Host names and IP addresses. None begins with `-`, so ssh never takes one for an option. */
const HOST = /^[\w:][\w.:%-]*$/;
const ASKPASS = 'ssh-askpass';
/**
 * Answers the gateway's question for the password alone, compared whole. A jump host (`ProxyJump` of the
 * person's own configuration) inherits the environment, and must not get the password: ssh puts another name
 * into its question, and before a question in the host's own words (keyboard-interactive).
 */
const ASKPASS_SCRIPT = `#!/bin/sh
case "$1" in
  "$GATEWAY_SSH_USER@$GATEWAY_SSH_HOST's password: ") printf '%s\\n' "$GATEWAY_SSH_PASSWORD" ;;
  *) exit 1 ;;
esac
`;

/**
 * `gateway ssh`: returns the exit code of ssh. The password is in no argument and no file: ssh asks a script
 * for it (`SSH_ASKPASS`, OpenSSH 8.5 and newer), which takes it from the environment.
 * @param args passed to ssh after the name of the host: a command, or options of ssh
 */
export async function ssh(
  context: Context,
  connection: string,
  args: readonly string[],
  options: AccessOptions,
): Promise<number> {
  if (process.platform === 'win32')
    throw new CommandFault(
      'gateway ssh does not run on Windows; use gateway credentials, and ssh with that password',
      EXIT.usage,
    );
  const checked = args.map(strictArgument);
  const hostKeys = await trustedHostKeys(context);
  return withAccess(context, connection, 'ssh', options, ({ hostname, port, username, password }) => {
    if (!HOST.test(hostname))
      throw new CommandFault('the gateway has no valid host name for SSH', EXIT.unavailable);
    keep(ASKPASS, ASKPASS_SCRIPT, 0o700);
    const fixed = [...hostKeys.options, ...SIGN_IN].flatMap((option) => ['-o', option]);
    return runClient('ssh', [...fixed, '-l', username, '-p', String(port), hostname, ...checked], {
      SSH_ASKPASS: join(ownFolder(), ASKPASS),
      SSH_ASKPASS_REQUIRE: 'force',
      GATEWAY_SSH_USER: username,
      GATEWAY_SSH_HOST: hostKeys.alias,
      GATEWAY_SSH_PASSWORD: password,
    });
  });
}

/** Sign-in by the issued password alone, and by no key of the person, in a connection for this command. */
const SIGN_IN = [
  'PreferredAuthentications=password',
  'PasswordAuthentication=yes',
  'PubkeyAuthentication=no',
  'NumberOfPasswordPrompts=1',
  'BatchMode=no',
  'ControlPath=none',
];

/**
 * Writes the host keys of the gateway, which come over its REST API, to a file of known hosts. No other key
 * is trusted. An alias stands for the gateway, because the person's configuration may give it another name.
 */
async function trustedHostKeys({
  gateway,
  api,
  signal,
}: Context): Promise<{ readonly alias: string; readonly options: readonly string[] }> {
  const { keys } = await answered(gateway.api.GET('/ssh-host-keys', { signal }));
  if (keys.length === 0) throw new CommandFault('this gateway does not accept SSH clients', EXIT.unavailable);
  const alias = `access-gateway-${createHash('sha256').update(api).digest('hex').slice(0, 16)}`;
  const name = `known-hosts-${alias}`;
  const lines = keys.map(({ known_hosts: line }) => [alias, ...line.split(' ').slice(1)].join(' '));
  keep(name, `${lines.join('\n')}\n`);
  return {
    alias,
    options: [
      `HostKeyAlias=${alias}`,
      `UserKnownHostsFile=${quoted(join(ownFolder(), name))}`,
      'GlobalKnownHostsFile=none',
      'KnownHostsCommand=none',
      'StrictHostKeyChecking=yes',
      'VerifyHostKeyDNS=no',
    ],
  };
}

/** Quotes a path for an option of ssh, in which `%` begins a token. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
