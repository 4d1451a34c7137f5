import { type Text, asText, isLong } from '../../../kernel/text/long-text';
import { inSlices } from '../../../kernel/async/time-slice';
import type { CellPrinting } from './cell-text';
import { Unprintable } from '../wire/cursor';
import { UnknownType, printInSteps } from './print-value';
import { textBytesOf } from './scalars';
import { STYLE_PARAMETERS, styleOf } from './style';
import type { SessionTypes } from './type-catalog';

/** The current print settings of a session. When a setting changes, `strict` and `lenient` are replaced. */
export class SessionPrinting {
  private readonly parameters: Map<string, string>;
  /** Settings that refuse a value that cannot be printed, because a rule looks at it. */
  strict: CellPrinting;
  /** Settings that use the bytes of a value that cannot be printed. */
  lenient: CellPrinting;

  /** @param parameters values that the server reported at the start. */
  constructor(
    readonly types: SessionTypes,
    parameters: ReadonlyMap<string, string>,
  ) {
    this.parameters = new Map(parameters);
    this.strict = this.printing(true);
    this.lenient = this.printing(false);
  }

  /** Handles a parameter that the server reported. */
  changed(name: string, value: string): void {
    if (!STYLE_PARAMETERS.has(name)) return;
    this.parameters.set(name, value);
    this.strict = this.printing(true);
    this.lenient = this.printing(false);
  }

  /** Prints a single value; undefined where it cannot be printed. */
  async print(type: number, value: Buffer): Promise<string | undefined> {
    for (;;) {
      try {
        return await inSlices(printInSteps(type, value, this.strict));
      } catch (error) {
        if (error instanceof Unprintable) return undefined;
        if (!(error instanceof UnknownType)) throw error;
        if ((await this.types.learn(error.oid)) !== 'known') return undefined;
      }
    }
  }

  /** Like `print`, but returns a long value undecoded if its bytes are its text. */
  async printText(type: number, value: Buffer): Promise<Text | undefined> {
    const written = isLong(value) ? this.types.find(type) : undefined;
    const bytes = written && textBytesOf(written.send, value);
    return bytes === undefined ? this.print(type, value) : asText(bytes);
  }

  private printing(isStrict: boolean): CellPrinting {
    return { types: this.types, style: styleOf(this.parameters), isStrict };
  }
}
