import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { SecurityHeaders } from './security-headers';

describe('security headers', () => {
  const headersFor = (isTls: boolean) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    new SecurityHeaders(isTls, '/api/docs').set(response);
    return response.getHeaders();
  };

  it('are those of helmet, without what is obsolete', () => {
    expect(Object.keys(headersFor(false)).toSorted()).toEqual([
      'content-security-policy',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
    ]);
    expect(headersFor(false)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    });
  });

  it.each([
    ['/api/docs', true],
    ['/api/docs/swagger-ui-bundle.js', true],
    ['/api/docs-else', false],
    ['/api/sessions', false],
  ])('let the Swagger UI alone show itself: %s', (path, shows) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    new SecurityHeaders(false, '/api/docs').use({ path } as Request, response as Response, () => undefined);
    const policy = String(response.getHeader('content-security-policy'));
    expect(policy.includes("script-src 'self'")).toBe(shows);
    expect(policy).not.toContain('https:');
    expect(policy).not.toContain('upgrade-insecure-requests');
  });

  it('demand https where the gateway has it', () => {
    expect(headersFor(true)).toHaveProperty('strict-transport-security');
  });
});
