import type { Session } from '../../gate/session';
import { type Json, type JsonObject, writeJson } from '../../kernel/json/json';
import { isServerMethod } from '../../targets/mcp/protocol/methods';
import { type ScreenedJson, screenedResult } from './screened-result';

/** What may be delivered of a message of the server, once it is durable; or the words that replace it. */
export type Delivered<T> =
  | { readonly kind: 'deliver'; readonly value: T; readonly bytes: number }
  | { readonly kind: 'blocked'; readonly message: string };

/** The second half of the order, for messages: screen → record → deliver. */
export class MessageDelivery {
  constructor(private readonly session: Session) {}

  /**
   * Screens and records one message. Resolves when it is durable.
   * @param serial of the request to which the message belongs, in the recording.
   * @param of what is delivered: `{ "result": … }`, `{ "error": … }`, a notification.
   * @throws RecordingFailed, or a fault of a rule: nothing may be delivered then.
   */
  async message<T extends JsonObject>(
    serial: number,
    key: 'result' | 'error' | 'params',
    value: T,
    of: {
      readonly method?: string;
      readonly schema?: Json | undefined;
      readonly maxBytes?: number | null;
    } = {},
  ): Promise<Delivered<T>> {
    const { method, maxBytes = null } = of;
    const name: ScreenedJson = await this.screenedName(method);
    const screened = name.kind === 'blocked' ? name : await screenedResult(this.session, value, of.schema);
    if (screened.kind === 'blocked') return screened.isRecorded ? screened : this.refused(screened.message);
    const text = writeJson({
      id: serial,
      ...(method === undefined ? {} : { method }),
      [key]: screened.value,
    });
    const bytes = Buffer.byteLength(text);
    if (maxBytes !== null && bytes > maxBytes)
      return this.refused(`The answer has ${bytes} bytes, and this connection allows ${maxBytes}.`);
    await this.session.recordOutput({ type: key === 'error' ? 'e' : 'o', content: `${text}\n` });
    return { kind: 'deliver', value: screened.value as T, bytes };
  }

  /** A server may send notifications whose names no specification knows: these are its own words. */
  private async screenedName(method: string | undefined): Promise<ScreenedJson> {
    return method === undefined || isServerMethod(method)
      ? { kind: 'deliver', value: null }
      : screenedResult(this.session, { [method]: null });
  }

  /** Records an answer of the gateway itself. @throws RecordingFailed */
  async refused(message: string): Promise<{ readonly kind: 'blocked'; readonly message: string }> {
    await this.session.recordOutput({ type: 'e', content: `${message}\n` });
    return { kind: 'blocked', message };
  }
}
