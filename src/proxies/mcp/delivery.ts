import type { Session } from '../../gate/session';
import { type Json, type JsonObject, emptyObject, writeJson } from '../../kernel/json/json';
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
      /** Under which name the server wants the answer of the client. */
      readonly input?: string;
      readonly schema?: Json | undefined;
      readonly maxBytes?: number | null;
    } = {},
  ): Promise<Delivered<T>> {
    const { method, input, maxBytes = null } = of;
    const names: ScreenedJson = await this.screenedNames(method, input);
    const screened = names.kind === 'blocked' ? names : await screenedResult(this.session, value, of.schema);
    if (screened.kind === 'blocked') return screened.isRecorded ? screened : this.refused(screened.message);
    const text = writeJson({
      id: serial,
      ...(method === undefined ? {} : { method }),
      ...(input === undefined ? {} : { input }),
      [key]: screened.value,
    });
    const bytes = Buffer.byteLength(text);
    if (maxBytes !== null && bytes > maxBytes)
      return this.refused(`The answer has ${bytes} bytes, and this connection allows ${maxBytes}.`);
    await this.session.recordOutput({ type: key === 'error' ? 'e' : 'o', content: `${text}\n` });
    return { kind: 'deliver', value: screened.value as T, bytes };
  }

  /** Names of inputs, and of notifications that no specification knows, are words of the server. */
  private async screenedNames(method: string | undefined, input: string | undefined): Promise<ScreenedJson> {
    const names = emptyObject();
    if (method !== undefined && !isServerMethod(method)) names[method] = null;
    if (input !== undefined) names[input] = null;
    return screenedResult(this.session, names);
  }

  /** Records an answer of the gateway itself. @throws RecordingFailed */
  async refused(message: string): Promise<{ readonly kind: 'blocked'; readonly message: string }> {
    await this.session.recordOutput({ type: 'e', content: `${message}\n` });
    return { kind: 'blocked', message };
  }
}
