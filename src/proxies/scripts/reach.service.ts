import { Injectable } from '@nestjs/common';
import { Gate } from '../../gate/gate';
import { TargetReachability } from '../../gate/ports/target-reachability';
import type { Target } from '../../gate/ports/target-directory';
import type { Principal } from '../../kernel/principal';
import { Settings } from '../../platform/config/settings';
import { targetKind } from '../../targets/kinds';
import type { ReachView } from './reach.dto';

/** Connects to a target with its secret, and reports the result. */
@Injectable()
export class ReachService {
  constructor(
    private readonly gate: Gate,
    private readonly settings: Settings,
    private readonly reachability: TargetReachability,
  ) {}

  async test(actor: Principal, nameOrId: string): Promise<ReachView> {
    const target = await this.gate.target(actor, nameOrId);
    const startedAt = performance.now();
    const fault = await this.fault(target, actor.email === '' ? actor.subject : actor.email);
    return {
      success: fault === undefined,
      message: fault ?? 'The target answers.',
      duration_ms: Math.round(performance.now() - startedAt),
    };
  }

  private async fault(target: Target, person: string): Promise<string | undefined> {
    let secret: Readonly<Record<string, string>>;
    try {
      secret = target.openSecret();
    } catch {
      return 'The secret of this connection cannot be opened: no key in SECRET_KEY matches. Set a new secret.';
    }
    try {
      secret = (await target.certifiedSecret?.({ person })) ?? secret;
    } catch {
      return 'The gateway cannot sign a certificate: no key in SECRET_KEY opens its user CA.';
    }
    const kind = targetKind(target.subtype);
    if (kind === undefined) return `This gateway does not support targets of the kind ${target.subtype}.`;
    const fault = await kind.probe(secret, this.settings);
    await this.reachability.note(target, fault === undefined);
    return fault;
  }
}
