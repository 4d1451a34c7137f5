const HEADER = 'X-Gateway-Portal-Person';

let person: string | undefined;

/**
 * Whose page this is, from the first answer of `/userinfo` on. All tabs of a browser have one cookie: with
 * it, somebody else may sign in beside this page.
 */
export const pagePerson = {
  get id(): string | undefined {
    return person;
  },
  learn: (id: string): void => {
    person ??= id;
  },
  /** Has the gateway refuse (401) what would be done in the name of somebody else. */
  mark: (headers: Headers): void => {
    if (person !== undefined) headers.set(HEADER, encodeURIComponent(person));
  },
};
