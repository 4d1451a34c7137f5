import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { PendingLogin } from '../provider/identity-provider.client';
import { LoginState } from './login-state.entity';
import { OrganizationsService } from '../organization/organizations.service';

export const LOGIN_LIFETIME_MS = 10 * 60_000;
/**
 * Maximum number of sign-ins in progress. Beyond it, the oldest sign-ins are dropped, so that a flood of
 * sign-ins does not block new ones.
 */
const UNDER_WAY = 10_000;

/** A sign-in that was started. */
export interface BegunLogin extends LoginAim {
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** Redirect and purpose of a sign-in. */
export interface LoginAim {
  /** The URL to which the browser is sent at the end. */
  readonly redirect: string;
  /**
   * `token`: the redirect contains the access token. `portal`: a session of the portal begins. Any other
   * value: the receiver from `LoginService.receive` gets the user before the browser is redirected.
   */
  readonly purpose: string;
}

/** Stores the sign-ins in progress. */
@Injectable()
export class LoginStates {
  constructor(
    @InjectRepository(LoginState) private readonly states: Repository<LoginState>,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** @param browser The secret of the browser that must complete the sign-in; undefined: any browser may. */
  async keepLoginState(
    login: PendingLogin,
    { redirect, purpose }: LoginAim,
    browser: string | undefined,
  ): Promise<void> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    await this.states.delete({ orgId, expiresAt: LessThan(new Date(this.clock.now())) });
    await this.states.insert({
      orgId,
      stateHash: sha256(login.state),
      browserHash: browser === undefined ? null : sha256(browser),
      codeVerifier: login.codeVerifier,
      nonce: login.nonce,
      redirect,
      purpose,
      expiresAt: new Date(this.clock.now() + LOGIN_LIFETIME_MS),
    });
    await this.states.query(
      `DELETE FROM login_states WHERE state_hash = ANY (ARRAY(
         SELECT state_hash FROM login_states WHERE org_id = $1
         ORDER BY expires_at DESC, state_hash OFFSET $2 FOR UPDATE SKIP LOCKED))`,
      [orgId, UNDER_WAY],
    );
  }

  /**
   * Returns a sign-in that was started, and removes it, so that it can be used only once.
   * @throws AppError `malformed` when the state is unknown, used, expired, or belongs to another browser
   */
  async consume(state: string, browser: string | undefined): Promise<BegunLogin> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const deleted = await this.states
      .createQueryBuilder()
      .delete()
      .where({ orgId, stateHash: sha256(state) })
      .returning('*')
      .execute();
    const row = (
      deleted.raw as {
        browser_hash: Buffer | null;
        code_verifier: string;
        nonce: string;
        redirect: string;
        purpose: string;
        expires_at: Date;
      }[]
    )[0];
    if (row === undefined || row.expires_at.getTime() <= this.clock.now()) {
      throw new AppError('malformed', 'this sign-in is unknown, used or expired; please start again');
    }
    if (row.browser_hash !== null && !timingSafeEqual(row.browser_hash, sha256(browser ?? ''))) {
      throw new AppError('malformed', 'this sign-in was started in another browser; please start again');
    }
    return {
      codeVerifier: row.code_verifier,
      nonce: row.nonce,
      redirect: row.redirect,
      purpose: row.purpose,
    };
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
