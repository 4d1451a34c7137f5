import { createHash, createHmac, hkdfSync, randomUUID, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../../platform/config/settings';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { newLoginSecret, pageCookieOf, setLoginCookie } from './login-cookie';
import { LOGIN_LIFETIME_MS } from './login-states';
import { LoginService } from './login.service';
import { Principals } from '../users/principals';

const PURPOSE = 'page';
const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** User who opened a page. */
export interface PageVisitor {
  /** The user in the current state. */
  readonly person: Principal;
  /** Returns the proof that a form must send back. Nobody can make it without this browser's cookie. */
  proof(form: string): string;
  isProof(form: string, given: string): boolean;
}

/**
 * Sign-in for standalone pages of the gateway. It works like `/login`. A sealed cookie keeps the user signed
 * in for ten minutes. The cookie is no credential of the API.
 */
@Injectable()
export class PageSignIn {
  private readonly keys: readonly Uint8Array[];
  private readonly limiter: RateLimiterMemory;

  constructor(
    private readonly login: LoginService,
    private readonly principals: Principals,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.keys = settings.sealing.keys.map(
      (key) => new Uint8Array(hkdfSync('sha256', key, Buffer.alloc(0), 'page sign-in', 32)),
    );
    this.limiter = new RateLimiterMemory({ points: settings.signIn.loginsPerMinute, duration: 60 });
    login.receive(PURPOSE, (person) => this.seal(person));
  }

  /** Redirects the browser to the sign-in, and then back to this page. @param path below `/pages` */
  async begin(request: Request, response: Response, path: string): Promise<void> {
    await this.limit(request);
    const { http } = this.settings;
    const browser = newLoginSecret(request, http);
    const location = await this.login.beginFor(PURPOSE, `${http.apiUrl}${http.apiPrefix}${path}`, browser);
    setLoginCookie(response, http, browser);
    response.status(303).set('Cache-Control', 'no-store').location(location).end();
  }

  /**
   * Returns undefined when nobody signed in at this browser, or when the sign-in has expired.
   * @throws PageFault when the person must not sign in any more
   */
  async visitor(request: Request): Promise<PageVisitor | undefined> {
    const cookie = pageCookieOf(request, this.settings.http);
    const userId = cookie === undefined ? undefined : await this.open(cookie);
    if (cookie === undefined || userId === undefined) return undefined;
    const proof = (form: string): string => createHmac('sha256', cookie).update(form).digest('base64url');
    return {
      person: await this.person(userId),
      proof,
      isProof: (form, given) => timingSafeEqual(sha256(proof(form)), sha256(given)),
    };
  }

  private async person(userId: string): Promise<Principal> {
    try {
      return await this.principals.current({ identityType: 'user', userId });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      throw new PageFault('You may not sign in', 'Your account here is inactive. Ask an administrator.', 403);
    }
  }

  private seal({ userId }: Principal): Promise<string> {
    return new EncryptJWT()
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setSubject(userId)
      .setJti(randomUUID())
      .setExpirationTime(new Date(this.clock.now() + LOGIN_LIFETIME_MS))
      .encrypt(this.keys[0] ?? new Uint8Array());
  }

  private async open(cookie: string): Promise<string | undefined> {
    for (const key of this.keys) {
      try {
        const options = {
          ...ALGORITHMS,
          currentDate: new Date(this.clock.now()),
          requiredClaims: ['exp', 'sub'],
        };
        return (await jwtDecrypt(cookie, key, options)).payload.sub;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  }

  private async limit(request: Request): Promise<void> {
    try {
      await this.limiter.consume(request.ip ?? '');
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new PageFault('Too many requests', 'There are too many sign-ins. Try again in a minute.', 429);
    }
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
