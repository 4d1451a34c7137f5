// The routes to the server that are compared: direct, through a pump, through the gateway without rules and
// with rules.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPart } from '../kit/processes.mjs';
import { makeKey } from './server.mjs';

export const COLUMNS = ['direct', 'pump', 'unguarded', 'guarded'];
/** Columns that need a gateway. */
export const GATEWAY_COLUMNS = ['unguarded', 'guarded'];

/** Rules as a team has them: programs and words in what comes in, words and a detector in what goes out. */
const RULES = {
  input: {
    rules: [
      { type: 'shell_command', programs: ['mkfs', 'shutdown'], hidden_commands: 'allow' },
      { type: 'deny_words_list', words: ['/etc/shadow'] },
    ],
  },
  output: {
    rules: [
      { type: 'deny_words_list', words: ['a word that is nowhere'], action: 'mask' },
      { type: 'detector', detectors: ['aws_key'], action: 'mask' },
    ],
  },
};

/**
 * @returns by name: port, user, password or file with a key, file with known hosts, and the process on the
 * way
 */
export async function openColumns(wanted, { server, gateway, folder }) {
  const open = {
    direct: () => ({ ...server, knownHosts: knownHosts(folder, 'direct', server.port, server.hostKey) }),
    pump: () => pump(server, folder),
    unguarded: () => throughGateway('unguarded', server, gateway, folder),
    guarded: () => throughGateway('guarded', server, gateway, folder),
  };
  const columns = {};
  for (const name of wanted) columns[name] = { ...(await open[name]()), remote: server };
  return columns;
}

async function pump({ port, user, keyFile }, folder) {
  const hostKeyFile = makeKey(folder, 'pump-key');
  const child = startPart('ssh/pump.mjs', [hostKeyFile, String(port), user, keyFile]);
  const [listening] = await once(child, 'message');
  const hostKey = readFileSync(`${hostKeyFile}.pub`, 'utf8');
  return {
    port: listening,
    user: 'anyone',
    password: 'any',
    pid: child.pid,
    knownHosts: knownHosts(folder, 'pump', listening, hostKey),
  };
}

async function throughGateway(name, { port, user, keyFile, hostKey }, gateway, folder) {
  const connection = {
    name,
    type: 'application',
    subtype: 'ssh',
    secret: {
      HOST: '127.0.0.1',
      PORT: String(port),
      USER: user,
      PRIVATE_KEY: readFileSync(keyFile, 'utf8'),
      HOST_KEY: hostKey,
    },
  };
  const { id } = JSON.parse(await gateway.call('POST', '/connections', connection));
  if (name === 'guarded')
    await gateway.call('POST', '/guardrails', { name: 'rules', connection_ids: [id], ...RULES });
  const issued = JSON.parse(await gateway.call('POST', `/connections/${name}/credentials`, {}));
  const { username, password, port: listening } = issued.connection_credentials;
  const { keys } = JSON.parse(await gateway.call('GET', '/ssh-host-keys'));
  return {
    port: listening,
    user: username,
    password,
    pid: gateway.pid,
    knownHosts: knownHosts(folder, name, listening, keys[0].known_hosts.split(' ').slice(1).join(' ')),
  };
}

function knownHosts(folder, name, port, hostKey) {
  const file = join(folder, `known-hosts-${name}`);
  writeFileSync(file, `[127.0.0.1]:${port} ${hostKey.trim()}\n`);
  return file;
}
