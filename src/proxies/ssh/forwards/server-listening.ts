import type { ClientChannel, TcpConnectionDetails, UNIXConnectionDetails } from 'ssh2';
import { resultWithin } from '../../../kernel/async/timeout';
import { ALL_INTERFACES, type ForwardEnd } from '../../../targets/ssh/forwards/forward-end';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { sshFault } from '../../../targets/ssh/ssh-faults';
import { PROGRAM_LOST, ServerRefused } from '../channels/ending';
import type { StreamOrigin } from '../driver/forward-requests';

/** A stream that the server offers, because a program has connected to where it listens. */
export interface OfferedStream {
  /** Undefined for a socket. */
  readonly origin: StreamOrigin | undefined;
  accept(): ClientChannel;
  reject(): void;
}

/** Time in which the server must answer that it listens. */
const LISTENS_WITHIN_MS = 15_000;
const REFUSED = 'The server refused to listen there.';

/** A port or socket at which a server listens for a client: RFC 4254, section 7.1. */
export class ServerListening {
  /** The end as the server knows it, with the port that it chose. */
  private end: ForwardEnd;
  private isClosed = false;
  /** The port that the server chose; 0 for a socket. Undefined until it listens. */
  port: number | undefined;

  /** @param offered gets each stream */
  constructor(
    private readonly server: OpenSsh,
    end: ForwardEnd,
    private readonly offered: (stream: OfferedStream) => void,
  ) {
    this.end = end.kind === 'tcp' && end.host === ALL_INTERFACES ? { ...end, host: '' } : end;
  }

  /** Asks the server to listen. Resolves with itself when it does. @throws ServerRefused */
  async begin(): Promise<this> {
    const answer = this.asked();
    if ((await resultWithin(answer, LISTENS_WITHIN_MS)) !== undefined) return this;
    // A server that answers too late listens from then on, at a port that only its answer names.
    answer.then(
      () => this.close(),
      () => undefined,
    );
    throw new ServerRefused(sshFault('SLOW_REQUEST').message);
  }

  /**
   * Lets the server listen no more. Without effect if it does not listen: a server that refused to listen may
   * do so for another request of the same client. Idempotent.
   */
  close(): void {
    if (this.port === undefined || this.isClosed) return;
    this.isClosed = true;
    const { client } = this.server;
    const forget = (): void =>
      void client.off('tcp connection', this.onTcp).off('unix connection', this.onSocket);
    try {
      if (this.end.kind === 'tcp') client.unforwardIn(this.end.host, this.end.port, forget);
      else client.openssh_unforwardInStreamLocal(this.end.path, forget);
    } catch {
      // The connection to the server is closed.
      forget();
    }
  }

  private asked(): Promise<number> {
    const { end } = this;
    const { client } = this.server;
    return new Promise((resolve, reject) => {
      const answered = (error: Error | null | undefined, port = 0): void => {
        if (error) return reject(new ServerRefused(this.server.isOpen ? REFUSED : PROGRAM_LOST.cause));
        // At once, because a stream may come together with the answer. Not before, because until then the
        // streams from this end are those of another request.
        if (end.kind === 'tcp') this.end = { ...end, port };
        this.port = port;
        client.on('tcp connection', this.onTcp).on('unix connection', this.onSocket);
        resolve(port);
      };
      if (end.kind === 'tcp') client.forwardIn(end.host, end.port, answered);
      else client.openssh_forwardInStreamLocal(end.path, (error) => answered(error));
    });
  }

  private readonly onTcp = (
    { destIP, destPort, srcIP, srcPort }: TcpConnectionDetails,
    accept: () => ClientChannel,
    reject: () => void,
  ): void => {
    const { end } = this;
    if (end.kind === 'tcp' && end.host === destIP && end.port === destPort)
      this.take({ origin: { host: srcIP, port: srcPort }, accept, reject });
  };

  private readonly onSocket = (
    { socketPath }: UNIXConnectionDetails,
    accept: () => unknown,
    reject: () => void,
  ): void => {
    // The types of the driver forget that the channel is one of a client.
    if (this.end.kind === 'socket' && this.end.path === socketPath)
      this.take({ origin: undefined, accept: () => accept() as ClientChannel, reject });
  };

  private take(stream: OfferedStream): void {
    if (this.isClosed) stream.reject();
    else this.offered(stream);
  }
}
