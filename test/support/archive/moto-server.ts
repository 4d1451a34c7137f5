import { spawn } from 'node:child_process';
import { eventually } from '../eventually';
import { freePort } from '../free-port';

/** A server of S3 with a bucket that has Object Lock. */
export interface BucketServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts moto (PyPI, `moto[server]`), whose program is at that path, and makes the bucket `recordings`. */
export async function startMoto(program: string): Promise<BucketServer> {
  const port = await freePort();
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually(
    'moto has a bucket',
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      const made = await fetch(`http://127.0.0.1:${port}/recordings`, {
        method: 'PUT',
        headers: { 'x-amz-bucket-object-lock-enabled': 'true' },
      }).catch(() => undefined);
      return made?.ok;
    },
    120_000,
  );
  return {
    port,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
