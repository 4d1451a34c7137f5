/** Runs the work as the worker's own: what it opens is shared by the files of the worker, and stays open. */
export declare function asWorker<T>(work: () => T): T;
