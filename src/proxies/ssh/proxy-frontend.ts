import type { SignedInSshClient } from './signed-in-client';

/** Serves signed-in SSH clients. */
export abstract class SshFrontend {
  /** Serves the client until it leaves. The listener then closes the socket. */
  abstract serve(client: SignedInSshClient): Promise<void>;
}
