import { useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import { pagePerson } from '../api/page-person';

export const personQuery = api.queryOptions('get', '/userinfo', undefined, { staleTime: 30_000 });

/** The signed-in user. Waits (Suspense) until it is known. @throws ApiFault 401 when nobody is signed in */
export function usePerson() {
  const person = useSuspenseQuery(personQuery).data;
  pagePerson.learn(person.id);
  return person;
}

export type Person = ReturnType<typeof usePerson>;

export const isAdmin = ({ role }: Person): boolean => role === 'admin';
export const readsAll = ({ role }: Person): boolean => role !== 'regular';
/** Whether the person may change anything. Auditors may only read. */
export const mayAct = ({ role }: Person): boolean => role !== 'auditor';
