import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFault } from './api-fault';
import { queries } from './queries';

/** A resource with the version in which it was read. */
export interface Tagged<T> {
  readonly data: T;
  readonly etag: string;
}

/** The result of a request with `requests.GET` or another method of `requests`. */
export type Answer<T> = Promise<{ readonly data?: T; readonly response: Response }>;

/** Returns the resource of an answer with its ETag. @throws ApiFault */
export async function taggedOf<T>(answer: Answer<T>): Promise<Tagged<T>> {
  const { data, response } = await answer;
  if (data === undefined) throw new ApiFault(response.status, `HTTP ${response.status}`);
  return { data, etag: response.headers.get('etag') ?? '' };
}

/** True when a change was refused because another user changed the resource since it was read. */
export function isChangedFault(fault: unknown): boolean {
  return fault instanceof ApiFault && fault.status === 412;
}

/** Reads a resource with its `ETag`. Never uses a cached version, so that a new form shows current values. */
export function useTagged<T>(
  key: readonly unknown[],
  read: () => Answer<T>,
): UseQueryResult<Tagged<T>, unknown> {
  return useQuery<Tagged<T>, unknown>({
    queryKey: ['tagged', ...key],
    queryFn: () => taggedOf(read()),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Both versions of a resource that another user changed after it was read (412). */
export interface Conflict<T, Body> {
  readonly mine: Body;
  readonly theirs: Tagged<T>;
}

interface Options<T, Written extends T, Body> {
  /** The version that filled the form. */
  readonly base: Tagged<T>;
  readonly read: () => Answer<T>;
  /** Sends `etag` as `If-Match`. */
  readonly write: (body: Body, etag: string) => Answer<Written>;
  readonly onSaved: (saved: Tagged<Written>) => void;
  /** Called when the user accepts the other user's version. */
  readonly onTaken: (theirs: Tagged<T>) => void;
}

/** Saves a changed resource. Never overwrites another user's change without asking. */
export function useSaving<T, Written extends T, Body>({
  base,
  read,
  write,
  onSaved,
  onTaken,
}: Options<T, Written, Body>) {
  const [conflict, setConflict] = useState<Conflict<T, Body>>();
  const change = useMutation<Tagged<Written> | Conflict<T, Body>, unknown, { body: Body; etag: string }>({
    mutationFn: async ({ body, etag }) => {
      try {
        return await taggedOf(write(body, etag));
      } catch (fault) {
        if (!isChangedFault(fault)) throw fault;
        return { mine: body, theirs: await taggedOf(read()) };
      }
    },
    onSuccess: (outcome) => {
      if ('mine' in outcome) {
        setConflict(outcome);
        return;
      }
      setConflict(undefined);
      onSaved(outcome);
      void queries.invalidateQueries();
    },
  });
  return {
    save: (body: Body): void => change.mutate({ body, etag: base.etag }),
    isPending: change.isPending,
    fault: change.error,
    isSaved: change.isSuccess && conflict === undefined,
    conflict,
    /** Sends the user's version again. It overwrites the other user's version, which the user has seen. */
    keepMine: (): void => {
      if (conflict !== undefined) change.mutate({ body: conflict.mine, etag: conflict.theirs.etag });
    },
    takeTheirs: (): void => {
      if (conflict === undefined) return;
      setConflict(undefined);
      change.reset();
      onTaken(conflict.theirs);
    },
  };
}

/** The part of the result of `useSaving` that a form needs. */
export type Saving<T, Body> = Pick<
  ReturnType<typeof useSaving<T, T, Body>>,
  'conflict' | 'fault' | 'isPending' | 'isSaved' | 'keepMine' | 'takeTheirs'
>;
