import 'reflect-metadata';
import { rotateCommand } from '../operations/key-rotation/rotate-command';
import { rotateUserCaCommand } from '../operations/key-rotation/rotate-user-ca';

/** `npm run rotate-keys`: see docs/operations/key-rotation.md. */
async function main(): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const args = process.argv.slice(2);
  if (args.length > 0) {
    process.exitCode = await rotateUserCaCommand(args, process.env, print);
    return;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  process.exitCode = await rotateCommand(process.env, stopping.signal, print);
}

void main();
