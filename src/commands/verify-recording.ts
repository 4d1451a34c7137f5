import 'reflect-metadata';
import { verifyCommand } from '../sessions/evidence/files/verify-command';

/** `npm run verify-recording -- <file>`: see src/sessions/evidence/README.md, "Files of evidence". */
async function main(): Promise<void> {
  process.exitCode = await verifyCommand(process.argv.slice(2), process.env, (text) =>
    process.stdout.write(text),
  );
}

void main();
