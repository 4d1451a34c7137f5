import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PageSignIn, type PageVisitor } from '../../../identity/auth/sign-in/page-sign-in';
import { Settings } from '../../../platform/config/settings';
import { EdgeFault } from '../../../platform/http/edge/edge-fault';
import { answerPageFault } from '../../../platform/http/pages/fault-page';
import { requireOwnForm } from '../../../platform/http/pages/own-form';
import { answerPage, sendMessage } from '../../../platform/http/pages/page';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { DEVICE_PAGE, DeviceDecisions } from './device-decisions';
import { sendCodeForm, sendDeviceQuestion } from './device-page';
import { Devices } from './devices';
import { Parameters } from '../protocol/parameters';
import { readForm } from '../protocol/request-body';
import { typedUserCode } from '../protocol/user-code';

/** One user may try 20 codes within the lifetime of a code (600 s), too few to guess one of 20^8 codes. */
const ATTEMPTS = { points: 20, duration: 600 };
const CODE_FORM = 'device code';

/**
 * Serves `{API_PREFIX}/pages/device`. There a signed-in person types the code of a device, sees the network
 * address and the program of the device, and decides. The page is not a route of the API.
 */
@Injectable()
export class DevicePages {
  private readonly log = new Logger(DevicePages.name);
  private readonly attempts = new RateLimiterMemory(ATTEMPTS);

  constructor(
    private readonly signIn: PageSignIn,
    private readonly devices: Devices,
    private readonly decisions: DeviceDecisions,
    private readonly settings: Settings,
  ) {}

  /** Express middleware, mounted on the path of the page. */
  async handle(request: Request, response: Response, next: NextFunction): Promise<void> {
    if (this.settings.mcp.authorization !== 'gateway' || request.path !== '/') return next();
    try {
      switch (request.method) {
        case 'GET':
          return await this.show(request, response);
        case 'POST':
          return await this.take(request, response);
        default:
          response.set('Allow', 'GET, POST');
          throw new EdgeFault(405, `this page does not support ${request.method}`);
      }
    } catch (error) {
      answerPageFault(response, error, this.log);
    }
  }

  private async show(request: Request, response: Response): Promise<void> {
    const visitor = await this.signIn.visitor(request);
    if (visitor !== undefined) return sendCodeForm(response, visitor.proof(CODE_FORM));
    const { searchParams } = new URL(request.originalUrl, this.settings.http.apiUrl);
    // The browser returns with `error` after a failed sign-in. Starting another sign-in here could loop
    // forever.
    if (!searchParams.has('error')) return this.signIn.begin(request, response, DEVICE_PAGE);
    answerPage(response, {
      status: 403,
      title: 'You are not signed in',
      body: `<p>The sign-in was cancelled or failed.</p>\n<p><a href="device">Sign in</a></p>`,
    });
  }

  private async take(request: Request, response: Response): Promise<void> {
    const visitor = await this.signIn.visitor(request);
    if (visitor === undefined)
      throw new PageFault(
        'Please start again',
        'Your sign-in to this page is over. Open its address again.',
        403,
      );
    requireOwnForm(request, this.settings.http.apiUrl);
    const form = await readForm(request, response);
    const userCode = typedUserCode(form.find('user_code') ?? '');
    const decision = form.find('decision');
    this.requireProof(visitor, form, decision === undefined ? CODE_FORM : formOf(userCode ?? ''));
    await this.countAttempt(visitor);
    const device = userCode === undefined ? undefined : await this.devices.waiting(userCode);
    if (userCode === undefined || device === undefined)
      return sendCodeForm(
        response,
        visitor.proof(CODE_FORM),
        'This code is unknown, was used or has expired. Look at your terminal again.',
      );
    const address = request.ip ?? '';
    if (decision === undefined) {
      const question = { device, userCode, person: visitor.person, address };
      return sendDeviceQuestion(response, { ...question, proof: visitor.proof(formOf(userCode)) });
    }
    const caller = { address, requestId: String(response.getHeader('x-request-id') ?? '') };
    const decided = decision === 'allow' ? 'allowed' : 'refused';
    if (!(await this.decisions.decide(device, visitor.person, decided, caller)))
      throw new PageFault('Please start again', 'Somebody has decided this already, or it has expired.');
    return decided === 'allowed'
      ? sendMessage(response, 200, 'You are signed in at your terminal', 'You can close this page.')
      : sendMessage(response, 200, 'You refused', 'The terminal was told so. You can close this page.');
  }

  private requireProof(visitor: PageVisitor, form: Parameters, shown: string): void {
    if (!visitor.isProof(shown, form.find('proof') ?? ''))
      throw new PageFault('Please start again', 'This form is not the one that you were shown.', 403);
  }

  private async countAttempt({ person }: PageVisitor): Promise<void> {
    try {
      await this.attempts.consume(person.userId);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new PageFault('Too many codes', 'You typed too many codes. Try again in ten minutes.', 429);
    }
  }
}

function formOf(userCode: string): string {
  return `device ${userCode}`;
}
