import { Injectable } from '@nestjs/common';
import { Gate } from '../gate/gate';
import { TargetReachability } from '../gate/ports/target-reachability';
import type { Target } from '../gate/ports/target-directory';
import type { Principal } from '../kernel/principal';
import { McpReach } from './mcp-reach';
import { connectPostgres } from '../targets/postgres/postgres-connect';
import { connectionFault } from '../targets/postgres/postgres-faults';
import type { ReachView } from './reach.dto';

/** Really connects to a target, with its secret, and says what came of it. */
@Injectable()
export class ReachService {
  constructor(
    private readonly gate: Gate,
    private readonly mcp: McpReach,
    private readonly reachability: TargetReachability,
  ) {}

  async test(actor: Principal, nameOrId: string): Promise<ReachView> {
    const target = await this.gate.target(actor, nameOrId);
    const startedAt = performance.now();
    const fault = await this.fault(target);
    return {
      success: fault === undefined,
      message: fault ?? 'The target answers.',
      duration_ms: Math.round(performance.now() - startedAt),
    };
  }

  private async fault(target: Target): Promise<string | undefined> {
    let secret: Readonly<Record<string, string>>;
    try {
      secret = target.openSecret();
    } catch {
      return 'The secret of this connection cannot be opened: no key in SECRET_KEY fits.';
    }
    const fault = await (target.subtype === 'mcpproxy' ? this.mcp.fault(secret) : this.postgresFault(secret));
    await this.reachability.note(target, fault === undefined);
    return fault;
  }

  private async postgresFault(secret: Readonly<Record<string, string>>): Promise<string | undefined> {
    try {
      const client = await connectPostgres(secret);
      await client.end();
      return undefined;
    } catch (error) {
      return connectionFault(error);
    }
  }
}
