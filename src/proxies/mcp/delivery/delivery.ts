import type { Session } from '../../../gate/session';
import { type Json, type JsonObject, emptyObject, writeJsonInSlices } from '../../../kernel/json/json';
import { isServerMethod } from '../../../targets/mcp/protocol/methods';
import { type ScreenedJson, screenedResult } from './result-screen';

/** A durable message that may be delivered, or the message that replaces a blocked one. */
export type Delivered<T> =
  | { readonly kind: 'deliver'; readonly value: T; readonly bytes: number }
  | { readonly kind: 'blocked'; readonly message: string };

/** Screens and records the messages of a server before delivery: the second half of the data path. */
export class MessageDelivery {
  constructor(private readonly session: Session) {}

  /**
   * Screens and records one message. Resolves when the message is durable.
   * @param serial id of the message in the recording: the serial number of its request or notice
   * @param of describes the message: method, input name, schema, and maximum size in bytes
   * @throws RecordingFailed, or the error of a failed rule. Nothing must be delivered then.
   */
  async message<T extends JsonObject>(
    serial: number,
    key: 'result' | 'error' | 'params',
    value: T,
    of: {
      readonly method?: string;
      /** Name under which the server expects the input that it requested from the client. */
      readonly input?: string;
      readonly schema?: Json | undefined;
      readonly maxBytes?: number | null;
    } = {},
  ): Promise<Delivered<T>> {
    const { method, input, maxBytes = null } = of;
    const names = this.namesOf(method, input);
    const named = names === undefined ? undefined : await screenedResult(this.session, names);
    const screened: ScreenedJson =
      named?.kind === 'blocked' ? named : await screenedResult(this.session, value, of.schema);
    if (screened.kind === 'blocked') return screened.isRecorded ? screened : this.refused(screened.message);
    const written = writeJsonInSlices({
      id: serial,
      ...(method === undefined ? {} : { method }),
      ...(input === undefined ? {} : { input }),
      [key]: screened.value,
    });
    const text = typeof written === 'string' ? written : await written;
    const bytes = Buffer.byteLength(text);
    if (maxBytes !== null && bytes > maxBytes)
      return this.refused(`The answer has ${bytes} bytes, and this connection allows ${maxBytes}.`);
    await this.session.recordOutput({ type: key === 'error' ? 'e' : 'o', content: `${text}\n` });
    return { kind: 'deliver', value: screened.value as T, bytes };
  }

  /**
   * Returns the names that the server chose, which must be screened too: names of inputs, and of
   * notifications that no specification defines.
   */
  private namesOf(method: string | undefined, input: string | undefined): JsonObject | undefined {
    const isForeign = method !== undefined && !isServerMethod(method);
    if (!isForeign && input === undefined) return undefined;
    const names = emptyObject();
    if (isForeign) names[method] = null;
    if (input !== undefined) names[input] = null;
    return names;
  }

  /** Records an answer that the gateway itself gives. @throws RecordingFailed */
  async refused(message: string): Promise<{ readonly kind: 'blocked'; readonly message: string }> {
    await this.session.recordOutput({ type: 'e', content: `${message}\n` });
    return { kind: 'blocked', message };
  }
}
