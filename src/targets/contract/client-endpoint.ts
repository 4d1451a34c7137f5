import type { Settings } from '../../platform/config/settings';

/**
 * The place at this gateway where clients of a target's own protocol find it: a port of the kind, or a path
 * below that of the REST API.
 */
export type ClientEndpoint = PortEndpoint | PathEndpoint;

/** Clients connect to a port of the kind, and sign in with a credential that the gateway issued. */
export interface PortEndpoint {
  readonly at: 'port';
  /** Name of the protocol, such as `postgresql`: label of metrics, and what its proxy accepts. */
  readonly protocol: string;
  /** Name of the clients in sentences: `PostgreSQL`. */
  readonly clients: string;
  port(settings: Settings): ClientPort;
  /** Connection string as drivers take it, with `{username}`, `{password}` and `{database}`. */
  urlTemplate(port: ClientPort): string;
  /** Whether what listens there speaks the protocol, for the doctor. Never rejects. */
  isSpokenAt(host: string, port: number): Promise<boolean>;
}

/** Clients send HTTP requests below `API_URL`, with an access token of the gateway. */
export interface PathEndpoint {
  readonly at: 'path';
  readonly protocol: string;
  /** URL of the endpoint of a connection, with `{connection}` for its name. */
  urlTemplate(settings: Settings): string;
}

/** A port that the gateway opens for clients. */
export interface ClientPort {
  /** Name of the setting for the port, such as `POSTGRES_PROXY_PORT`, and of the one for the host. */
  readonly variable: string;
  readonly hostVariable: string;
  /** Host name or IP address that clients are given. */
  readonly host: string;
  /** 0: the gateway does not listen for these clients. */
  readonly port: number;
  readonly isTls: boolean;
}

/** With what a client signs in. */
export interface ClientLogin {
  /** Id of the credential. */
  readonly username: string;
  readonly password: string;
  /** Name of the database as the target has it; where targets of the kind have none, of the connection. */
  readonly database: string;
}

/** The connection string of one credential. */
export function connectionString(endpoint: PortEndpoint, port: ClientPort, login: ClientLogin): string {
  return endpoint
    .urlTemplate(port)
    .replaceAll(/\{(username|password|database)\}/g, (_, name: keyof ClientLogin) => quotable(login[name]));
}

/**
 * Percent-encoded, also the marks that a shell would read: people paste the address between quotes.
 * `@` needs no encoding in a path, and some drivers do not decode it (node-postgres, SQLAlchemy).
 */
function quotable(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@');
}
