import { readEnvironment } from '../../platform/config/environment';
import { completeSettings } from '../../platform/config/settings';
import { bodyOf } from './message';

const settings = completeSettings(readEnvironment({ API_URL: 'https://gw.example.com', API_PREFIX: '/v1' }), {
  DATABASE_URL: 'postgres://x/y',
  IDP_ISSUER: 'http://i',
  IDP_CLIENT_ID: 'c',
  SECRET_KEY: [],
});
const createdAt = new Date('2026-01-31T08:00:00.125Z');

describe('the body of a message', () => {
  it('is type, time and data, with links to what the data names', () => {
    const data = {
      session_id: 's',
      review_id: 'r',
      connection: { id: 'c', name: 'a.b-c', subtype: 'postgres' },
    };
    expect(
      JSON.parse(bodyOf({ type: 'review.requested', createdAt, data, format: 'standard' }, settings.http)),
    ).toEqual({
      type: 'review.requested',
      timestamp: '2026-01-31T08:00:00.125Z',
      data: {
        ...data,
        links: {
          session: 'https://gw.example.com/v1/sessions/s',
          review: 'https://gw.example.com/v1/reviews/r',
          connection: 'https://gw.example.com/v1/connections/a.b-c',
        },
      },
    });
  });

  it('links to nothing that is not there', () => {
    const data = { session_id: null, review_id: 'r' };
    const { links } = JSON.parse(
      bodyOf({ type: 'review.decided', createdAt, data, format: 'standard' }, settings.http),
    ).data;
    expect(links).toEqual({ review: 'https://gw.example.com/v1/reviews/r' });
  });
});
