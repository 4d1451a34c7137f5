import { AppError } from './app-error';
import { Places } from './places';

describe('places', () => {
  const words = { own: 'you have enough', all: 'there are no more', retryAfterSeconds: 3 };
  const refused = (code: string, message: string) =>
    expect.objectContaining({ code, message, retryAfterSeconds: 3 });
  const attempt = (places: Places, holder: string): unknown => {
    try {
      return places.take(holder);
    } catch (error) {
      return error instanceof AppError ? error : undefined;
    }
  };

  it('are so many for each, and so many for all', () => {
    const places = new Places(2, 3, words);
    places.take('a');
    const leave = places.take('a');
    expect(attempt(places, 'a')).toEqual(refused('too_many_requests', 'you have enough'));
    places.take('b');
    expect(attempt(places, 'c')).toEqual(refused('unavailable', 'there are no more'));
    leave();
    places.take('c');
    expect(attempt(places, 'a')).toEqual(refused('unavailable', 'there are no more'));
  });

  it('are left once, however often one says so', () => {
    const places = new Places(1, 2, words);
    const leave = places.take('a');
    leave();
    places.take('a');
    leave();
    expect(attempt(places, 'a')).toEqual(refused('too_many_requests', 'you have enough'));
    places.take('b');
    expect(attempt(places, 'c')).toEqual(refused('unavailable', 'there are no more'));
  });
});
