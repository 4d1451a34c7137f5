import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../kernel/app-error';
import type { WorkerExchange } from '../proxies/kit/worker-links';

const SECRET_BYTES = 32;

/**
 * Makes the directory for the sockets of the workers, in the primary process. Only this user may enter it.
 * Ports would be unsafe, because after the death of a worker another program could listen on its port.
 *
 * @throws Error for the operator, if the directory cannot be made
 */
export async function openExchange(): Promise<{ exchange: WorkerExchange; close: () => Promise<void> }> {
  // Short, because the path of a socket has at most 107 bytes (103 on macOS).
  const directory = await mkdtemp(join(tmpdir(), 'gateway-')).catch((error: unknown) => {
    throw new Error(
      `Several workers need a directory for their sockets. Set TMPDIR to one that can be written to (${messageOf(error)}).`,
      { cause: error },
    );
  });
  return {
    exchange: { directory, secret: randomBytes(SECRET_BYTES) },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
