import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SecurityHeaders } from './security-headers';

describe('security headers', () => {
  const headersFor = (isTls: boolean) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    new SecurityHeaders(isTls).set(response);
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
      'content-security-policy': expect.not.stringContaining('upgrade-insecure-requests'),
    });
  });

  it('demand https where the gateway has it', () => {
    expect(headersFor(true)).toHaveProperty('strict-transport-security');
  });
});
