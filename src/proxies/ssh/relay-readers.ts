import type { Session } from '../../gate/session';
import { FILES_LOST, STREAM_ENDED, UNREPORTED } from './channels/ending';
import { FileAnswerReader } from './files/file-answer-reader';
import { FileRequestReader } from './files/file-request-reader';
import { OpenFiles } from './files/open-files';
import { StandardInputReader } from './streams/command-reader';
import { ProgramOutputReader } from './streams/result-reader';
import type { ReaderHooks, RelayReaders } from './streams/stream-readers';

/**
 * Makes the readers of a command or a shell.
 * @param recordsInput whether what the client sends is judged and recorded
 */
export function programReaders(
  session: Session,
  { isTerminal, recordsInput }: { readonly isTerminal: boolean; readonly recordsInput: boolean },
): (hooks: ReaderHooks) => RelayReaders {
  return (hooks) => ({
    input: new StandardInputReader(session, recordsInput),
    output: outputReader(session, 'o', isTerminal, hooks),
    errors: outputReader(session, 'e', isTerminal, hooks),
    unreported: () => UNREPORTED,
  });
}

/** Makes the readers of a file transfer. */
export function fileReaders(session: Session, mayWrite: boolean): (hooks: ReaderHooks) => RelayReaders {
  const files = new OpenFiles();
  return (hooks) => ({
    input: new FileRequestReader(session, files, { mayWrite, answered: hooks.flushed }),
    output: new FileAnswerReader(session, files),
    errors: outputReader(session, 'e', false, hooks),
    unreported: () => (files.isCutOff(hooks.mayWait()) ? FILES_LOST : STREAM_ENDED),
  });
}

function outputReader(
  session: Session,
  type: 'o' | 'e',
  isTerminal: boolean,
  { markError, isCaughtUp, ...hooks }: ReaderHooks,
): ProgramOutputReader {
  return new ProgramOutputReader(session, {
    type,
    isTerminal,
    mark: (piece) => (type === 'e' ? markError(piece) : piece),
    isCaughtUp: () => isCaughtUp(type),
    ...hooks,
  });
}
