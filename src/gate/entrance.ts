import { Injectable } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/async/clock';
import type { Principal } from '../kernel/principal';
import { inSpan } from '../kernel/runtime/spans';
import { AccessDecider, type AccessDecision, type ApprovalRule } from './ports/access-decider';
import { GrantStore } from './ports/grant-store';
import type { SessionEntry } from './ports/session-recorder';
import { type Target, TargetDirectory, type Verb } from './ports/target-directory';

type ClientVisit = Pick<SessionEntry, 'credentialId' | 'until' | 'reason'>;

/** Facts for opening a client's session; `refused` is the reason when the client is not admitted. */
export type ClientEntrance = ClientVisit & Pick<SessionEntry, 'isGranted'> & { readonly refused?: string };

/** Runs the first steps of the gate, before anything is recorded: finds the target and decides access. */
@Injectable()
export class Entrance {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly grants: GrantStore,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `not_found` */
  async target(principal: Principal, nameOrId: string): Promise<Target> {
    const target = await this.targets.find(principal, nameOrId);
    if (target === undefined) throw new AppError('not_found', `there is no connection named ${nameOrId}`);
    return target;
  }

  /** Returns undefined when the connection was deleted. */
  targetById(orgId: string, id: string): Promise<Target | undefined> {
    return this.targets.known(orgId, id);
  }

  decide(principal: Principal, target: Target, verb: Verb): Promise<AccessDecision> {
    return inSpan('gateway.access', { 'gateway.connection': target.name }, () =>
      this.access.decide(principal, target, verb, this.clock.now()),
    );
  }

  /** See `AccessDecider.decideCall`. */
  decideCall(principal: Principal, target: Target, mustReview: boolean): Promise<AccessDecision> {
    return this.access.decideCall(principal, target, mustReview);
  }

  /**
   * Decides access for a client of the target's own protocol. Where approval is required, the client is
   * admitted while its grant is valid.
   */
  async forClient(principal: Principal, target: Target, visit: ClientVisit): Promise<ClientEntrance> {
    const { credentialId, until, reason } = visit;
    const asked = { credentialId, until, reason };
    const decision = await this.decide(principal, target, 'connect');
    switch (decision.kind) {
      case 'allow':
        return decision.reasonFor === undefined || reason !== null
          ? asked
          : {
              ...asked,
              refused: `clients of the connection ${target.name} need a reason, because the access request rule ${decision.reasonFor} requires one: request credentials with a reason`,
            };
      case 'deny':
        return { ...asked, refused: decision.message };
      case 'review': {
        const grant = await this.grants.use(principal, target, credentialId);
        if (grant.kind === 'held')
          return {
            credentialId: grant.credentialId,
            until: earlier(grant.until, until),
            reason: grant.reason,
            isGranted: true,
          };
        const needed = `clients of the connection ${target.name} need an approval by the ${named(decision.rules)}`;
        return { ...asked, refused: grant.kind === 'none' ? needed : grant.message };
      }
    }
  }
}

/** The earlier time; null: never. */
function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function named(rules: readonly ApprovalRule[]): string {
  return `${rules.length === 1 ? 'rule' : 'rules'} ${rules.map(({ name }) => name).join(', ')}`;
}
