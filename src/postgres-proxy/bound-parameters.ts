import type { ClientSession } from '../gate/client-session';
import type { JudgedText } from '../gate/guarded-trail';
import { type Eventual, whenThere } from '../kernel/eventual';
import { textOf } from '../kernel/utf8';
import type { SessionPrinting } from './binary/session-printing';
import type { InFlight, Portal, Statement } from './in-flight';
import { type BoundValue, describe, flush } from './wire/client-messages';
import type { Spans } from './wire/spans';
import { DESCRIBE } from './wire/types';

/**
 * The values of a Bind as the texts that rules look at. A binary value is printed as the server would print it, so that
 * it is judged like the same value as text; one that cannot be printed is judged by its bytes.
 */
export class BoundParameters {
  constructor(
    private readonly session: ClientSession,
    private readonly inFlight: InFlight,
    private readonly out: Spans,
    private readonly printing: SessionPrinting,
    /** Sends what is in `out`. */
    private readonly send: () => void,
  ) {}

  /** @param known what the name of the statement may stand for. */
  texts(values: readonly BoundValue[], name: Buffer, known: readonly Statement[]): Eventual<JudgedText[]> {
    if (!values.some(isPrintedFirst)) return textsOf(values);
    // They may have come since the last command.
    return whenThere(this.session.askForRules(), () => {
      if (!this.session.judgesInput) return textsOf(values);
      const told = known.length === 1 ? known[0]?.parameters : undefined;
      if (told !== undefined && isComplete(told, values)) return this.printed(values, told);
      return this.askedFor(name, known).then((types) => this.printed(values, types));
    });
  }

  /** Asks for the columns of a portal; the client does not see the answer. */
  describePortal(name: Buffer, portal: Portal): void {
    this.inFlight.sent({ kind: DESCRIBE, isPortal: true, portal, isOurs: true });
    this.out.insert(describe('P', name));
  }

  /** What the server says that they are; none where it has no such statement, and will refuse the Bind. */
  private async askedFor(name: Buffer, known: readonly Statement[]): Promise<readonly number[]> {
    const [only] = known.length === 1 ? known : [];
    const statement: Statement = only ?? { text: '', isRisky: false };
    await this.inFlight.settled();
    // The server will refuse the Bind, for a reason of its own.
    if (this.inFlight.isIdle && this.inFlight.isAborted) return [];
    this.inFlight.sent({ kind: DESCRIBE, isPortal: false, statement, isOurs: true });
    this.out.insert(describe('S', name));
    // The server keeps short answers to itself until it is asked for them.
    this.out.insert(flush);
    // At once: whoever waits for the Bind may have sent what was there before.
    this.send();
    await this.inFlight.described(statement);
    return statement.parameters ?? [];
  }

  private async printed(values: readonly BoundValue[], types: readonly number[]): Promise<JudgedText[]> {
    const texts: JudgedText[] = [];
    for (const [index, value] of values.entries()) {
      if (value.bytes === null || value.bytes.length === 0) continue;
      const type = types[index] ?? 0;
      const text = value.isBinary && type !== 0 ? await this.printing.print(type, value.bytes) : undefined;
      texts.push({ text: text ?? textOf(value.bytes), as: 'value' });
    }
    return texts;
  }
}

function isPrintedFirst({ bytes, isBinary }: BoundValue): boolean {
  return isBinary && bytes !== null && bytes.length > 0;
}

function isComplete(types: readonly number[], values: readonly BoundValue[]): boolean {
  return values.every((value, index) => !isPrintedFirst(value) || (types[index] ?? 0) !== 0);
}

function textsOf(values: readonly BoundValue[]): JudgedText[] {
  const texts: JudgedText[] = [];
  for (const { bytes } of values)
    if (bytes !== null && bytes.length > 0) texts.push({ text: textOf(bytes), as: 'value' });
  return texts;
}
