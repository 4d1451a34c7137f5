import { type NoteRotation, type RotationStep, SshUserCa } from '../../platform/keys/ssh-user-ca';
import { SecretBox } from '../../platform/keys/secret-box';
import { DONE, FAILED, noteKeyChange, onDatabase } from './rotate-command';

const STEPS = ['begin', 'finish'] as const;
type Step = (typeof STEPS)[number];

const USAGE = `rotate-keys: seals everything with the first key of SECRET_KEY.
rotate-keys user-ca begin: adds a key for certificates at SSH servers, which signs nothing yet.
rotate-keys user-ca finish: removes the old key; the new one signs.`;

/**
 * Replaces the user CA in two steps, between which all servers must get to know the new key. Prints what to
 * do next. Returns the exit code.
 * @param args the words behind `rotate-keys`
 */
export async function rotateUserCaCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<number> {
  const step = STEPS.find((each) => args.join(' ') === `user-ca ${each}`);
  if (step === undefined) {
    print(USAGE);
    return FAILED;
  }
  return onDatabase(env, print, async (database, sealing) => {
    const ca = new SshUserCa(database, new SecretBox(sealing));
    const note: NoteRotation = (db, fingerprints) =>
      noteKeyChange(db, { type: 'ssh-user-ca', id: fingerprints.at(-1) ?? '', after: { fingerprints } });
    const result = await (step === 'begin' ? ca.beginRotation(note) : ca.finishRotation(note));
    if (result.kind === 'refused') {
      print(result.reason);
      return FAILED;
    }
    print(adviceAfter(step, result));
    return DONE;
  });
}

function adviceAfter(step: Step, { fingerprints: [signing, next] }: RotationStep & { kind: 'done' }): string {
  return step === 'begin'
    ? `The key ${next} was added; ${signing} still signs. Write what GET /ssh/user-ca.pub answers to all servers, then run: rotate-keys user-ca finish`
    : `The key ${signing} signs now. Write what GET /ssh/user-ca.pub answers to all servers, so that they forget the old key.`;
}
