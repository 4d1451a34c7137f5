import 'reflect-metadata';
import { doctorCommand } from '../operations/doctor/doctor-command';

/** `npm run doctor`: see docs/operations/doctor.md. */
async function main(): Promise<void> {
  process.exitCode = await doctorCommand(process.argv.slice(2), process.env, (text) =>
    process.stdout.write(text),
  );
}

void main();
