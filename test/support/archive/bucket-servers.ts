import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { SmallS3 } from './small-s3';

/**
 * A server of S3 with a bucket, `recordings`, that has Object Lock. Its key is
 * `test-key` with the secret `test-secret`.
 */
export interface BucketServer {
  readonly name: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the S3 server whose program is given; without a program, the server of the tests (`SmallS3`). */
export async function startBucketServer(programs: {
  readonly moto: string | undefined;
  readonly versitygw: string | undefined;
}): Promise<BucketServer> {
  const { moto, versitygw } = programs;
  if (moto !== undefined) {
    return startProgram('moto', moto, (port) => ['-H', '127.0.0.1', '-p', String(port)]);
  }
  if (versitygw !== undefined) {
    return startProgram('versitygw', versitygw, (port, folder) => [
      '--access',
      'test-key',
      '--secret',
      'test-secret',
      '--port',
      `127.0.0.1:${port}`,
      '--quiet',
      'posix',
      '--versioning-dir',
      join(folder, 'versions'),
      join(folder, 'objects'),
    ]);
  }
  const s3 = await SmallS3.start();
  return { name: 'tests', port: s3.port, close: () => s3.close() };
}

async function startProgram(
  name: string,
  program: string,
  args: (port: number, folder: string) => readonly string[],
): Promise<BucketServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bucket-'));
  for (const part of ['versions', 'objects']) mkdirSync(join(folder, part));
  const child = spawn(program, args(port, folder), { stdio: 'ignore', cwd: folder });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually(
    `${name} has a bucket`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
      return (await makeBucket(port).catch(() => undefined))?.ok;
    },
    120_000,
  );
  return {
    name,
    port,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeBucket(port: number): Promise<Response> {
  const signed = await new AwsV4Signer({
    method: 'PUT',
    url: `http://127.0.0.1:${port}/recordings`,
    headers: { 'x-amz-bucket-object-lock-enabled': 'true' },
    accessKeyId: 'test-key',
    secretAccessKey: 'test-secret',
    service: 's3',
    region: 'us-east-1',
  }).sign();
  return fetch(signed.url, { method: 'PUT', headers: signed.headers });
}
