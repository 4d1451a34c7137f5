import { Injectable } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { currentSpan, inSpan } from '../kernel/runtime/spans';
import { Approvals } from './approvals';
import { EarlyJudgement, type EarlyText } from './early-judgement';
import { Entrance } from './entrance';
import { GuardedTrail, type SessionOwner } from './guarded-trail';
import { type ScriptInput, inputHash } from './script-input';
import { type AccessDecision, requireReason } from './ports/access-decider';
import { PendingExecutions } from './ports/pending-executions';
import { limitError } from './refusal';
import { Session } from './session';
import { type AskCatalog, Guardrails } from './ports/guardrails';
import { EXIT_BLOCKED } from './ports/session-end';
import { type SessionEntry, SessionRecorder, type SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

/** Parameters for opening a session. */
export interface SessionRequest extends Omit<SessionEntry, 'principal' | 'target'> {
  readonly connection: string;
}

/**
 * Reserves one of the limited places for running scripts. `who` is the script's owner.
 * @throws AppError `too_many_requests`
 */
export type Reserve = (who: Principal, target: Target) => void;

/** The input in a request to run an approved script. Omitted fields default to the approved input. */
export type SaidInput = Partial<ScriptInput>;

/** Functions that the caller provides when it requests the execution of an approved script. */
export interface ExecutionTerms {
  /** Reserves as in `Gate.enter`; if it throws, the approval stays unused. */
  readonly reserve: Reserve;
  /** Returns the function that queries the catalog of the target; see `AskCatalog`. */
  readonly askOf: (target: Target) => AskCatalog | undefined;
}

/** An approved script that has been claimed for its one execution. */
export interface Resumed {
  readonly session: Session;
  readonly script: string;
  readonly reviewId: string;
}

/**
 * The only class that knows the order of steps: identify → decide access → judge → record → forward → screen
 * the result → record → deliver. Proxies and exec call the gate, and the gate calls ports.
 */
@Injectable()
export class Gate {
  constructor(
    private readonly entrance: Entrance,
    private readonly approvals: Approvals,
    private readonly guardrails: Guardrails,
    private readonly recorder: SessionRecorder,
    private readonly pending: PendingExecutions,
  ) {}

  /**
   * Decides access for an identified principal and opens the recording. A denied session is recorded too, and
   * refuses every input.
   * @param reserve called before anything is recorded, unless access is denied; if it throws, the session is
   * not opened.
   * @throws AppError `not_found` when there is no such connection in the principal's organization;
   * `unprocessable` when a rule requires a reason and there is none.
   */
  async enter(
    principal: Principal,
    visit: SessionRequest,
    reserve: Reserve = () => undefined,
  ): Promise<Session> {
    const target = await this.target(principal, visit.connection);
    const decision = await this.entrance.decide(principal, target, visit.verb);
    return this.open(principal, target, decision, visit, reserve);
  }

  /**
   * Opens a session for an input that the gateway itself writes on behalf of a principal. Opens it only if an
   * input of the principal would be forwarded at once, because no approval can be requested here. A refusal
   * is not recorded, because no person sent the input.
   * @throws AppError as `enter`; `forbidden` when access is denied, or needs an approval.
   */
  async enterUnasked(principal: Principal, visit: SessionRequest, reserve: Reserve): Promise<Session> {
    const target = await this.target(principal, visit.connection);
    const decision = await this.entrance.decide(principal, target, visit.verb);
    if (decision.kind === 'deny') throw new AppError('forbidden', decision.message);
    if (decision.kind === 'review')
      throw new AppError('forbidden', `the connection ${target.name} needs an approval for each script`);
    return this.open(principal, target, decision, visit, reserve);
  }

  /**
   * Claims an approved script for its one execution, in the session that waits to run it. Access is decided
   * again with the current permissions of the requester; no second approval is needed. The approval is
   * checked first, then the script is judged, then the approval is claimed. So the approval stays unused if
   * too many texts wait to be judged. The script is admitted as an `approved` command.
   * @throws AppError `not_found` to people who may not see the session; `forbidden` to people who may not run
   * the script, and when its requester may no longer run it; `conflict` with the reason in all other cases:
   * not approved, used, expired, outside the approved hours, another input, no connection. A requester who
   * may no longer open the connection gets the same answer as for a deleted connection. The errors of
   * `limitError` when too many texts wait to be judged.
   */
  async resume(
    actor: Principal,
    sessionId: string,
    said: SaidInput,
    { reserve, askOf }: ExecutionTerms,
  ): Promise<Resumed> {
    const pending = await this.pending.find(actor, sessionId);
    const { requester, reviewId } = pending;
    const stored = await this.entrance.targetById(requester.orgId, pending.connectionId);
    const gone = `the connection ${pending.connectionName} was deleted after the request, or is not open to you any more`;
    if (stored === undefined) throw new AppError('conflict', gone);
    const decision = await this.entrance.decide(requester, stored, 'exec');
    if (decision.kind === 'deny') {
      const isOwn = actor.userId === requester.userId;
      if (isOwn && decision.code === 'not_in_access_groups') throw new AppError('conflict', gone);
      throw new AppError(
        'forbidden',
        isOwn ? decision.message : `its requester may not open the connection ${stored.name} any more`,
      );
    }
    const target = asOf(requester, stored);
    const input = { script: pending.script, arguments: [], environment: {}, ...said };
    reserve(requester, target);
    const owner = ownerOf(requester, target, { sessionId: pending.id });
    const hash = await inputHash(input);
    await this.pending.requireUsable(pending, hash);
    const early = await this.judgedEarly({ target, text: pending.script, ask: askOf(target), owner });
    const trail = await this.pending.claim(pending, target, hash);
    const guarded = new GuardedTrail(target, trail, this.guardrails, owner, early);
    return { session: new Session(guarded), script: input.script, reviewId };
  }

  /** Judges an approved script. @throws AppError when a temporary limit of judging is exceeded */
  private async judgedEarly(text: EarlyText): Promise<EarlyJudgement> {
    const early = await EarlyJudgement.of(text, this.guardrails);
    const { refusal } = early;
    // Do not throw if the text takes too long to judge, because a later try would fail, too. The claimed
    // session records the refusal and ends.
    if (refusal?.reason === 'limit' && refusal.code !== 'unprocessable') throw limitError(refusal);
    return early;
  }

  /**
   * Opens a session for a client of the target's own protocol. Where approval is
   * required, the client is admitted while its grant is valid. Its commands need no
   * review; single calls (`Session.admitCall`) may need one each.
   * @throws AppError `not_found`; `forbidden` when the client is not admitted, which is recorded too.
   */
  async connect(principal: Principal, visit: Omit<SessionRequest, 'verb' | 'script'>): Promise<Session> {
    const stored = await this.target(principal, visit.connection);
    const { refused, ...entrance } = await this.entrance.forClient(principal, stored, visit);
    const target = refused === undefined ? asOf(principal, stored) : stored;
    const entry = { ...visit, ...entrance, verb: 'connect', script: null } as const;
    const guarded = await this.begin(principal, target, entry);
    if (refused === undefined) {
      await guarded.askForRules();
      return new Session(guarded, undefined, this.approvals.ofCalls(principal, target, entry.reason));
    }
    await turnAway(guarded.trail, refused);
    throw new AppError('forbidden', refused);
  }

  private async open(
    principal: Principal,
    target: Target,
    decision: AccessDecision,
    visit: SessionRequest,
    reserve: Reserve,
  ): Promise<Session> {
    if (decision.kind !== 'deny') {
      requireReason(decision.reasonFor, visit.reason);
      reserve(principal, target);
    }
    const own = decision.kind === 'deny' ? target : asOf(principal, target);
    const guarded = await this.begin(principal, own, visit);
    return new Session(guarded, this.approvals.ofInputs(principal, target, decision, visit.reason));
  }

  private async begin(
    principal: Principal,
    target: Target,
    entry: Omit<SessionEntry, 'principal' | 'target'>,
  ): Promise<GuardedTrail> {
    const labels = target.role === undefined ? entry.labels : { ...entry.labels, target_role: target.role };
    const trail = await inSpan('gateway.open_recording', {}, () =>
      this.recorder.begin({ ...entry, labels, principal, target }),
    );
    currentSpan()?.note({ 'gateway.session.id': trail.sessionId, 'gateway.connection': target.name });
    return new GuardedTrail(target, trail, this.guardrails, ownerOf(principal, target, trail));
  }

  /**
   * Returns the reason why nothing can be admitted at the moment, for operators; undefined if there is none.
   */
  fault(): string | undefined {
    return this.recorder.fault();
  }

  /** Tests whether sessions can be recorded. Returns the fault, if any. */
  tryRecording(): Promise<string | undefined> {
    return this.recorder.tryOut();
  }

  /** @throws AppError `not_found` */
  target(principal: Principal, nameOrId: string): Promise<Target> {
    return this.entrance.target(principal, nameOrId);
  }
}

/** Returns the target with the role that the principal has there. Call only after access is decided. */
function asOf(principal: Principal, target: Target): Target {
  return target.asPerson?.(principal) ?? target;
}

function ownerOf(
  { userId, email, subject }: Principal,
  { id: connectionId }: Target,
  { sessionId }: Pick<SessionTrail, 'sessionId'>,
): SessionOwner {
  return { userId, person: email === '' ? subject : email, connectionId, sessionId };
}

async function turnAway(trail: SessionTrail, message: string): Promise<void> {
  await trail.append('e', `${message}\n`);
  await trail.end(EXIT_BLOCKED);
}
