const HEADER = 'X-Gateway-Portal-Person';

let person: string | undefined;

/**
 * The user to whom this page belongs, known after the first response of `/userinfo`. All tabs of a browser
 * share one cookie, so another user may sign in with another tab.
 */
export const pagePerson = {
  get id(): string | undefined {
    return person;
  },
  learn: (id: string): void => {
    person ??= id;
  },
  /** Adds a header with the page's user. The gateway responds 401 if another user is signed in now. */
  mark: (headers: Headers): void => {
    if (person !== undefined) headers.set(HEADER, encodeURIComponent(person));
  },
};
