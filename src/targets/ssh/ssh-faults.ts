/** Faults between the gateway and a server that the gateway itself finds. */
export type SshFaultCode =
  | 'NOT_SSH'
  | 'OLD_SSH'
  | 'NO_ANSWER'
  | 'SLOW_EXCHANGE'
  | 'SLOW_SIGN_IN'
  | 'SLOW_REQUEST'
  | 'NO_ALGORITHM'
  | 'EXCHANGE_FAILED'
  | 'SHORT_HOST_KEY'
  | 'REFUSED'
  | 'CERTIFICATE_REFUSED'
  | 'NO_PASSWORDS'
  | 'NO_KEYS'
  | 'NO_MODERN_SIGNATURE'
  | 'SECOND_FACTOR'
  | 'KEY_UNUSABLE'
  | 'CLOSED'
  | 'SILENT'
  | 'TOO_MUCH'
  | 'NOT_READING'
  | 'BROKEN'
  | 'CHANNEL_REFUSED'
  | 'COMMAND_REFUSED'
  | 'SMALL_PACKETS'
  | 'STOPPED';

/** A fault in plain words, which contain no value of the secret. */
export class SshFault extends Error {
  constructor(
    readonly code: SshFaultCode | 'HOST_KEY_MISSING' | 'HOST_KEY_CHANGED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function sshFault(code: SshFaultCode, options?: ErrorOptions): SshFault {
  return new SshFault(code, sshFaults[code], options);
}

const sshFaults: Readonly<Record<SshFaultCode, string>> = {
  NOT_SSH: 'The server answered with something that is not the SSH protocol.',
  OLD_SSH: 'The server speaks version 1 of the SSH protocol only, which is not secure.',
  NO_ANSWER: 'The server could not be reached: it did not answer in time.',
  SLOW_EXCHANGE: 'The server did not finish the key exchange in time.',
  SLOW_SIGN_IN: 'The server did not answer the sign-in in time.',
  SLOW_REQUEST: 'The server did not answer a request in time.',
  NO_ALGORITHM: 'The server and the gateway have no secure algorithm in common.',
  EXCHANGE_FAILED: 'The key exchange with the server failed.',
  SHORT_HOST_KEY: 'The host key of the server is an RSA key of less than 2048 bits, which is not secure.',
  REFUSED: 'The server refused the user, the password or the key of this connection.',
  CERTIFICATE_REFUSED:
    'The server refused the certificate of the gateway. Write what GET /ssh/user-ca.pub answers into a file on the server, name it as TrustedUserCAKeys in sshd_config, and reload sshd. If that is done: the user must exist there, AuthorizedPrincipalsFile must list it where it is set, and the clock must be right.',
  NO_PASSWORDS: 'The server accepts no passwords; it asks for a key.',
  NO_KEYS: 'The server accepts no keys; it asks for a password.',
  NO_MODERN_SIGNATURE:
    'The server accepts signatures of RSA keys with SHA-1 only, which is not secure. Use an Ed25519 key.',
  SECOND_FACTOR: 'The server asks for a second factor, which is not supported.',
  KEY_UNUSABLE: 'The private key of this connection cannot be used. Set a new secret.',
  CLOSED: 'The server closed the connection.',
  SILENT: 'The server could no longer be reached.',
  TOO_MUCH: 'The server sent more than was asked for.',
  NOT_READING: 'The server reads nothing that is sent to it.',
  BROKEN: 'The server sent something that is not the SSH protocol.',
  CHANNEL_REFUSED: 'The server refused to open a session.',
  COMMAND_REFUSED: 'The server refused to run a command.',
  SMALL_PACKETS: 'The server takes packets of less than 1024 bytes only, which are not supported.',
  STOPPED: 'The session ended before the server answered.',
};

const VERIFY =
  'Verify this fingerprint on the server itself (ssh-keygen -l -f /etc/ssh/ssh_host_…_key.pub) before you set it as HOST_KEY.';

/** @param fingerprint of the key that the server showed, as `SHA256:…` */
export function missingHostKey(type: string, fingerprint: string): SshFault {
  return new SshFault(
    'HOST_KEY_MISSING',
    `This connection has no HOST_KEY, so nothing was sent to the server. The server shows the ${type} key ${fingerprint}. ${VERIFY}`,
  );
}

/** @param fingerprint of the key that the server showed, as `SHA256:…` */
export function changedHostKey(type: string, fingerprint: string): SshFault {
  return new SshFault(
    'HOST_KEY_CHANGED',
    `The host key of the server is not one of HOST_KEY: this may be an attack, so nothing was sent to the server. The server shows the ${type} key ${fingerprint}. ${VERIFY}`,
  );
}

const systemFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server could not be reached: the connection was refused.',
  ECONNRESET: sshFaults.CLOSED,
  EPIPE: sshFaults.CLOSED,
  EHOSTUNREACH: 'The server could not be reached: there is no route to its host.',
  ENETUNREACH: 'The server could not be reached: there is no route to its network.',
  ENOTFOUND: 'The server could not be reached: its host name is unknown.',
  EAI_AGAIN: 'The server could not be reached: its host name could not be looked up.',
  ETIMEDOUT: sshFaults.NO_ANSWER,
};

/**
 * Returns the fault of a connection in plain words. The text never contains the host, user or another value
 * of the secret.
 */
export function serverFault(error: unknown): string {
  if (error instanceof SshFault) return error.message;
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' ? systemFaults[code] : undefined) ?? 'The server could not be reached.';
}
