const HEADER = 'X-Gateway-Portal-Person';

let person: string | undefined;

/**
 * The user of this page, known after the first answer of `/userinfo`. Another user may sign in with another
 * tab, because all tabs of a browser share one cookie.
 */
export const pagePerson = {
  get id(): string | undefined {
    return person;
  },
  learn: (id: string): void => {
    person ??= id;
  },
  /** The header makes the gateway refuse (401) a request that would act in the name of another user. */
  mark: (headers: Headers): void => {
    if (person !== undefined) headers.set(HEADER, encodeURIComponent(person));
  },
};
