import { eventually } from './eventually';
import type { Answer, TestGateway } from './gateway';

export interface AuditLine {
  readonly seq: number;
  readonly hash: string;
  readonly action: string;
  readonly actor: { readonly id: string };
  readonly resource_type: string;
  readonly resource_id: string;
  readonly outcome: string;
  readonly status: number;
  readonly request_id: string;
  readonly changes: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

/**
 * Returns the line of the audit log for the request of this answer. A request without a change (for example,
 * a refused request or a script) gets its line after its answer. Lines of other requests may be before and
 * after it.
 */
export async function auditLineOf(
  gateway: TestGateway,
  { headers }: Pick<Answer, 'headers'>,
): Promise<AuditLine> {
  const id = encodeURIComponent(headers.get('x-request-id') ?? '');
  return eventually(`the line of ${id}`, async () => {
    const { body } = await gateway.call('admin', 'GET', `/audit/logs?request_id=${id}`);
    return (body.data as AuditLine[])[0];
  });
}
