import { randomBytes } from 'node:crypto';
import { readEnvironment } from '../../platform/config/environment';
import { completeSettings } from '../../platform/config/settings';
import { SecretBox } from '../../platform/keys/secret-box';
import { Clock } from '../../kernel/async/clock';
import { WebhookSecrets, secretFrom } from './webhook-secrets';

class TestClock extends Clock {
  time = Date.parse('2026-01-31T08:00:00Z');
  now(): number {
    return this.time;
  }
}

const HOUR_MS = 3_600_000;
const settings = completeSettings(readEnvironment({}), {
  DATABASE_URL: 'postgres://x/y',
  IDP_ISSUER: 'http://i',
  IDP_CLIENT_ID: 'c',
  SECRET_KEY: [randomBytes(32)],
});
const owner = { orgId: 'org', id: 'webhook' };
const keyOf = (secret: string): string => secret.slice('whsec_'.length);

describe('secrets of webhooks', () => {
  const clock = new TestClock();
  const secrets = new WebhookSecrets(new SecretBox(settings.sealing), clock);
  const keys = (sealed: Buffer): string[] => secrets.keys(owner, sealed).map((key) => key.toString('base64'));

  it('sign alone, then beside the next one for a day, and then not at all', () => {
    const [first, second, third] = [secretFrom(undefined), secretFrom(undefined), secretFrom(undefined)];
    const sealed = secrets.seal(owner, first);
    expect(keys(sealed)).toEqual([keyOf(first)]);
    const rotated = secrets.rotate(owner, sealed, second);
    expect(rotated.until.getTime()).toBe(clock.time + 24 * HOUR_MS);
    expect(keys(rotated.sealed)).toEqual([keyOf(second), keyOf(first)]);
    // A second rotation soon after the first removes the oldest secret.
    expect(keys(secrets.rotate(owner, rotated.sealed, third).sealed)).toEqual([keyOf(third), keyOf(second)]);
    clock.time += 24 * HOUR_MS;
    expect(keys(rotated.sealed)).toEqual([keyOf(second)]);
  });

  it('can be replaced when no key opens them any more; the one before signs no longer', () => {
    const unreadable = secrets.seal({ ...owner, id: 'another' }, secretFrom(undefined));
    const next = secretFrom(undefined);
    const { sealed, until } = secrets.rotate(owner, unreadable, next);
    expect(until.getTime()).toBe(clock.time);
    expect(keys(sealed)).toEqual([keyOf(next)]);
  });

  it('open in the row alone for which they were sealed', () => {
    const sealed = secrets.seal(owner, secretFrom(undefined));
    expect(() => secrets.keys({ ...owner, id: 'another' }, sealed)).toThrow(/authenticate/);
    expect(() => secrets.keys({ ...owner, orgId: 'another' }, sealed)).toThrow(/authenticate/);
  });

  it.each([24, 32, 64])('may be of %i bytes', (bytes) => {
    const secret = `whsec_${randomBytes(bytes).toString('base64')}`;
    expect(secretFrom(secret)).toBe(secret);
  });

  it.each([
    ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['without its prefix', Buffer.alloc(32).toString('base64')],
    ['of another prefix', `whsk_${Buffer.alloc(32).toString('base64')}`],
    ['in another alphabet', `whsec_${'_'.repeat(44)}`],
    ['with its end missing', `whsec_${'A'.repeat(43)}`],
    ['with white space', `whsec_${'A'.repeat(44)}\n`],
    ['empty', ''],
  ])('are refused when they are %s', (_, secret) => {
    expect(() => secretFrom(secret)).toThrow(
      /^secret must be whsec_ followed by the base64 of 24 to 64 bytes$/,
    );
  });
});
