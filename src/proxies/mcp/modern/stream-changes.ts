import { type JsonObject, isObject } from '../../../kernel/json/json';
import { META } from '../../../targets/mcp/protocol/methods';
import { type RpcId, rpcNotification, rpcResult } from '../../../targets/mcp/protocol/rpc-messages';
import type { SubscriptionFilter } from '../../../targets/mcp/upstream';
import type { HttpAnswer } from '../http/answer';
import type { ModernRequest } from '../http/modern-request';
import type { ServedVisit } from '../visits/served-visit';
import { changeFilter, shownFilter } from './change-filter';

/**
 * Answers `subscriptions/listen`. Streams changes of the server until the client leaves, or the MCP session
 * or the subscription ends. @throws ModernFault; and the errors of `ServedVisit.listen`
 */
export async function streamChanges(
  id: RpcId,
  request: ModernRequest,
  visit: ServedVisit,
  http: HttpAnswer,
): Promise<void> {
  const wanted = changeFilter(request.params['notifications']);
  const stream = new ChangeStream(id, wanted, http);
  const { left, closed } = http;
  await new Promise<void>((resolve, reject) => {
    const visitEnded = (): void => (http.hangUpAfterwards(), stream.end(), resolve());
    left.addEventListener('abort', () => resolve(), { once: true });
    visit.ended.addEventListener('abort', visitEnded, { once: true, signal: closed });
    visit
      .listen(wanted, {
        signal: left,
        notify: (method, params) => stream.notify(method, params),
        ended: () => (stream.end(), resolve()),
      })
      .then((agreed) => stream.acknowledge(agreed))
      .catch(reject);
  });
}

/** The messages of one subscription, each with the subscription's id. The acknowledgment comes first. */
class ChangeStream {
  private begin: () => void = () => undefined;
  /**
   * Resolves when the acknowledgment was sent. Each change waits for this promise and is not queued, so that
   * the gateway does not read on from a server while the client reads nothing.
   */
  private readonly begun = new Promise<void>((resolve) => (this.begin = resolve));
  private readonly subscription: JsonObject;

  constructor(
    private readonly id: RpcId,
    private readonly wanted: SubscriptionFilter,
    private readonly http: HttpAnswer,
  ) {
    this.subscription = { [META.subscriptionId]: id };
  }

  async acknowledge(agreed: SubscriptionFilter): Promise<void> {
    const notifications = shownFilter(this.wanted, agreed);
    await this.send('notifications/subscriptions/acknowledged', { notifications });
    this.begin();
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    await this.begun;
    await this.send(method, params);
  }

  end(): void {
    void this.http.end(rpcResult(this.id, { resultType: 'complete', _meta: this.subscription }));
  }

  private send(method: string, params: JsonObject): Promise<void> {
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const tagged = { ...params, _meta: { ...meta, ...this.subscription } };
    return this.http.send(rpcNotification(method, tagged));
  }
}
