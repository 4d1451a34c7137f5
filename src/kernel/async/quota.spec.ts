import { AppError } from '../app-error';
import { Quota } from './quota';

describe('places', () => {
  const words = { own: 'you have enough', all: 'there are no more', retryAfterSeconds: 3 };
  const refused = (code: string, message: string) =>
    expect.objectContaining({ code, message, retryAfterSeconds: 3 });
  const attempt = (places: Quota, holder: string): unknown => {
    try {
      return places.acquire(holder);
    } catch (error) {
      return error instanceof AppError ? error : undefined;
    }
  };

  it('are so many for each, and so many for all', () => {
    const places = new Quota(2, 3, words);
    places.acquire('a');
    const leave = places.acquire('a');
    expect(attempt(places, 'a')).toEqual(refused('too_many_requests', 'you have enough'));
    places.acquire('b');
    expect(attempt(places, 'c')).toEqual(refused('unavailable', 'there are no more'));
    leave();
    places.acquire('c');
    expect(attempt(places, 'a')).toEqual(refused('unavailable', 'there are no more'));
  });

  it('are released once, also if they are left several times', () => {
    const places = new Quota(1, 2, words);
    const leave = places.acquire('a');
    leave();
    places.acquire('a');
    leave();
    expect(attempt(places, 'a')).toEqual(refused('too_many_requests', 'you have enough'));
    places.acquire('b');
    expect(attempt(places, 'c')).toEqual(refused('unavailable', 'there are no more'));
  });
});
