import type { Session } from '../../gate/session';
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
  return ({ markError, ...hooks }) => ({
    input: new StandardInputReader(session, recordsInput),
    output: new ProgramOutputReader(session, { type: 'o', isTerminal, mark: (piece) => piece, ...hooks }),
    errors: new ProgramOutputReader(session, { type: 'e', isTerminal, mark: markError, ...hooks }),
  });
}

/** Makes the readers of a file transfer. */
export function fileReaders(session: Session, mayWrite: boolean): (hooks: ReaderHooks) => RelayReaders {
  const files = new OpenFiles();
  return ({ markError, ...hooks }) => ({
    input: new FileRequestReader(session, files, { mayWrite, answered: hooks.flushed }),
    output: new FileAnswerReader(session, files),
    errors: new ProgramOutputReader(session, { type: 'e', isTerminal: false, mark: markError, ...hooks }),
  });
}
