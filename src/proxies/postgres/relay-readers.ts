import type { AskCatalog } from '../../gate/ports/guardrails';
import type { Session } from '../../gate/session';
import { SessionPrinting } from './binary/session-printing';
import type { SessionTypes } from './binary/type-catalog';
import { BoundParameters } from './commands/bound-parameters';
import { CommandReader } from './commands/command-reader';
import { CopyInWatch } from './commands/copy-in-watch';
import { CopyColumns } from './pipeline/copy-columns';
import { OpenTypes } from './pipeline/open-types';
import { Pipeline } from './pipeline/pipeline';
import type { PipelineState } from './pipeline/pipeline-state';
import { PreparedNames } from './pipeline/prepared-names';
import { DUMP_PROGRAMS } from './pipeline/refusals';
import { ResultReader } from './results/result-reader';
import { ResultScreen } from './results/result-screen';
import type { Spans } from './wire/spans';

/** Options of the readers. They depend on the target. */
export interface ReaderOptions {
  /** Parameters that the server reported during start-up. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The types of the target. */
  readonly types: SessionTypes;
  /** Queries the target's catalog about the tables that statements touch. */
  readonly ask: AskCatalog;
}

/** State that the readers of both directions share. */
interface RelayState {
  readonly pipelineState: PipelineState;
  readonly toServer: Spans;
  readonly toClient: Spans;
}

/**
 * Creates the readers of both directions of a relay.
 * @param send sends the content of `toServer` when a reader needs an answer before it can continue
 */
export function relayReaders(
  session: Session,
  { types, parameters: reported, ask }: ReaderOptions,
  { pipelineState, toServer, toClient }: RelayState,
  send: () => void,
): { readonly commands: CommandReader; readonly results: ResultReader } {
  const printing = new SessionPrinting(types, reported);
  const openTypes = new OpenTypes(pipelineState, toServer, types, send);
  const named = new PreparedNames(pipelineState, ask, openTypes);
  const parameters = new BoundParameters(session, pipelineState, toServer, printing, openTypes, send);
  const copies = new CopyColumns(session, pipelineState, toServer, types, openTypes);
  const pipeline = new Pipeline(copies, toServer);
  const copyIn = new CopyInWatch(session, pipelineState, printing);
  const isDump = DUMP_PROGRAMS.has(reported.get('application_name'));
  const screen = new ResultScreen(session, toClient, printing.types, isDump);
  return {
    commands: new CommandReader(session, pipelineState, named, toServer, parameters, pipeline, copyIn),
    results: new ResultReader(session, pipelineState, named, toClient, printing, copies, screen),
  };
}
