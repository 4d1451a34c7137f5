import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { PageSignIn, type PageVisitor } from '../../../identity/auth/sign-in/page-sign-in';
import { HttpSettings } from '../../../platform/config/groups';
import { satisfies } from '../../../platform/http/routes/access';
import type { ChangingRequest } from '../../../platform/http/routes/change';
import { EdgeFault } from '../../../platform/http/edge/edge-fault';
import { answerPageFault } from '../../../platform/http/pages/fault-page';
import { requireOwnForm } from '../../../platform/http/pages/own-form';
import { attribute, answerPage } from '../../../platform/http/pages/page';
import { PageFault } from '../../../platform/http/pages/page-fault';
import { readText } from '../../../platform/http/pages/read-text';
import { AppError } from '../../../kernel/app-error';
import { REASON_RULE, isReason, normalizedReason } from '../../../kernel/text/names';
import { REVIEW_PAGES } from '../../../platform/addresses/review-page';
import { MAX_REASON, type ReviewBody } from '../requests/review-body.dto';
import { reviewPageBody, reviewPageTitle } from './review-page';
import { ReviewRequests } from '../requests/review-requests';

const ID = /^\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;
/** Maximum size of a form: it fits the longest reason, percent-encoded. */
const MAX_BYTES = 64 * 1024;

/**
 * `{API_PREFIX}/pages/reviews/{id}`: the page to which a chat or an IDE links. It shows one review, and
 * accepts a decision from a person who has the right to decide by the API (`ReviewRequests`). It is not a
 * route of the API, because people read it and sign in to it by a cookie.
 */
@Injectable()
export class ReviewPages {
  private readonly log = new Logger(ReviewPages.name);

  constructor(
    private readonly signIn: PageSignIn,
    private readonly requests: ReviewRequests,
    private readonly settings: HttpSettings,
  ) {}

  /** Express middleware, mounted on the path of the pages, after the middleware of the audit log. */
  async handle(request: ChangingRequest, response: Response, next: NextFunction): Promise<void> {
    const [, id] = ID.exec(request.path) ?? [];
    if (id === undefined) return next();
    try {
      switch (request.method) {
        case 'GET':
          return await this.show(request, response, id.toLowerCase());
        case 'POST':
          return await this.decide(request, response, id.toLowerCase());
        default:
          response.set('Allow', 'GET, POST');
          throw new EdgeFault(405, `this page does not support ${request.method}`);
      }
    } catch (error) {
      answerPageFault(response, error, this.log);
    }
  }

  private async show(request: ChangingRequest, response: Response, id: string): Promise<void> {
    const visitor = await this.signIn.visitor(request);
    if (visitor !== undefined) return this.send(response, visitor, id);
    const { searchParams } = new URL(request.originalUrl, this.settings.apiUrl);
    // After a failed sign-in, the URL has `error`. Do not begin another sign-in, as it could loop forever.
    if (!searchParams.has('error')) return this.signIn.begin(request, response, `${REVIEW_PAGES}/${id}`);
    answerPage(response, {
      status: 403,
      title: 'You are not signed in',
      body: `<p>The sign-in was cancelled or failed.</p>\n<p><a href="${attribute(id)}">Sign in</a></p>`,
    });
  }

  private async send(response: Response, visitor: PageVisitor, id: string): Promise<void> {
    const { person } = visitor;
    const { review, offers } = await this.requests.page(person, id);
    const view = { review, offers, person, proof: visitor.proof(formOf(id)) };
    answerPage(response, { status: 200, title: reviewPageTitle(view), body: reviewPageBody(view) });
  }

  private async decide(request: ChangingRequest, response: Response, id: string): Promise<void> {
    const visitor = await this.signIn.visitor(request);
    if (visitor === undefined)
      throw new PageFault(
        'Please start again',
        'Your sign-in to this page is over. Open its address again.',
        403,
      );
    requireOwnForm(request, this.settings.apiUrl);
    const form = new URLSearchParams(
      await readText(request, response, 'application/x-www-form-urlencoded', MAX_BYTES),
    );
    if (!visitor.isProof(formOf(id), form.get('proof') ?? ''))
      throw new PageFault('Please start again', 'This form is not the one that you were shown.', 403);
    const body = decisionOf(form);
    // With a principal, the audit log records the decision, even if the decision is refused.
    request.principal = visitor.person;
    if (!satisfies(visitor.person.role, 'operator'))
      throw new AppError('forbidden', 'auditors may read, but change nothing');
    if (request.change === undefined) throw new Error('the audit log comes before the pages');
    await this.requests.decide(request.change, id, body);
    response.status(303).set('Cache-Control', 'no-store').location(id).end();
  }
}

function formOf(id: string): string {
  return `review ${id}`;
}

/** @throws PageFault */
function decisionOf(form: URLSearchParams): ReviewBody {
  const decision = form.get('decision');
  if (decision === 'approve') return { status: 'APPROVED' };
  if (decision !== 'reject')
    throw new PageFault('Please start again', 'The form does not say what you decided.');
  const reason = normalizedReason(form.get('reason') ?? '');
  if (reason.length > MAX_REASON)
    throw new PageFault('Please shorten the reason', `It has ${MAX_REASON} characters at most.`);
  if (!isReason(reason)) throw new PageFault('Please write another reason', `It must ${REASON_RULE}.`);
  return { status: 'REJECTED', rejection_reason: reason === '' ? null : reason };
}
