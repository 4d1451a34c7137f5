// Generated from openapi.json by openapi-typescript: npm run generate
export interface paths {
    "/audit/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who changed what, newest first */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the log is as it was written */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List attributes, newest first */
        get: operations["listAttributes"];
        put?: never;
        /** Create an attribute */
        post: operations["createAttribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attributes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one attribute */
        get: operations["getAttribute"];
        /** Describe an attribute */
        put: operations["updateAttribute"];
        post?: never;
        /** Delete an attribute, and take it off everything */
        delete: operations["deleteAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the built-in catalog of remote MCP servers */
        get: operations["listMcpCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process answers */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served: database, migrations, and the journal of recordings */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evidence-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public keys that verify evidence
         * @description A JSON Web Key Set. Save it to a file and give it to `npm run verify-recording -- <file> --public-keys <keys>`: no secret is needed. Keys stay in the set after the secret key was rotated.
         */
        get: operations["listEvidenceKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardrails/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What rules would find, in a text and in recorded sessions */
        post: operations["dryRunGuardRails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/effective-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What would happen to a user on a connection, and why */
        get: operations["getEffectivePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks, newest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Have events sent to an endpoint; the secret that signs them is shown once */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one webhook, without its secret */
        get: operations["getWebhook"];
        /** Replace a webhook whole, but for its secret */
        put: operations["updateWebhook"];
        post?: never;
        /** Delete a webhook, and what it is still to be sent */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign with another secret, shown once; for 24 hours with the one before it, too */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a webhook was sent and is to be sent, newest first */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send again what is dead, or was delivered */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message of the type `webhook.test`, to see whether it arrives */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, newest first
         * @description Regular users see their own sessions, and those that waited for a review, or came by access that people approved, which names a group of theirs; auditors and admins see all. With `q`, regular users find their own only.
         */
        get: operations["listSessions"];
        put?: never;
        /** Run a script on a connection */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a script that was approved, once; for who asked for it and admins */
        post: operations["execSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Connect to the target, and say what came of it */
        get: operations["testConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, masked, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key; it is shown once */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one API key, masked */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begin a sign-in at the identity provider */
        get: operations["login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the identity provider returns the browser to */
        get: operations["callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who the caller is */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/serverinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current server configuration */
        get: operations["getServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/publicserverinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to sign in here */
        get: operations["getPublicServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List groups by name, with how many members they have */
        get: operations["listGroups"];
        put?: never;
        /** Declare a group */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a group and its manual memberships */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization and its features */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Turn features on or off */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, newest first */
        get: operations["listUsers"];
        put?: never;
        /** Create a user ahead of the first sign-in */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /** Delete a user */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Set a user’s status, name or groups */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the connections that the caller may open */
        get: operations["listConnections"];
        put?: never;
        /** Create a connection */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one connection */
        get: operations["getConnection"];
        /** Replace a connection, all but its name and kind */
        put: operations["updateConnection"];
        post?: never;
        /** Delete a connection and its bindings */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /** Change some fields of a connection */
        patch: operations["patchConnection"];
        trace?: never;
    };
    "/access-requests/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all access request rules, newest first */
        get: operations["listAccessRequestRules"];
        put?: never;
        /** Create an access request rule */
        post: operations["createAccessRequestRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access-requests/rules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one access request rule */
        get: operations["getAccessRequestRule"];
        /** Replace an access request rule whole */
        put: operations["updateAccessRequestRule"];
        post?: never;
        /** Delete an access request rule */
        delete: operations["deleteAccessRequestRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List reviews, newest first: own ones and those that name a group of the caller; all for auditors */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one review, by its id or the id of its session */
        get: operations["getReview"];
        /** Approve, reject or revoke a review, by its id or the id of its session */
        put: operations["updateReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Approve, reject or revoke the review of a session */
        put: operations["updateSessionReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List guard rail rules, newest first */
        get: operations["listGuardRails"];
        put?: never;
        /** Create a guard rail rule */
        post: operations["createGuardRail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardrails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one guard rail rule */
        get: operations["getGuardRail"];
        /** Replace a guard rail rule whole */
        put: operations["updateGuardRail"];
        post?: never;
        /** Delete a guard rail rule */
        delete: operations["deleteGuardRail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardrails/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How often a guard rail rule was held against something, and how often it hit */
        get: operations["getGuardRailStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one session, or its recording as a file */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a session, wherever it runs; for its owner and admins */
        post: operations["killSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Set and remove keys of the metadata of a session; for its owner and admins */
        patch: operations["updateSessionMetadata"];
        trace?: never;
    };
    "/sessions/{session_id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Put a session under legal hold, which no retention ends, or release it */
        put: operations["setSessionHold"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the recording of a session
         * @description A stream of server-sent events: the recording from its start, or after the message that `Last-Event-ID` names, then what is recorded meanwhile, wherever the session runs.
         *
         *     - `message`: its data is a triple `[time, type, content]` as in `event_stream`: milliseconds since the start, `i`, `o` or `e`, base64. A large event comes in several messages: a fourth element, `true`, says that it goes on in the next one.
         *     - `end`: the last one, with the data `{ status, exit_code, end_date }`.
         *
         *     After 15 minutes, when the gateway stops, and when the reader may no longer read, the answer ends without `end`: ask again with the last id. Whoever asks again after `end` gets 204, which tells an EventSource to stay away. For the owner of the session, auditors and admins; each may follow 10 sessions at a time.
         */
        get: operations["streamSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a recording is what was recorded; for its owner, auditors and admins
         * @description Reads the whole recording. `GET /sessions/{session_id}?extension=evidence` is the same to be verified offline.
         */
        get: operations["verifySession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/download-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link by which a browser downloads the recording, once, within five minutes */
        post: operations["createDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a download link: the file that it was made for, once */
        get: operations["downloadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the removal of recordings is whose retention has ended */
        get: operations["getRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/retention/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove recordings whose retention has ended now, not when it is time */
        post: operations["startRetentionRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a user name and a password to connect with, or ask for them; the password is shown once */
        post: operations["createConnectionCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connection-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller’s own credentials, without passwords, newest first */
        get: operations["listConnectionCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/credentials/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a credential, or take back a request for one, and the sessions that came with it; for its owner and admins */
        post: operations["revokeConnectionCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditActorView: {
            /** @description Subject identifier. */
            id: string;
            email: string;
            /** @enum {string} */
            type: "user" | "machine";
        };
        FieldChangeView: {
            /** @example description */
            field: string;
            /** @description The value before; `[redacted]` where it is sensitive. */
            before: string | number | boolean | unknown[] | ({
                [key: string]: unknown;
            } | null);
            /** @description The value after. */
            after: string | number | boolean | unknown[] | ({
                [key: string]: unknown;
            } | null);
        };
        AuditLineView: {
            /** @description Place in the chain, from 1. */
            seq: number;
            /** Format: date-time */
            created_at: string;
            actor: components["schemas"]["AuditActorView"];
            /** @enum {string} */
            action: "create" | "update" | "delete" | "execute" | "search";
            /** @example guardrails */
            resource_type: string;
            /** @description Identifier or name of the resource; empty when there is none. */
            resource_id: string;
            /** @enum {string} */
            outcome: "success" | "denied" | "failed";
            /** @description HTTP status of the answer. */
            status: number;
            /** @description Network address of the caller. */
            client_address: string;
            request_id: string;
            changes: components["schemas"]["FieldChangeView"][];
            /** @description SHA-256 over this line and the hash before it. */
            hash: string;
        };
        PageInfo: {
            /**
             * @description This page, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description Items on a full page.
             * @example 1000
             */
            size: number;
            /**
             * @description Items in the whole list.
             * @example 1
             */
            total: number;
        };
        AuditPage: {
            data: components["schemas"]["AuditLineView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ErrorBody: {
            /**
             * @description One plain sentence that describes the error.
             * @example guard rail not found
             */
            message: string;
        };
        AuditVerificationView: {
            valid: boolean;
            /** @description Lines found right, from the first. */
            checked: number;
            /** @description The first line that is changed or missing. */
            broken_at: number | null;
            /** @description Hash of the last line found right; kept elsewhere, it proves that no line was cut off the end. */
            head: string;
        };
        AttributeView: {
            /** @example pii */
            name: string;
            description: string;
            connection_names: string[];
            guardrail_names: string[];
            access_rule_names: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AttributePage: {
            data: components["schemas"]["AttributeView"][];
            pages: components["schemas"]["PageInfo"];
        };
        AttributeBody: {
            /** @description Free text. Default: empty. */
            description?: string;
            /**
             * @description Unique name.
             * @example pii
             */
            name: string;
        };
        AttributeChangeBody: {
            /** @description Free text. Default: empty. */
            description?: string;
        };
        CatalogEntryView: {
            /**
             * @description Catalog key; unique and stable.
             * @example github
             */
            name: string;
            /** @description One-line summary of what the server exposes. */
            description: string;
            /**
             * Format: uri
             * @description The MCP endpoint; the value for `REMOTE_URL`.
             */
            url: string;
            /**
             * @description Backend protocol; the value for `MCP_TRANSPORT`.
             * @enum {string}
             */
            transport: "streamable-http" | "sse";
            /**
             * @description Default auth mode that the provider documents.
             * @enum {string}
             */
            auth: "none" | "static" | "oauth";
            /** @description Every auth mode the server accepts; the default comes first. */
            auth_modes: ("none" | "static" | "oauth")[];
            /**
             * @description Static credential header and its value template; empty when no mode is `static`.
             * @example Authorization: Bearer <token>
             */
            header: string;
            /** @description Provider caveats to read before enabling. */
            notes: string;
        };
        HealthView: {
            /** @enum {string} */
            status: "ok";
        };
        EvidenceKeyView: {
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            crv: "Ed25519";
            /**
             * @description Id of the key, as evidence names it.
             * @example 9f86d081
             */
            kid: string;
            /**
             * @description The public key, base64url.
             * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
             */
            x: string;
            /** @enum {string} */
            use: "sig";
            /** @enum {string} */
            alg: "EdDSA";
        };
        EvidenceKeysView: {
            keys: components["schemas"]["EvidenceKeyView"][];
        };
        TableConditionBody: {
            /** @description `table` or `schema.table`, as SQL writes it. */
            name: string;
            /**
             * @description Which access is denied.
             * @enum {string}
             */
            access: "read" | "write" | "any";
        };
        RuleEntryBody: {
            /**
             * @description Rule kind.
             * @enum {string}
             */
            type: "deny_words_list" | "pattern_match" | "sql_statement" | "detector";
            /** @description Words that are denied, anywhere and in any case; empty for pattern rules. */
            words: string[];
            /**
             * @description RE2 regular expression; empty string for word-list rules.
             * @example
             */
            pattern_regex: string;
            /** @description Name of the entry. */
            name?: string;
            /** @description Text shown to the user when this entry is hit. */
            message?: string;
            /** @description `deny_words_list`: the words are found in this case only. */
            case_sensitive?: boolean;
            /** @description `deny_words_list`: the words are not found inside longer words. */
            whole_word?: boolean;
            /** @description `sql_statement`: kinds of statements that are denied, wherever in the text they stand. */
            kinds?: ("select" | "insert" | "update" | "delete" | "merge" | "truncate" | "copy" | "copy_program" | "copy_file" | "create" | "alter" | "drop" | "import_foreign_schema" | "comment" | "security_label" | "refresh" | "grant" | "revoke" | "set" | "reset" | "show" | "discard" | "load" | "do" | "call" | "prepare" | "execute" | "deallocate" | "explain" | "declare_cursor" | "fetch" | "close" | "lock" | "vacuum" | "analyze" | "cluster" | "reindex" | "checkpoint" | "listen" | "notify" | "unlisten" | "begin" | "commit" | "rollback" | "savepoint" | "release" | "prepare_transaction" | "other")[];
            /** @description `sql_statement`: deny UPDATE and DELETE without WHERE. */
            without_where?: boolean;
            /** @description `sql_statement`: tables that are denied. */
            tables?: components["schemas"]["TableConditionBody"][];
            /** @description `sql_statement`: functions that are denied, as `function` or `schema.function`. */
            functions?: string[];
            /**
             * @description `sql_statement`: what becomes of a text that cannot be parsed or hides its effect. `refuse` unless given.
             * @enum {string}
             */
            unparseable?: "refuse" | "allow";
            /** @description `detector`: what is looked for. */
            detectors?: ("email" | "payment_card" | "us_ssn" | "iban" | "phone" | "aws_key" | "jwt" | "private_key")[];
            /**
             * @description Output only: `mask` replaces what is found, instead of stopping the stream. `block` unless given.
             * @enum {string}
             */
            action?: "block" | "mask";
            /** @description With `mask`: so many characters at the end stay readable. 0 unless given. */
            keep_last?: number;
        };
        RuleSetBody: {
            rules: components["schemas"]["RuleEntryBody"][];
        };
        GuardrailBody: {
            /**
             * @description Unique name of the rule.
             * @example no-drops
             */
            name: string;
            /** @description Free text. Default: empty. */
            description?: string;
            /**
             * @description What is held against input.
             * @example {
             *       "rules": [
             *         {
             *           "type": "deny_words_list",
             *           "words": [
             *             "DROP TABLE"
             *           ],
             *           "pattern_regex": "",
             *           "message": "Tables are not dropped here."
             *         }
             *       ]
             *     }
             */
            input?: components["schemas"]["RuleSetBody"];
            /**
             * @description What is held against output.
             * @example {
             *       "rules": []
             *     }
             */
            output?: components["schemas"]["RuleSetBody"];
            /**
             * @description The rule applies to connections that share one of these. Default: none.
             * @example [
             *       "pii"
             *     ]
             */
            attributes?: string[];
            /** @description Connections that the rule applies to. Default: none. */
            connection_ids?: string[];
        };
        DryRunBody: {
            /** @description A draft; give this or `rule_ids`. */
            rule?: components["schemas"]["GuardrailBody"];
            /** @description Stored rules. Default: none. */
            rule_ids?: string[];
            /** @enum {string} */
            direction: "input" | "output";
            /** @example DROP TABLE customers */
            text: string;
            /** @description Also replay this many of the last recorded sessions, and tell which would have been blocked. */
            sessions?: number;
        };
        DryRunHitView: {
            rule_name: string;
            /** @description Place of the entry in its rule set, from 0. */
            entry: number;
            /** @description Where the match begins, in UTF-16 code units. */
            start: number;
            /** @description Where it ends. */
            end: number;
            /** @description What matched, up to 256 characters; or the forbidden fact. */
            matched: string;
            /**
             * @description What becomes of it.
             * @enum {string}
             */
            action: "block" | "mask";
        };
        ReplayView: {
            /** @description Sessions replayed. */
            sessions: number;
            /** @description Sessions that would have been blocked. */
            blocked: number;
            /** @description Those that would have been blocked. */
            session_ids: string[];
        };
        DryRunView: {
            /** @enum {string} */
            verdict: "pass" | "block" | "mask";
            hits: components["schemas"]["DryRunHitView"][];
            replay?: components["schemas"]["ReplayView"];
        };
        ReasonView: {
            /** @enum {string} */
            code: "no_rule_applies" | "review_required" | "review_skipped" | "verb_disabled" | "not_in_access_groups" | "user_inactive" | "auditors_only_read";
            message: string;
        };
        OriginView: {
            /**
             * @description What binds the rule to the connection.
             * @enum {string}
             */
            by: "id" | "attribute" | "name";
            /** @description The id, attribute or name that both have. */
            value: string;
        };
        AppliedGuardrailView: {
            /** Format: uuid */
            id: string;
            name: string;
            origin: components["schemas"]["OriginView"];
            /** @description Why the rule cannot be applied; while it says so, the connection refuses everything. */
            fault: string | null;
        };
        AppliedAccessRuleView: {
            name: string;
            /** @enum {string} */
            access_type: "jit" | "command" | "jit_command";
            origin: components["schemas"]["OriginView"];
        };
        EffectivePolicyView: {
            /** @description Name of the connection. */
            connection: string;
            /** @description Subject identifier of the user. */
            user: string;
            /** @enum {string} */
            outcome: "open" | "review" | "refused";
            reasons: components["schemas"]["ReasonView"][];
            guardrails: components["schemas"]["AppliedGuardrailView"][];
            access_rules: components["schemas"]["AppliedAccessRuleView"][];
            /** @description Who would be asked, when a review is needed. */
            reviewers_groups: string[];
        };
        WebhookView: {
            /** Format: uuid */
            id: string;
            /** @example https://hooks.example.com/gateway */
            url: string;
            events: ("review.requested" | "review.decided" | "session.started" | "session.blocked" | "session.ended" | "access.revoked")[];
            /** @enum {string} */
            format: "standard" | "slack" | "teams";
            description: string;
            enabled: boolean;
            /** @description Why the gateway disabled it by itself: the endpoint answered with status 410. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookPage: {
            data: components["schemas"]["WebhookView"][];
            pages: components["schemas"]["PageInfo"];
        };
        NewWebhookBody: {
            /**
             * @description Where messages are posted to: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS names its host. It is a secret as far as it lets others post there: only admins see it.
             * @example https://hooks.example.com/gateway
             */
            url: string;
            /**
             * @description What it is told of.
             * @example [
             *       "review.requested",
             *       "review.decided"
             *     ]
             */
            events: ("review.requested" | "review.decided" | "session.started" | "session.blocked" | "session.ended" | "access.revoked")[];
            /**
             * @description `standard`: type, time and data, as Standard Webhooks has it. `slack`, `teams`: one sentence with a link, as an incoming webhook of that chat takes it. Default: standard.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description Free text. Default: empty. */
            description?: string;
            /** @description While it is not, it is told of nothing new, and what was waiting goes on waiting. Default: true. */
            enabled?: boolean;
            /**
             * @description `whsec_` and the base64 of 24 to 64 bytes. Default: a fresh one.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        NewWebhookView: {
            /** Format: uuid */
            id: string;
            /** @example https://hooks.example.com/gateway */
            url: string;
            events: ("review.requested" | "review.decided" | "session.started" | "session.blocked" | "session.ended" | "access.revoked")[];
            /** @enum {string} */
            format: "standard" | "slack" | "teams";
            description: string;
            enabled: boolean;
            /** @description Why the gateway disabled it by itself: the endpoint answered with status 410. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Messages are signed with it, as Standard Webhooks has it. It is shown this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        WebhookBody: {
            /**
             * @description Where messages are posted to: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS names its host. It is a secret as far as it lets others post there: only admins see it.
             * @example https://hooks.example.com/gateway
             */
            url: string;
            /**
             * @description What it is told of.
             * @example [
             *       "review.requested",
             *       "review.decided"
             *     ]
             */
            events: ("review.requested" | "review.decided" | "session.started" | "session.blocked" | "session.ended" | "access.revoked")[];
            /**
             * @description `standard`: type, time and data, as Standard Webhooks has it. `slack`, `teams`: one sentence with a link, as an incoming webhook of that chat takes it. Default: standard.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description Free text. Default: empty. */
            description?: string;
            /** @description While it is not, it is told of nothing new, and what was waiting goes on waiting. Default: true. */
            enabled?: boolean;
        };
        WebhookSecretBody: {
            /**
             * @description `whsec_` and the base64 of 24 to 64 bytes. Default: a fresh one.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        WebhookSecretView: {
            /**
             * @description The new secret. It is shown this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @description Until then messages bear a signature by the secret before it, too.
             */
            previous_valid_until: string;
        };
        DeliveryView: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The `webhook-id` of the message, the same at each attempt.
             */
            event_id: string;
            /** @example review.requested */
            event_type: string;
            /**
             * Format: uuid
             * @description The session that the event is about; else the review, or the credential. Those of one and the same arrive in order.
             */
            subject_id: string;
            /**
             * @description `dead`: it is not tried any more, unless it is replayed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "dead";
            /** @description How often it was tried, since it was queued or replayed. */
            attempts: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** @description HTTP status; null: there was no answer. */
            last_status: number | null;
            last_error: string | null;
            /**
             * Format: date-time
             * @description null: it is being sent, or waits for the one before it, or nobody will try again.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        DeliveryPage: {
            data: components["schemas"]["DeliveryView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ExecBody: {
            /**
             * @description Name of the connection.
             * @example demo
             */
            connection: string;
            /**
             * @description What to run; for postgres, one or more statements.
             * @example SELECT 1
             */
            script: string;
            /** @description Environment of the command; postgres scripts have none, so it must be empty. */
            env_vars?: {
                [key: string]: string;
            };
            /** @description Arguments of the command; postgres scripts have none, so it must be empty. */
            client_args?: string[];
            /**
             * @description Labels of the session. At most 20 strings, keys of up to 64 and values of up to 256 characters.
             * @example {
             *       "ticket": "OPS-12"
             *     }
             */
            labels?: {
                [key: string]: string;
            };
            /** @description At most 20 keys, values of up to 2500 characters. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Groups sessions executed simultaneously. */
            session_batch_id?: string;
            /** @description The caller’s own reference. */
            correlation_id?: string;
            /**
             * @description Why access is wanted: shown to reviewers, in events and in the audit log. Default: none.
             * @example OPS-12: refund of order 4711
             */
            reason?: string | null;
        };
        ExecView: {
            /** Format: uuid */
            session_id: string;
            /** @description Output and error output, up to 1 MiB; the recording has all of it. */
            output: string;
            /** @enum {string} */
            output_status: "success" | "failed" | "blocked" | "running";
            /** @description 0 clean, 1 a statement failed, 2 the target could not be reached or was lost, 254 blocked or internal; null while running. */
            exit_code: number | null;
            /** @description Milliseconds. */
            execution_time: number;
            /** @description Whether `output` was cut. */
            truncated: boolean;
            /** @description Whether the script waits for a review. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description Review that the script waits for, or was approved by.
             */
            review_id: string | null;
        };
        ApprovedExecBody: {
            /**
             * @description The script that was approved.
             * @example SELECT 1
             */
            script?: string;
            /**
             * @description The environment that was approved. At most 100 strings, keys of up to 256 and values of up to 32768 characters.
             * @example {}
             */
            env_vars?: {
                [key: string]: string;
            };
            /** @description The arguments that were approved. */
            client_args?: string[];
        };
        ReachView: {
            success: boolean;
            /** @description What was found, in plain words; never a part of the secret. */
            message: string;
            /** @description Milliseconds that it took. */
            duration_ms: number;
        };
        ApiKeyView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example nightly-report */
            name: string;
            /**
             * @description The beginning of the key.
             * @example gwk_3fK9…
             */
            masked_key: string;
            groups: string[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who made it. */
            created_by: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKeyView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ApiKeyBody: {
            /**
             * @description Unique among the keys that are not revoked.
             * @example nightly-report
             */
            name: string;
            /**
             * @description Groups of the machine: they decide its role and what it may open. Default: none.
             * @example [
             *       "reporting"
             *     ]
             */
            groups?: string[];
            /**
             * Format: date-time
             * @description When the key ends; must lie ahead. null or absent: never.
             */
            expires_at?: string | null;
        };
        CreatedApiKeyView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example nightly-report */
            name: string;
            /**
             * @description The beginning of the key.
             * @example gwk_3fK9…
             */
            masked_key: string;
            groups: string[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who made it. */
            created_by: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Send it as a bearer token. It is shown only now.
             * @example gwk_…
             */
            key: string;
        };
        LoginView: {
            /**
             * Format: uri
             * @description Address of the identity provider to open in the browser.
             */
            login_url: string;
        };
        UserInfoView: {
            /**
             * @description Subject identifier (`sub`) of the user.
             * @example admin
             */
            id: string;
            /** @example admin@example.com */
            email: string;
            /** @example Ada Admin */
            name: string;
            /**
             * @description Groups, from the identity provider and set by admins.
             * @example [
             *       "admin"
             *     ]
             */
            groups: string[];
            /**
             * @description Role that follows from the groups.
             * @enum {string}
             */
            role: "admin" | "auditor" | "regular";
            /** @description Whether the role is `admin`. */
            is_admin: boolean;
            /**
             * @description Inactive users get no answer but 401.
             * @enum {string}
             */
            status: "active";
            /** @enum {string} */
            identity_type: "user" | "machine";
            /** Format: uuid */
            org_id: string;
            /** @example default */
            org_name: string;
        };
        FeaturesView: {
            /** @description Connections are open only to their `access_groups`. */
            access_control: boolean;
            /** @description Access request rules ask people for approval. */
            review: boolean;
        };
        ServerInfoView: {
            /**
             * @description How people sign in.
             * @enum {string}
             */
            auth_method: "oidc";
            /**
             * Format: uri
             * @description Base address of the API.
             * @example http://127.0.0.1:8009/api
             */
            api_url: string;
            /**
             * @description Version of the API description.
             * @example 1.180.0
             */
            version: string;
            /**
             * Format: uri
             * @description OpenID Connect issuer.
             */
            idp_issuer: string;
            /** @example admin */
            admin_group: string;
            /** @example auditor */
            auditor_group: string;
            features: components["schemas"]["FeaturesView"];
        };
        PublicServerInfoView: {
            /**
             * @description How people sign in.
             * @enum {string}
             */
            auth_method: "oidc";
            /**
             * Format: uri
             * @description Base address of the API.
             * @example http://127.0.0.1:8009/api
             */
            api_url: string;
        };
        GroupView: {
            /** @example dba */
            name: string;
            description: string;
            /** @description How many users are in it. */
            members: number;
        };
        GroupPage: {
            data: components["schemas"]["GroupView"][];
            pages: components["schemas"]["PageInfo"];
        };
        GroupBody: {
            /**
             * @description Unique name.
             * @example dba
             */
            name: string;
            /** @description Free text. Default: empty. */
            description?: string;
        };
        OrganizationView: {
            /** Format: uuid */
            id: string;
            /** @example default */
            name: string;
            features: components["schemas"]["FeaturesView"];
        };
        FeaturesBody: {
            /** @description Connections are open only to their `access_groups`. */
            access_control?: boolean;
            /** @description Access request rules ask people for approval. */
            review?: boolean;
        };
        OrganizationBody: {
            features: components["schemas"]["FeaturesBody"];
        };
        UserView: {
            /**
             * @description Subject identifier (`sub`); names the user in paths.
             * @example auth0|5f7c
             */
            id: string;
            /**
             * Format: uuid
             * @description The gateway’s own identifier.
             */
            user_id: string;
            /** Format: uuid */
            org_id: string;
            email: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
            /** @enum {string} */
            role: "admin" | "auditor" | "regular";
            /** @description Groups set by hand. */
            groups: string[];
            /** @description Groups from the identity provider, as of the last sign-in. */
            idp_groups: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        UserPage: {
            data: components["schemas"]["UserView"][];
            pages: components["schemas"]["PageInfo"];
        };
        UserBody: {
            /**
             * @description Subject identifier (`sub`) at the identity provider.
             * @example auth0|5f7c
             */
            id: string;
            /**
             * Format: email
             * @example grace@example.com
             */
            email: string;
            /** @description Display name. Default: the e-mail. */
            name?: string;
            /**
             * @description Default: active.
             * @enum {string}
             */
            status?: "active" | "inactive";
            /**
             * @description Groups set by hand. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            groups?: string[];
        };
        UserChangeBody: {
            /**
             * @description Inactive users get no access at all.
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Display name. */
            name?: string;
            /**
             * @description Groups set by hand; replaces them whole. Absent: unchanged. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            groups?: string[];
        };
        ConnectionView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example pg-prod */
            name: string;
            /** @enum {string} */
            type: "database" | "application";
            /** @enum {string} */
            subtype: "postgres" | "mcpproxy";
            description: string;
            /**
             * @description The names that the secret holds; the values are never shown.
             * @example {
             *       "HOST": "",
             *       "PASS": ""
             *     }
             */
            secret: {
                [key: string]: "";
            };
            connection_tags: {
                [key: string]: string;
            };
            attributes: string[];
            guardrail_rules: string[];
            access_groups: string[];
            /** @enum {string} */
            access_mode_connect: "enabled" | "disabled";
            /** @enum {string} */
            access_mode_exec: "enabled" | "disabled";
            /** @enum {string} */
            access_mode_runbooks: "enabled" | "disabled";
            /** @enum {string} */
            access_schema: "enabled" | "disabled";
            resource_name: string;
            /** @enum {string} */
            recording: "on" | "input-only";
            /**
             * @description When what is recorded counts as durable and goes on: `journal` survives a kill of the gateway, `journal+fsync` a power loss too, `store` waits for the database. null: as the gateway is set.
             * @enum {string|null}
             */
            recording_mode: "journal" | "journal+fsync" | "store" | null;
            /** @description For how many days sessions are kept after their end. null: for ever. */
            retention_days: number | null;
            /** @description Whether the rows that clients of the target’s own protocol are answered are recorded although no guard rail looks at them; otherwise their number is. Means nothing where `recording` is `input-only`. */
            record_results: boolean;
            /** @enum {string} */
            status: "online" | "offline";
            managed_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ConnectionPage: {
            data: components["schemas"]["ConnectionView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ConnectionBody: {
            /**
             * @description Unique name; people open the connection by it.
             * @example pg-prod
             */
            name: string;
            /**
             * @example database
             * @enum {string}
             */
            type: "database" | "application";
            /**
             * @example postgres
             * @enum {string}
             */
            subtype: "postgres" | "mcpproxy";
            /** @description Free text. Default: empty. */
            description?: string;
            /**
             * @description How to reach the target. `NAME` carries plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it.
             * @example {
             *       "HOST": "db.internal",
             *       "PORT": "5432",
             *       "USER": "app",
             *       "PASS": "secret",
             *       "DB": "orders"
             *     }
             */
            secret: {
                [key: string]: string;
            };
            /**
             * @description Labels of the connection. At most 10 strings, keys of up to 64 and values of up to 256 characters.
             * @example {
             *       "environment": "production"
             *     }
             */
            connection_tags?: {
                [key: string]: string;
            };
            /**
             * @description Attributes: labels that join connections to rules. Default: none.
             * @example [
             *       "pii"
             *     ]
             */
            attributes?: string[];
            /** @description Guard rail rules that hold here. Default: none. */
            guardrail_rules?: string[];
            /**
             * @description Groups that may open the connection, where the access control feature is on. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            access_groups?: string[];
            /**
             * @description Whether clients of the target’s own protocol may connect. Default: enabled.
             * @enum {string}
             */
            access_mode_connect?: "enabled" | "disabled";
            /**
             * @description Whether scripts may be run. Default: enabled.
             * @enum {string}
             */
            access_mode_exec?: "enabled" | "disabled";
            /**
             * @description Whether runbooks may be run. Default: enabled.
             * @enum {string}
             */
            access_mode_runbooks?: "enabled" | "disabled";
            /**
             * @description Whether the schema may be browsed. Default: enabled.
             * @enum {string}
             */
            access_schema?: "enabled" | "disabled";
            /** @description Name of the resource that the connection leads to. Default: empty. */
            resource_name?: string;
            /**
             * @description `input-only`: what the target answers is screened and delivered, but not recorded. Default: on.
             * @enum {string}
             */
            recording?: "on" | "input-only";
            /**
             * @description When what is recorded counts as durable and goes on: `journal` survives a kill of the gateway, `journal+fsync` a power loss too, `store` waits for the database. null: as the gateway is set. Default: null.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description For how many days sessions are kept after their end. null: for ever. Default: null. */
            retention_days?: number | null;
            /** @description Whether the rows that clients of the target’s own protocol are answered are recorded although no guard rail looks at them; otherwise their number is. Means nothing where `recording` is `input-only`. Default: false. */
            record_results?: boolean;
        };
        ConnectionPatchBody: {
            /**
             * @description Unique name; people open the connection by it.
             * @example pg-prod
             */
            name?: string;
            /**
             * @example database
             * @enum {string}
             */
            type?: "database" | "application";
            /**
             * @example postgres
             * @enum {string}
             */
            subtype?: "postgres" | "mcpproxy";
            /** @description Free text. Default: empty. */
            description?: string;
            /**
             * @description How to reach the target. `NAME` carries plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it.
             * @example {
             *       "HOST": "db.internal",
             *       "PORT": "5432",
             *       "USER": "app",
             *       "PASS": "secret",
             *       "DB": "orders"
             *     }
             */
            secret?: {
                [key: string]: string;
            };
            /**
             * @description Labels of the connection. At most 10 strings, keys of up to 64 and values of up to 256 characters.
             * @example {
             *       "environment": "production"
             *     }
             */
            connection_tags?: {
                [key: string]: string;
            };
            /**
             * @description Attributes: labels that join connections to rules. Default: none.
             * @example [
             *       "pii"
             *     ]
             */
            attributes?: string[];
            /** @description Guard rail rules that hold here. Default: none. */
            guardrail_rules?: string[];
            /**
             * @description Groups that may open the connection, where the access control feature is on. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            access_groups?: string[];
            /**
             * @description Whether clients of the target’s own protocol may connect. Default: enabled.
             * @enum {string}
             */
            access_mode_connect?: "enabled" | "disabled";
            /**
             * @description Whether scripts may be run. Default: enabled.
             * @enum {string}
             */
            access_mode_exec?: "enabled" | "disabled";
            /**
             * @description Whether runbooks may be run. Default: enabled.
             * @enum {string}
             */
            access_mode_runbooks?: "enabled" | "disabled";
            /**
             * @description Whether the schema may be browsed. Default: enabled.
             * @enum {string}
             */
            access_schema?: "enabled" | "disabled";
            /** @description Name of the resource that the connection leads to. Default: empty. */
            resource_name?: string;
            /**
             * @description `input-only`: what the target answers is screened and delivered, but not recorded. Default: on.
             * @enum {string}
             */
            recording?: "on" | "input-only";
            /**
             * @description When what is recorded counts as durable and goes on: `journal` survives a kill of the gateway, `journal+fsync` a power loss too, `store` waits for the database. null: as the gateway is set. Default: null.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description For how many days sessions are kept after their end. null: for ever. Default: null. */
            retention_days?: number | null;
            /** @description Whether the rows that clients of the target’s own protocol are answered are recorded although no guard rail looks at them; otherwise their number is. Means nothing where `recording` is `input-only`. Default: false. */
            record_results?: boolean;
        };
        AccessRuleView: {
            /**
             * Format: uuid
             * @description Resource identifier.
             */
            id: string;
            /**
             * @description Rule name.
             * @example prod-databases
             */
            name: string;
            /** @description Rule description. */
            description: string;
            /**
             * @description Kind of access the rule grants.
             * @enum {string}
             */
            access_type: "jit" | "command" | "jit_command";
            /** @description Maximum access duration in seconds; null means 172800. */
            access_max_duration: number | null;
            /** @description Whether every approval-required group must approve. */
            all_groups_must_approve: boolean;
            /** @description Groups whose approval is required. */
            approval_required_groups: string[];
            /** @description Groups that may review. */
            reviewers_groups: string[];
            /** @description Groups that may force an approval. */
            force_approval_groups: string[];
            /** @description Groups that need no review. */
            skip_review_groups: string[];
            /** @description Minimum number of people who approve. */
            min_approvals: number | null;
            /** @description Attributes associated with the rule. */
            attributes: string[];
            /** @description Names of the connections the rule covers. */
            connection_names: string[];
            /** @description Set when a protection profile manages the rule. */
            managed_by: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Last update time.
             */
            updated_at: string;
        };
        AccessRulePage: {
            data: components["schemas"]["AccessRuleView"][];
            pages: components["schemas"]["PageInfo"];
        };
        AccessRuleBody: {
            /**
             * @description Unique name of the rule.
             * @example prod-databases
             */
            name: string;
            /** @description Free text. Default: empty. */
            description?: string;
            /**
             * @description `jit`: time-boxed connect; `command`: each exec; `jit_command`: both.
             * @enum {string}
             */
            access_type: "jit" | "command" | "jit_command";
            /**
             * @description Longest access, in seconds; null means 172800.
             * @example 1800
             */
            access_max_duration?: number | null;
            /** @description Whether every approval-required group must approve. Default: false. */
            all_groups_must_approve?: boolean;
            /**
             * @description Groups whose approval is required. Default: none.
             * @example []
             */
            approval_required_groups?: string[];
            /**
             * @description Groups that may review; at least one. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            reviewers_groups?: string[];
            /**
             * @description Groups that may force an approval. Default: none.
             * @example [
             *       "security"
             *     ]
             */
            force_approval_groups?: string[];
            /**
             * @description Groups that need no review; only while `approval_required_groups` is empty. Default: none.
             * @example []
             */
            skip_review_groups?: string[];
            /**
             * @description Least number of people who approve; at least 1 unless all groups must approve.
             * @example 1
             */
            min_approvals?: number | null;
            /**
             * @description The rule covers connections that share one of these. Default: none.
             * @example [
             *       "pii"
             *     ]
             */
            attributes?: string[];
            /**
             * @description Names of the connections the rule covers. Default: none.
             * @example [
             *       "pg-prod"
             *     ]
             */
            connection_names?: string[];
        };
        CheckedAccessRuleView: {
            /**
             * Format: uuid
             * @description Resource identifier.
             */
            id: string;
            /**
             * @description Rule name.
             * @example prod-databases
             */
            name: string;
            /** @description Rule description. */
            description: string;
            /**
             * @description Kind of access the rule grants.
             * @enum {string}
             */
            access_type: "jit" | "command" | "jit_command";
            /** @description Maximum access duration in seconds; null means 172800. */
            access_max_duration: number | null;
            /** @description Whether every approval-required group must approve. */
            all_groups_must_approve: boolean;
            /** @description Groups whose approval is required. */
            approval_required_groups: string[];
            /** @description Groups that may review. */
            reviewers_groups: string[];
            /** @description Groups that may force an approval. */
            force_approval_groups: string[];
            /** @description Groups that need no review. */
            skip_review_groups: string[];
            /** @description Minimum number of people who approve. */
            min_approvals: number | null;
            /** @description Attributes associated with the rule. */
            attributes: string[];
            /** @description Names of the connections the rule covers. */
            connection_names: string[];
            /** @description Set when a protection profile manages the rule. */
            managed_by: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Last update time.
             */
            updated_at: string;
            /**
             * @description What may not be meant: another access left open, unknown names, approvals that nobody can give today.
             * @example [
             *       "connect stays open on pg-prod: no rule of type jit covers it"
             *     ]
             */
            warnings: string[];
        };
        TimeWindowConfigurationView: {
            /**
             * @description HH:MM, UTC.
             * @example 22:00
             */
            start_time: string;
            /**
             * @description HH:MM, UTC; may lie past midnight.
             * @example 06:00
             */
            end_time: string;
        };
        TimeWindowView: {
            /** @enum {string} */
            type: "time_range";
            configuration: components["schemas"]["TimeWindowConfigurationView"];
        };
        ReviewerView: {
            id: string;
            name: string;
            email: string;
            slack_id: string;
        };
        ReviewGroupView: {
            /** Format: uuid */
            id: string;
            /**
             * @description Group that is asked.
             * @example dba
             */
            group: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @description Whether the approval was forced. */
            forced_review: boolean;
            /** Format: date-time */
            review_date: string | null;
            reviewed_by: components["schemas"]["ReviewerView"] | null;
        };
        ReviewedConnectionView: {
            /** Format: uuid */
            id: string | null;
            /**
             * @description As it was called when it was asked for.
             * @example pg-prod
             */
            name: string;
        };
        RequestView: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @enum {string} */
            type: "onetime" | "jit";
            /** @description Seconds; 0 for a one-time review. */
            access_duration: number;
            /** @example prod-databases */
            access_request_rule_name: string;
            min_approvals: number;
            force_approval_groups: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description When the access ends (RFC 3339); may be empty.
             * @example
             */
            revoke_at: string;
            rejection_reason: string | null;
            time_window: components["schemas"]["TimeWindowView"] | null;
            review_groups_data: components["schemas"]["ReviewGroupView"][];
            /**
             * Format: uuid
             * @description Session that waits for it; its script is there.
             */
            session_id: string | null;
            connection: components["schemas"]["ReviewedConnectionView"];
            /** @description Who asked. */
            review_owner: components["schemas"]["ReviewerView"];
            /** Format: date-time */
            approved_at: string | null;
            /**
             * Format: date-time
             * @description When it expires if nobody decides, or nobody uses the approval.
             */
            expires_at: string;
        };
        ReviewPage: {
            data: components["schemas"]["RequestView"][];
            pages: components["schemas"]["PageInfo"];
        };
        TimeWindowConfigurationBody: {
            /**
             * @description HH:MM, UTC.
             * @example 22:00
             */
            start_time: string;
            /**
             * @description HH:MM, UTC, not included; may lie past midnight.
             * @example 06:00
             */
            end_time: string;
        };
        TimeWindowBody: {
            /** @enum {string} */
            type: "time_range";
            configuration: components["schemas"]["TimeWindowConfigurationBody"];
        };
        ReviewBody: {
            /**
             * @description `APPROVED`: a vote; `REJECTED`: a vote that ends it; `REVOKED`: takes it back. No other can be set.
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @description With `APPROVED`: the hours in which it may be used. Those of several approvers are cut to what they have in common. */
            time_window?: components["schemas"]["TimeWindowBody"] | null;
            /** @description With `APPROVED`: satisfies at once each rule that names a group of the caller in `force_approval_groups`. Default: false. */
            force_review?: Record<string, never> | null;
            /** @description With `REJECTED` or `REVOKED`: why. Default: none. */
            rejection_reason?: Record<string, never> | null;
        };
        SidecarTargetView: {
            listener_name: string;
            /** Format: uuid */
            sidecar_id: string;
        };
        GuardrailView: {
            /**
             * Format: uuid
             * @description Resource identifier.
             */
            id: string;
            /**
             * @description Unique name of the rule.
             * @example no-drops
             */
            name: string;
            /** @description Rule description. */
            description: string;
            /** @description Attributes associated with the rule. */
            attributes: string[];
            /** @description Connections the rule applies to. */
            connection_ids: string[];
            /**
             * @description The input rule set.
             * @example {
             *       "rules": [
             *         {
             *           "type": "deny_words_list",
             *           "words": [
             *             "DROP TABLE"
             *           ],
             *           "pattern_regex": "",
             *           "message": "Tables are not dropped here."
             *         }
             *       ]
             *     }
             */
            input: components["schemas"]["RuleSetBody"];
            /**
             * @description The output rule set.
             * @example {
             *       "rules": []
             *     }
             */
            output: components["schemas"]["RuleSetBody"];
            /** @description Set to `gateway` when a protection profile manages the rule, which is then read-only. */
            managed_by: string | null;
            /** @description The rule in the sidecar’s own vocabulary. Present only in a control plane. */
            sidecar_spec?: {
                [key: string]: unknown;
            };
            /** @description Sidecar listeners the rule is bound to. Present only in a control plane. */
            sidecar_targets?: components["schemas"]["SidecarTargetView"][];
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Last update time.
             */
            updated_at: string;
        };
        GuardrailPage: {
            data: components["schemas"]["GuardrailView"][];
            pages: components["schemas"]["PageInfo"];
        };
        GuardrailStatsView: {
            /** Format: uuid */
            id: string;
            /** @description Inputs and streams of output that the rule was held against. */
            checked: number;
            /** @description What it blocked or masked. */
            hit: number;
            /**
             * Format: date-time
             * @description When it last hit.
             */
            last_hit: string | null;
        };
        ScriptView: {
            /**
             * @description The input.
             * @example SELECT 1
             */
            data: string;
        };
        AiAnalysisView: {
            /** @enum {string} */
            action: "allow_execution" | "block_execution" | "require_access_request";
            explanation: string;
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            title: string;
        };
        ReviewView: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @enum {string} */
            type: "onetime" | "jit";
            /** @description Seconds; 0 for a one-time review. */
            access_duration: number;
            /** @example prod-databases */
            access_request_rule_name: string;
            min_approvals: number;
            force_approval_groups: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description When the access ends (RFC 3339); may be empty.
             * @example
             */
            revoke_at: string;
            rejection_reason: string | null;
            time_window: components["schemas"]["TimeWindowView"] | null;
            review_groups_data: components["schemas"]["ReviewGroupView"][];
        };
        HoldView: {
            /**
             * Format: date-time
             * @description Since when.
             */
            held_at: string;
            /** @description Who put it there: e-mail, or subject where there is none. */
            held_by: string;
            reason: string | null;
        };
        MatchView: {
            /** @description Where it begins, in UTF-16 code units of the input or of the stream of output. */
            start: number;
            /** @description Where it ends. */
            end: number;
            /** @description What was found there, up to 256 characters; or the forbidden fact. */
            text: string;
        };
        GuardrailInfoView: {
            /** @enum {string} */
            direction: "input" | "output";
            /** @description What the person was told. */
            message: string;
            /**
             * Format: uuid
             * @description The rule, as `GET /guardrails/{id}` knows it.
             */
            rule_id?: string;
            /**
             * @description What the rule was called.
             * @example no-drops
             */
            rule_name?: string;
            /** @description Place of the entry in its rule set, from 0. */
            entry?: number;
            /** @description The entry as it was. */
            rule?: components["schemas"]["RuleEntryBody"];
            matched_words?: string[];
            matches?: components["schemas"]["MatchView"][];
            /** @description Why the rule could not be applied, where that refused the input. */
            fault?: string;
        };
        GuardrailMetricsView: {
            /** @description Inputs judged. */
            checked: number;
            /** @description Hits. */
            blocked: number;
        };
        DataMaskingView: {
            /** @description Pieces of output that were masked. */
            total_redact_count: number;
            /** @description Bytes of output that were replaced. */
            transformed_bytes: number;
            /**
             * @description How often, by name of the detector or type of the entry.
             * @example {
             *       "email": 2
             *     }
             */
            info_types: {
                [key: string]: number;
            };
        };
        SessionMetricsView: {
            /** @description Stored size in bytes. */
            event_size: number;
            /** @description Events handed to the recorder. */
            events_received: number;
            /** @description Events durable in the store. */
            events_stored: number;
            /** @description Events received and not stored yet. */
            events_buffered: number;
            guardrails: components["schemas"]["GuardrailMetricsView"];
            data_masking: components["schemas"]["DataMaskingView"];
        };
        SessionView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @enum {string} */
            status: "open" | "ready" | "done";
            /** @enum {string} */
            verb: "connect" | "exec";
            /**
             * @description Connection type of the session.
             * @example database
             */
            type: string;
            /**
             * @deprecated
             * @description Connection name; use `role_name`.
             */
            connection: string;
            /**
             * @description Role name; same as the connection name.
             * @example pg-prod
             */
            role_name: string;
            /** @description Resource name associated with the connection. */
            resource_name: string;
            /**
             * @description Subtype of the connection.
             * @example postgres
             */
            connection_subtype: string;
            connection_tags: {
                [key: string]: string;
            };
            /**
             * @description User e-mail of the session.
             * @example admin@example.com
             */
            user: string;
            /** @description Subject identifier of the user. */
            user_id: string;
            /** @description Display name of the user. */
            user_name: string;
            /** @enum {string} */
            identity_type: "user" | "machine";
            /**
             * Format: uuid
             * @description The issued credential that the session came with; null: none.
             */
            credential_id: string | null;
            /**
             * Format: date-time
             * @description When the execution started.
             */
            start_date: string;
            /**
             * Format: date-time
             * @description null while the session is running.
             */
            end_date: string | null;
            /** @description 0 clean, 254 blocked or internal, else the target’s own. */
            exit_code: number | null;
            /** @description Input; set only for verb `exec`. */
            script: components["schemas"]["ScriptView"] | null;
            /** @description Input size in bytes. */
            script_size: number;
            /** @description Stored size in bytes; the parsed size when a parse was asked for. */
            event_size: number;
            /** @description Output of the execution; empty unless expanded. */
            event_stream: ((number | string)[] | string)[];
            /** @description Groups sessions executed simultaneously. */
            session_batch_id: string | null;
            correlation_id: string | null;
            /** @description Why the session was wanted, in the words of who asked for it; null: they did not say. */
            reason: string | null;
            ai_analysis: components["schemas"]["AiAnalysisView"] | null;
            /** @description null when no review exists. */
            review: components["schemas"]["ReviewView"] | null;
            /** @description The legal hold; null when there is none, and to regular users, who are not told. */
            hold: components["schemas"]["HoldView"] | null;
            /**
             * Format: date-time
             * @description When the recording was removed, with the input and what rules found in it, because its retention had ended; null: it is there.
             */
            recording_purged_at: string | null;
            guardrails_info: components["schemas"]["GuardrailInfoView"][];
            integrations_metadata: {
                [key: string]: unknown;
            };
            /**
             * @deprecated
             * @description Use `metrics` and `metadata`.
             */
            labels: {
                [key: string]: string;
            };
            metadata: {
                [key: string]: unknown;
            };
            metrics: components["schemas"]["SessionMetricsView"];
        };
        SessionPage: {
            /** @description Sessions without `script` (null) and `event_stream` (empty). */
            data: components["schemas"]["SessionView"][];
            /** @description How many sessions match; at most 10 000 unless counted exactly; null when not counted. */
            total: number | null;
            /** @description Whether more sessions match than `total` says. */
            total_is_capped: boolean;
            /** @description Whether sessions follow this page. */
            has_next_page: boolean;
        };
        SessionMetadataBody: {
            /**
             * @description Keys to set; null removes a key, keys that are absent stay. The result must have at most 20 keys of up to 2500 characters.
             * @example {
             *       "ticket": "OPS-12",
             *       "draft": null
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        SessionHoldBody: {
            held: boolean;
            /**
             * @description Why. Of a release, the audit log alone keeps it. Default: none.
             * @example case 2026-117
             */
            reason?: string | null;
        };
        RecordingFaultView: {
            /**
             * @description The chunk; null: the recording as a whole.
             * @example 3
             */
            seq: number | null;
            /** @example it does not follow the chunk before it */
            reason: string;
        };
        SessionVerificationView: {
            /**
             * @description `valid`: complete, as it was recorded, and sealed. `unsealed`: complete and linked, but without a seal, as before there were seals. `unfinished`: as it was recorded so far; the session is not over. `broken`: not what was recorded; `faults` say why. `purged`: removed after its retention; hash and seal tell what was there.
             * @enum {string}
             */
            status: "valid" | "unsealed" | "unfinished" | "broken" | "purged";
            chunks: number;
            events: number;
            /** @description Bytes of the events’ contents. */
            size: number;
            /**
             * @description Hash of the last chunk (SHA-256, hex): whoever notes it can compare it with a file of evidence.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            chain_hash: string;
            /** @description Whether the gateway’s seal is on the recording, and fits. */
            sealed: boolean;
            /** @description The first 100. */
            faults: components["schemas"]["RecordingFaultView"][];
        };
        DownloadLinkBody: {
            /**
             * @description File extension, which says the form of the file. Default: txt, the plain content.
             * @example csv
             */
            extension?: string;
            /**
             * @description Prefix each event with its event time. Default: 0.
             * @enum {string}
             */
            "event-time"?: "0" | "1";
            /**
             * @description Add a line break after each event. Default: 0.
             * @enum {string}
             */
            new_line?: "0" | "1";
            /** @description Event types to include: input, output, error. Default: o and e. */
            events?: ("i" | "o" | "e")[];
        };
        DownloadLinkView: {
            /**
             * Format: uri
             * @description Fetches the file once, without a credential: whoever has it may. Give it to nobody else.
             * @example https://gateway.example.com/api/sessions/0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10/download?token=4fq0XkQ9
             */
            download_url: string;
            /**
             * Format: date-time
             * @description Five minutes after it was made.
             */
            expire_at: string;
        };
        RetentionRunView: {
            /** Format: uuid */
            id: string;
            /** @description Who asked for it; null: nobody, it was time. */
            started_by: string | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * @description `stopped`: its gateway was shut down. `interrupted`: its gateway died. The next run goes on in either case.
             * @enum {string}
             */
            outcome: "running" | "finished" | "stopped" | "failed" | "interrupted";
            /** @description Recordings whose retention had ended when it began, without those that are held. */
            due: number;
            /** @description Recordings that nobody can read any more, of those. */
            purged: number;
            /** @description Recorded bytes of those purged. */
            bytes: number;
            /** @description Recordings that it removed from the disk. */
            removed: number;
            /** @description Months of which nothing had to be kept, removed as a whole. */
            months_dropped: number;
            /** @description Recordings that only a legal hold keeps. */
            held_back: number;
            /** @description What went wrong. */
            error: string | null;
        };
        RetentionView: {
            /** @description Whether a gateway purges just now. */
            running: boolean;
            /**
             * Format: date-time
             * @description When the last run began, which may be running; null before the first.
             */
            started_at: string | null;
            /** @description Of that run, as below. */
            due: number;
            /** @description Of that run, as below. */
            purged: number;
            /** @description Of that run, as below. */
            bytes: number;
            /** @description Of that run, as below. */
            held_back: number;
            /** @description Recordings that nobody can read any more and that are still on the disk. */
            waiting: number;
            /** Format: date-time */
            last_finished_at: string | null;
            /** @description Of the last run that is over; null: all went well. */
            last_error: string | null;
            /** @description The last 20, newest first. */
            runs: components["schemas"]["RetentionRunView"][];
        };
        CredentialBody: {
            /**
             * @description For how long access is wanted, in seconds. Default: 3600, or the most that the access request rules of the connection let, where that is less. What was asked for and waits, or was approved, stays as it was asked for.
             * @example 28800
             */
            access_duration_seconds?: number | null;
        };
        ConnectionCredentialsView: {
            /** @example gateway.example.com */
            hostname: string;
            /** @example 15432 */
            port: number;
            /**
             * Format: uuid
             * @description The id of the credential.
             */
            username: string;
            /** @description Shown only now; the gateway does not keep it. */
            password: string;
            /**
             * @description The name of the connection.
             * @example pg-prod
             */
            database_name: string;
            /**
             * @description All of it as one address. It holds the password.
             * @example postgres://…:…@gateway.example.com:15432/pg-prod?sslmode=require
             */
            connection_string: string;
        };
        IssuedCredentialView: {
            /**
             * Format: uuid
             * @description Also the user name to connect with.
             */
            id: string;
            /** @example pg-prod */
            connection_name: string;
            /** @example database */
            connection_type: string;
            /** @example postgres */
            connection_subtype: string;
            /**
             * Format: uuid
             * @description Always null: sessions begin with the credential, and name it.
             */
            session_id: string | null;
            /** @description Whether people have to approve the access. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description The review that people approve; it has the id of the credential. null: no approval was needed.
             */
            review_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends, and every session that came with it.
             */
            expire_at: string;
            connection_credentials: components["schemas"]["ConnectionCredentialsView"];
        };
        RequestedCredentialView: {
            /**
             * Format: uuid
             * @description Also the user name to connect with.
             */
            id: string;
            /** @example pg-prod */
            connection_name: string;
            /** @example database */
            connection_type: string;
            /** @example postgres */
            connection_subtype: string;
            /**
             * Format: uuid
             * @description Always null: sessions begin with the credential, and name it.
             */
            session_id: string | null;
            /** @description Whether people have to approve the access. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description The review that people approve; it has the id of the credential. null: no approval was needed.
             */
            review_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends, and every session that came with it; null: it has not begun yet.
             */
            expire_at: string | null;
            /** @description null: ask again once the review is approved. */
            connection_credentials: components["schemas"]["ConnectionCredentialsView"] | null;
        };
        CredentialView: {
            /**
             * Format: uuid
             * @description Also the user name to connect with.
             */
            id: string;
            /** @example pg-prod */
            connection_name: string;
            /** @example database */
            connection_type: string;
            /** @example postgres */
            connection_subtype: string;
            /**
             * Format: uuid
             * @description Always null: sessions begin with the credential, and name it.
             */
            session_id: string | null;
            /** @description Whether people have to approve the access. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description The review that people approve; it has the id of the credential. null: no approval was needed.
             */
            review_id: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends, and every session that came with it; null: it has not begun yet.
             */
            expire_at: string | null;
            /**
             * @description `pending`: waits for its reviewers; `approved`: may be used, which begins it; `expired` also says that nobody decided in time, or that the approval was not used in time.
             * @enum {string}
             */
            status: "pending" | "approved" | "active" | "expired" | "revoked" | "rejected";
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When the last session with it began; null: there was none.
             */
            last_used_at: string | null;
        };
        CredentialPage: {
            data: components["schemas"]["CredentialView"][];
            pages: components["schemas"]["PageInfo"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Subject identifier or e-mail of who acted. */
                actor?: string;
                /** @description Kind of resource, by its path. */
                resource_type?: string;
                action?: "create" | "update" | "delete" | "execute" | "search";
                outcome?: "success" | "denied" | "failed";
                /** @description Not before this time. */
                created_after?: string;
                /** @description Not after this time. */
                created_before?: string;
                /** @description The `x-request-id` of the request. */
                request_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerificationView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listAttributes: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributePage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttributeBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttributeChangeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listMcpCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogEntryView"][];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listEvidenceKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceKeysView"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    dryRunGuardRails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRunBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRunView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getEffectivePolicy: {
        parameters: {
            query: {
                /** @description Subject identifier or e-mail of the user. */
                user: string;
                /** @description What the user would do there. */
                verb?: "exec" | "connect";
            };
            header?: never;
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectivePolicyView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSecretBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Only deliveries in this state. */
                state?: "pending" | "delivered" | "dead";
            };
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
                /** @description The unique identifier of the resource. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Sessions on a page. */
                limit?: number;
                /** @description Sessions to skip. Sessions that begin meanwhile move those before them: for pages that stay as they are, and to read beyond the last offset, give `end_date` too. */
                offset?: number;
                /** @description `capped` counts up to 10 000; `exact` counts all; `none` counts nothing. */
                count?: "capped" | "exact" | "none";
                /** @description Subject identifier or e-mail of who ran the session, exactly. */
                user?: string;
                /** @description Name of the connection, exactly. */
                connection?: string;
                /** @description Connection type of the session. */
                type?: string;
                /** @description Verb. */
                verb?: "connect" | "exec";
                /** @description Status. */
                status?: "open" | "ready" | "done";
                /** @description Sessions that started at this time (RFC 3339) or later. */
                start_date?: string;
                /** @description Sessions that started at this time (RFC 3339) or earlier. */
                end_date?: string;
                /** @description Status of the review that the session waited for, or that gave the access by which it came. */
                "review.status"?: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
                /** @description Subject identifier or e-mail of somebody who approved it, or the access by which it came, exactly. */
                "review.approver"?: string;
                /** @description The `session_batch_id` of the session. */
                batch_id?: string;
                /** @description The `correlation_id` of the session. */
                correlation_id?: string;
                /** @description A guard rail that blocked something in the session: its id or, for auditors and admins, its name. */
                guardrail?: string;
                /** @description Searches what was put in: sessions of which one recorded input has all of these words, in any case. `"several words"` must follow each other, `begin*` is the beginning of a word, `-word` and `-"several words"` must not be there. All signs only part words: `public.orders` is two that follow each other. Regular users search their own sessions. Each search is put on the audit log. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecBody"];
            };
        };
        responses: {
            /** @description The script is over: `success`, `failed` or `blocked`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description The script still runs after 50 seconds, or waits for a review. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    execSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApprovedExecBody"];
            };
        };
        responses: {
            /** @description The script is over: `success`, `failed` or `blocked`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description The script still runs after 50 seconds. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReachView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKeyView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: {
                /** @description Where the browser returns to with the token: the origin of the API, `http://127.0.0.1:<any port>` or an allowed origin. Default: the Swagger UI. */
                redirect?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    callback: {
        parameters: {
            query: {
                error?: string;
                code?: string;
                state: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the redirect of the sign-in, with `#access_token=` or `?error=`. */
            307: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserInfoView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerInfoView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getPublicServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicServerInfoView"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Part of the name, e-mail or subject. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChangeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Part of the name or the description. */
                search?: string;
                type?: string;
                subtype?: string;
                /** @description Only connections that bear this attribute. */
                attribute?: string;
                /** @description Tags that must be (`key=value`) or must not be (`key!=value`), comma-separated. */
                tag_selector?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    patchConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionPatchBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listAccessRequestRules: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessRulePage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createAccessRequestRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRuleBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getAccessRequestRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateAccessRequestRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessRuleBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteAccessRequestRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description `to_decide`: those that wait for a word of the caller; `requested`: those that the caller asked for. Absent: all that the caller may see. */
                mine?: "to_decide" | "requested";
                status?: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateSessionReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listGuardRails: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createGuardRail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuardrailBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getGuardRail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateGuardRail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuardrailBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    deleteGuardRail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The resource has changed since the caller read it (`If-Match`). */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the resource has changed since you read it; read it again"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getGuardRailStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailStatsView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description When building file content, prefix each event with its event time. */
                "event-time"?: "0" | "1";
                /** @description When building file content, add a line break after each event. */
                new_line?: "0" | "1";
                /** @description How the event stream is parsed: `utf8` and `base64` join output and error events into one element; `raw-queries` gives the SQL text of each client message (postgres only). Implies expanding it. */
                event_stream?: "utf8" | "base64" | "raw-queries";
                /** @description Event types to include: input, output, error; repeated or comma-separated. */
                events?: ("i" | "o" | "e")[];
                /** @description Names exactly which heavy parts come; repeated or comma-separated. */
                expand?: ("event_stream" | "session_input")[];
                /** @description Download the session as a file: `csv`, `json` (one object per line), `cast` (asciicast v2, for terminal players), `evidence` (to be verified offline), any other value for the plain content. */
                extension?: string;
            };
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session; with `extension`, its recording as an attachment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/x-asciicast": string;
                    "text/plain": string;
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    killSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is being ended, but was not over after 3 seconds. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    updateSessionMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionMetadataBody"];
            };
        };
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    setSessionHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionHoldBody"];
            };
        };
        responses: {
            /** @description Success. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    streamSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last message that was received; the stream goes on after it. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The end of the session was the last message received. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    verifySession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionVerificationView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DownloadLinkBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLinkView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    downloadSession: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path: {
                /** @description The unique identifier of the resource. */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recording, as `GET /sessions/{session_id}` gives it with the same options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "text/plain": string;
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    startRetentionRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It goes on; see `GET /retention`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRunView"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    createConnectionCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentialView"];
                };
            };
            /** @description People have to approve it, and were asked to. Once they did, the same call has the credential. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedCredentialView"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description A resource of that name exists, or its state forbids the change. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "a rule with this name exists already"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The request body is larger than 1 MiB. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the request body is larger than 1 MiB"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Well-formed, but it breaks a rule of the resource. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "name must not be empty"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    listConnectionCredentials: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialPage"];
                };
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
    revokeConnectionCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nameOrID: string;
                /** @description The unique identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked; its sessions end within seconds, wherever they run. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "id must be a UUID"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description No credential, a bad or expired one, or an inactive user. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "sign in first: the request has no bearer token"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Signed in, but not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "this needs the admin group"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Not found in the organization of the caller. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "no such resource"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "too many requests, try again in 30 seconds"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Internal failure. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "internal error"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description Something that the gateway depends on cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "the identity provider cannot be reached, try again shortly"
                     *     }
                     */
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
        };
    };
}
