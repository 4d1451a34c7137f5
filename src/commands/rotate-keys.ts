import 'reflect-metadata';
import { rotateCommand } from '../operations/key-rotation/rotate-command';

/** `npm run rotate-keys`: see README.md, "Changing the secret key". */
async function main(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  process.exitCode = await rotateCommand(process.env, stopping.signal, (line) =>
    process.stdout.write(`${line}\n`),
  );
}

void main();
