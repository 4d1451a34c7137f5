import type { Session } from '../../../gate/session';
import type { JudgedText } from '../../../gate/command';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { asText } from '../../../kernel/text/long-text';
import { TimeSlice } from '../../../kernel/async/time-slice';
import type { SessionPrinting } from '../binary/session-printing';
import type { PipelineState, Portal, Statement } from '../pipeline/pipeline-state';
import type { OpenTypes } from '../pipeline/open-types';
import { type BoundValue, type BoundValues, describe, flush } from '../wire/client-messages';
import type { Spans } from '../wire/spans';
import { DESCRIBE } from '../wire/types';

/**
 * Converts the values of a Bind to texts for rules. A binary value is printed as the server would print it,
 * so that it is judged like the same value sent as text. A value that cannot be printed is judged by its
 * bytes.
 */
export class BoundParameters {
  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly out: Spans,
    private readonly printing: SessionPrinting,
    private readonly openTypes: OpenTypes,
    /** Sends the messages in `out`. */
    private readonly send: () => void,
  ) {}

  /** @param known the prepared statements that `name` may stand for */
  texts(values: BoundValues, name: Buffer, known: readonly Statement[]): MaybePromise<JudgedText[]> {
    if (areMany(values)) return this.textsOfMany(values, name, known);
    for (const value of values) if (isPrintedFirst(value)) return this.textsInBinary(values, name, known);
    return textsOf(values);
  }

  /** Like `texts`, in time slices. */
  private async textsOfMany(
    values: BoundValues,
    name: Buffer,
    known: readonly Statement[],
  ): Promise<JudgedText[]> {
    const slice = new TimeSlice();
    for (const value of values) {
      if (isPrintedFirst(value)) return this.textsInBinary(values, name, known);
      if (slice.isOver) await slice.next();
    }
    return textsInTime(values);
  }

  private textsInBinary(
    values: BoundValues,
    name: Buffer,
    known: readonly Statement[],
  ): MaybePromise<JudgedText[]> {
    // Requests the rules again, because some may have been added since the last command.
    return thenMaybe(this.session.askForRules(), () => {
      if (!this.session.judgesInput) return areMany(values) ? textsInTime(values) : textsOf(values);
      const told = known.length === 1 ? known[0]?.parameters : undefined;
      if (told !== undefined && isComplete(told, values)) return this.printed(values, told);
      return this.askedFor(name, known).then((types) => this.printed(values, types));
    });
  }

  /**
   * Before a portal is executed, requests the descriptions that are needed to read its result. The client
   * does not see the answers.
   */
  describeResult(name: Buffer, portal: Portal, isUndescribed: boolean): void {
    if (this.session.screensOutput) {
      const needsTypes = this.openTypes.isNeededFor(portal);
      // Describes the portal first, because for a missing portal this fails with the same error as the
      // Execute.
      if (isUndescribed || needsTypes) this.describePortal(name, portal);
      if (needsTypes) this.openTypes.beforePortal();
    }
    for (const statement of portal.statements) this.openTypes.willRun(statement);
  }

  private describePortal(name: Buffer, portal: Portal): void {
    this.pipelineState.sent({ kind: DESCRIBE, isPortal: true, portal, isOurs: true });
    this.out.insert(describe('P', name));
  }

  /**
   * Requests the parameter types from the server. Returns no types if the server has no such statement,
   * because the server will refuse the Bind.
   */
  private async askedFor(name: Buffer, known: readonly Statement[]): Promise<readonly number[]> {
    const [only] = known.length === 1 ? known : [];
    const statement: Statement = only ?? { text: '', isRisky: false };
    await this.pipelineState.settled();
    // Returns no types, because the server refuses the Bind anyway.
    if (this.pipelineState.isRefusing) return [];
    this.pipelineState.sent({ kind: DESCRIBE, isPortal: false, statement, isOurs: true });
    this.out.insert(describe('S', name));
    // Adds a Flush, because without it the server buffers short answers.
    this.out.insert(flush);
    // Sends these messages now, because the caller may have sent the content of `out` before it began to wait
    // for the Bind.
    this.send();
    await this.pipelineState.described(statement);
    return statement.parameters ?? [];
  }

  private async printed(values: BoundValues, types: readonly number[]): Promise<JudgedText[]> {
    await this.openTypes.learn(types);
    const slice = new TimeSlice();
    const texts: JudgedText[] = [];
    let index = -1;
    for (const { bytes, isBinary } of values) {
      index += 1;
      const type = types[index] ?? 0;
      const isPrinted = isBinary && type !== 0 && bytes !== null && bytes.length > 0;
      const text = isPrinted ? await this.printing.printText(type, bytes) : undefined;
      if (text === undefined) addText(bytes, texts);
      else texts.push({ text, as: 'value' });
      if (slice.isOver) await slice.next();
    }
    return texts;
  }
}

/** Maximum number of values, and of bytes, in a message that is handled without time slices. */
const FEW_VALUES = 100;
const FEW_BYTES = 256 * 1024;

function areMany(values: BoundValues): boolean {
  if (values.length > FEW_VALUES) return true;
  let size = 0;
  for (const { bytes } of values) size += bytes?.length ?? 0;
  return size > FEW_BYTES;
}

function isPrintedFirst({ bytes, isBinary }: BoundValue): boolean {
  return isBinary && bytes !== null && bytes.length > 0;
}

function isComplete(types: readonly number[], values: BoundValues): boolean {
  let index = -1;
  for (const value of values) {
    index += 1;
    if (isPrintedFirst(value) && (types[index] ?? 0) === 0) return false;
  }
  return true;
}

function textsOf(values: BoundValues): JudgedText[] {
  const texts: JudgedText[] = [];
  for (const { bytes } of values) addText(bytes, texts);
  return texts;
}

async function textsInTime(values: BoundValues): Promise<JudgedText[]> {
  const slice = new TimeSlice();
  const texts: JudgedText[] = [];
  for (const { bytes } of values) {
    addText(bytes, texts);
    if (slice.isOver) await slice.next();
  }
  return texts;
}

function addText(bytes: Buffer | null, texts: JudgedText[]): void {
  if (bytes !== null && bytes.length > 0) texts.push({ text: asText(bytes), as: 'value' });
}
