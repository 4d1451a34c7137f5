import { createHash } from 'node:crypto';
import { canonicalJson, type Json, writeJson } from '../../../kernel/json/json';
import { reviewedCall } from './call-hash';

describe('a call as people review it', () => {
  const call = { connection: 'c', tool: 'delete', fingerprint: 'f', principal: 'p' };

  it('has the text of its arguments, and the hash of all that decides what it does', () => {
    const args: Json = { b: [1, 'two'], a: null };
    const reviewed = reviewedCall({ ...call, arguments: args }, 'known');
    expect(reviewed).toMatchObject({ name: 'delete', fingerprint: 'f', knownReview: 'known' });
    expect(reviewed.arguments).toBe(writeJson(args));
    const plainly = createHash('sha256').update(canonicalJson({ ...call, arguments: args }));
    expect(reviewed.hash).toEqual(plainly.digest());
  });

  it('costs nothing where nobody reviews it', () => {
    const unread: Json = {};
    Object.defineProperty(unread, 'secret', {
      enumerable: true,
      get: () => {
        throw new Error('was read');
      },
    });
    const reviewed = reviewedCall({ ...call, arguments: unread }, undefined);
    expect(reviewed.name).toBe('delete');
    expect(() => reviewed.arguments).toThrow('was read');
    expect(() => reviewed.hash).toThrow('was read');
  });
});
