import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from './queries';
import { type Answer, type Tagged, isChangedFault, taggedOf } from './tagged';

/** Requests and versions that a deletion needs. */
export interface Deleted<T> {
  /** Version that the user saw before deciding. A row of a list has no ETag. */
  readonly seen: { readonly data: T; readonly etag?: string };
  readonly read: () => Answer<T>;
  /** Sends `etag` as `If-Match`. */
  readonly remove: (etag: string) => Promise<unknown>;
  /** Returns the fields that the user saw. */
  readonly shown: (data: T) => object;
  readonly onDeleted: () => void;
}

/** Deletes only the version that the user saw. If others changed it, shows the new version first. */
export function useDeleting<T>({ seen, read, remove, shown, onDeleted }: Deleted<T>) {
  const [newer, setNewer] = useState<Tagged<T>>();
  const isAlike = (now: Tagged<T>): boolean =>
    JSON.stringify(shown(now.data)) === JSON.stringify(shown((newer ?? seen).data));
  const deletion = useMutation<Tagged<T> | undefined, unknown>({
    mutationFn: async () => {
      let { etag } = newer ?? seen;
      if (etag === undefined) {
        const now = await taggedOf(read());
        if (!isAlike(now)) return now;
        etag = now.etag;
      }
      try {
        await remove(etag);
        return undefined;
      } catch (fault) {
        if (!isChangedFault(fault)) throw fault;
        return taggedOf(read());
      }
    },
  });
  return {
    isPending: deletion.isPending,
    fault: deletion.error,
    /** The current version, when another user changed it since it was read. */
    newer,
    start: (done: () => void): void =>
      deletion.mutate(undefined, {
        onSuccess: (now) => {
          setNewer(now);
          if (now !== undefined) return;
          done();
          onDeleted();
          void queries.invalidateQueries();
        },
      }),
    forget: (): void => {
      setNewer(undefined);
      deletion.reset();
    },
  };
}
