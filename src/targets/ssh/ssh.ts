import { shell } from '../../languages/shell';
import type { Secret, TargetKind } from '../contract/kind';
import { portNumber } from '../contract/secret-schema';
import { sshClients } from './client-endpoint';
import { sshClientFields } from './client-policy';
import { hostKeyFault } from './host-keys';
import { openSsh } from './open-ssh';
import { SshScripts } from './run-script';
import { signInKey } from './sign-in-key';
import { serverFault } from './ssh-faults';
import { withCertificate } from './user-certificate';

const NO_CERTIFICATE = { field: 'AUTH', values: [''] };

/** SSH servers. */
export const ssh: TargetKind = {
  type: 'application',
  subtype: 'ssh',
  title: 'SSH server',
  secret: {
    fields: {
      HOST: { label: 'Host name or IP address', required: true, placeholder: 'web1.internal' },
      PORT: { label: 'Port', description: 'Not set: 22.', placeholder: '22', check: portNumber },
      USER: { label: 'User on the server', required: true, check: userName },
      AUTH: {
        label: 'How the gateway signs in',
        description:
          'Not set: with the password or the private key below. certificate: without either, by certificates of a few minutes that the gateway signs; TrustedUserCAKeys of the server must have what GET /ssh/user-ca.pub answers.',
        choices: ['certificate'],
      },
      PASS: {
        label: 'Password of the user',
        description: 'Either a password or a private key is required.',
        isConfidential: true,
        onlyWith: NO_CERTIFICATE,
      },
      PRIVATE_KEY: {
        label: 'Private key of the user',
        description: 'An OpenSSH or PEM key: Ed25519, ECDSA, or RSA of at least 2048 bits.',
        isConfidential: true,
        isMultiline: true,
        placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
        onlyWith: NO_CERTIFICATE,
      },
      PASSPHRASE: {
        label: 'Passphrase of the private key',
        isConfidential: true,
        onlyWith: NO_CERTIFICATE,
      },
      HOST_KEY: {
        label: 'Host keys of the server',
        description:
          'A line each: of known_hosts, a public key, or a fingerprint SHA256:…. Until it is set, the gateway does not sign in, and a test of the connection shows the fingerprint of the server, for you to verify.',
        isMultiline: true,
        placeholder: 'ssh-ed25519 AAAA…',
        check: hostKeyFault,
      },
      SHELL_COMMAND: {
        label: 'Command that runs scripts',
        description:
          'Gets the script at its standard input. Not set: the login shell of the user runs it once it has arrived whole, which needs a shell like sh. For other shells: exec fish.',
        placeholder: 'exec sudo -n -u deploy bash -s',
      },
      ...sshClientFields,
    },
    check: signInFaults,
  },
  language: shell.name,
  client: sshClients,
  withCertificate,
  probe,
  scripts: new SshScripts(),
};

async function probe(secret: Secret): Promise<string | undefined> {
  try {
    (await openSsh(secret)).close();
    return undefined;
  } catch (error) {
    return serverFault(error);
  }
}

function userName(value: string): string | undefined {
  return /\p{Cc}/u.test(value) ? 'must not have control characters' : undefined;
}

/**
 * Fields that have no effect for sign-ins by certificate: other proofs, and the lists of forwards, because a
 * certificate allows no forwarding.
 */
const WITHOUT_EFFECT = ['PASS', 'PRIVATE_KEY', 'PASSPHRASE', 'FORWARD_TO', 'FORWARD_FROM'];

/** Checks that there is one proof of who signs in, and that a private key can be used. */
async function signInFaults(secret: Secret): Promise<string[]> {
  const { AUTH = '', PASS = '', PRIVATE_KEY = '', PASSPHRASE = '' } = secret;
  if (AUTH === 'certificate')
    return WITHOUT_EFFECT.filter((name) => (secret[name] ?? '') !== '').map(
      (name) => `secret.${name} has no effect with AUTH=certificate`,
    );
  if (PASS === '' && PRIVATE_KEY === '')
    return ['secret.PASS or secret.PRIVATE_KEY is required, or secret.AUTH=certificate'];
  if (PASS !== '' && PRIVATE_KEY !== '')
    return ['secret.PASS and secret.PRIVATE_KEY exclude each other: give one'];
  if (PRIVATE_KEY === '')
    return PASSPHRASE === '' ? [] : ['secret.PASSPHRASE has no effect without PRIVATE_KEY'];
  const key = await signInKey(PRIVATE_KEY, PASSPHRASE);
  return typeof key === 'string' ? [`secret.PRIVATE_KEY ${key}`] : [];
}
