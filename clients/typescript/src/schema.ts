// Generated from openapi.json by openapi-typescript: npm run generate
export interface paths {
    "/audit/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log, newest first
         * @description For admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
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
        /**
         * Verify the audit log
         * @description For admins.
         */
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
        /**
         * List attributes, newest first
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listAttributes"];
        put?: never;
        /**
         * Create an attribute
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get an attribute
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getAttribute"];
        /**
         * Update the description of an attribute
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        put: operations["updateAttribute"];
        post?: never;
        /**
         * Delete an attribute, and remove it from everything that has it
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        delete: operations["deleteAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp-authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a user allowed MCP clients, newest first
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listMcpAuthorizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp-authorizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End what a user allowed an MCP client, its tokens and sessions; for that user and admins
         * @description For all signed-in callers except auditors.
         */
        delete: operations["revokeMcpAuthorization"];
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
        /**
         * List the built-in catalog of remote MCP servers
         * @description For all signed-in callers.
         */
        get: operations["listMcpCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connection-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of connections: fields of their secrets, and how clients reach them
         * @description For all signed-in callers.
         */
        get: operations["listConnectionKinds"];
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
        /**
         * Check that the process answers
         * @description Public: needs no credential.
         */
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
        /**
         * Check that requests can be served: database, migrations, and the journal of recordings
         * @description Each of them is tested. After SIGTERM, 503 for `SHUTDOWN_DELAY_SECONDS`, while requests are still accepted.
         *
         *     Public: needs no credential.
         */
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
         * @description A JSON Web Key Set. Save it to a file and run `npm run verify-recording -- <file> --public-keys <keys>`; no secret is needed. Keys stay in the set after the secret key was rotated.
         *
         *     Public: needs no credential.
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
    "/ssh-host-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the host keys by which SSH clients recognize the gateway
         * @description Add `known_hosts` to the file of that name, so that `ssh` asks nothing at its first connection. All gateways of one database have the same keys.
         *
         *     Public: needs no credential.
         */
        get: operations["listSshHostKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ssh/user-ca.pub": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys with which the gateway signs certificates for its sign-ins at SSH servers
         * @description A line for each key, for the file that `TrustedUserCAKeys` in `sshd_config` of a server names; two lines while the key is being replaced. Connections with `AUTH: certificate` need it.
         *
         *     Public: needs no credential.
         */
        get: operations["getSshUserCa"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/mcp-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools that an MCP server offered, and how they differ from what was accepted
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listMcpTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/mcp-tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool of an MCP server
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getMcpTool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/mcp-tools/{tool}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a new or changed tool exactly as it was read; If-Match is required
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        post: operations["acceptMcpTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the ledger of sessions
         * @description Each session has entries in a ledger: numbered without gaps, linked by hash and signed. This verifies the entries, and compares the row of each session with them. It finds edited and removed rows, missing and moved entries, and an end that was cut off since it was noted on the audit log. Recordings are not read; `GET /sessions/{session_id}/verify` does that.
         *
         *     For auditors and admins.
         */
        get: operations["verifySessionLedger"];
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
         * Verify a session and its recording
         * @description For its owner, auditors and admins. Reads the whole recording, and compares the session with its entries in the ledger. `GET /sessions/{session_id}?extension=evidence` is the same to be verified offline.
         *
         *     For all signed-in callers.
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
    "/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session, or its recording as a file
         * @description For all signed-in callers.
         */
        get: operations["getSession"];
        put?: never;
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
         *     After 15 minutes, when the gateway stops, and when the reader may no longer read, the answer ends without `end`: ask again with the last id. A request after `end` gets 204, which tells an EventSource to stay away. For the owner of the session, auditors and admins; each may follow 10 sessions at a time.
         *
         *     For all signed-in callers.
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
    "/sessions/{session_id}/download-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link for a browser to download the recording, once, within five minutes
         * @description For all signed-in callers.
         */
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
        /**
         * Download the file of a download link, once
         * @description Public: needs no credential.
         */
        get: operations["downloadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/mcp-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls of a session on an MCP server, newest first
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listSessionCalls"];
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
        /**
         * Get the state of retention: the last run, and what is due
         * @description For auditors and admins.
         */
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
        /**
         * Start a retention run now: remove recordings whose retention has ended
         * @description For admins.
         */
        post: operations["startRetentionRun"];
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
        /**
         * Test rules on a text and on recorded sessions
         * @description For auditors and admins.
         */
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
        /**
         * Get the effective policy of a user on a connection, with reasons
         * @description Everybody may ask about themselves; auditors and admins about everybody.
         *
         *     For all signed-in callers.
         */
        get: operations["getEffectivePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/script-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a script against the guardrails of a connection, without running it
         * @description For those who may open the connection. It is in the audit log that somebody checked a script.
         *
         *     For all signed-in callers except auditors.
         */
        post: operations["checkScript"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what helps to decide a review: what its script does, earlier requests, sessions under it
         * @description For all signed-in callers.
         */
        get: operations["getReviewContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List SCIM tokens, masked, newest first
         * @description For admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listScimTokens"];
        put?: never;
        /**
         * Create a SCIM token; it is shown only in this answer
         * @description For admins.
         */
        post: operations["createScimToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a SCIM token, masked
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getScimToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a SCIM token
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        delete: operations["revokeScimToken"];
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
        /**
         * List webhooks, newest first
         * @description For admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook; its secret is shown only in this answer
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get a webhook without its secret
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getWebhook"];
        /**
         * Replace a webhook except for its secret
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook and its pending deliveries
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * Rotate the secret of a webhook; the new one is shown only in this answer, and the previous one signs for 24 more hours
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * List the deliveries of a webhook, sent and pending, newest first
         * @description For admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
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
        /**
         * Send a delivered or dead delivery again
         * @description For admins.
         */
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
        /**
         * Send a message of type `webhook.test` to check that the endpoint receives it
         * @description For admins.
         */
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
         *
         *     For all signed-in callers.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Run a script on a connection
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * Run an approved script, once; for its requester and admins
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * Test the connection to the target
         * @description For admins.
         */
        get: operations["testConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tables of a database and their columns
         * @description For those whose scripts would run at once, without an approval. It runs as a script of the caller does, in a session of its own: judged, recorded and screened.
         *
         *     For all signed-in callers except auditors.
         */
        get: operations["listTables"];
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
        /**
         * List API keys, masked, newest first
         * @description For admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; it is shown only in this answer
         * @description For admins.
         */
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
        /**
         * Get an API key, masked
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * Start a sign-in at the identity provider
         * @description Public: needs no credential.
         */
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
        /**
         * Complete a sign-in when the identity provider redirects the browser back
         * @description Public: needs no credential.
         */
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
        /**
         * Get the caller’s identity and role
         * @description For all signed-in callers.
         */
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
        /**
         * Get the current server configuration
         * @description For all signed-in callers.
         */
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
        /**
         * Get the public server configuration: how to sign in
         * @description Public: needs no credential.
         */
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
        /**
         * List groups by name, with their number of members
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get a group with its number of members
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a group and its manual memberships
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * Get the organization and its features
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the features of the organization
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/portal-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out of the portal
         * @description Public: needs no credential.
         */
        delete: operations["endPortalSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ssh-public-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public keys by which a user signs in over SSH, newest first
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listSshPublicKeys"];
        put?: never;
        /**
         * Register a public key, by which the caller can sign in over SSH
         * @description For all signed-in callers except auditors.
         */
        post: operations["createSshPublicKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ssh-public-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a public key; for its user, auditors and admins
         * @description For all signed-in callers.
         */
        get: operations["getSshPublicKey"];
        put?: never;
        post?: never;
        /**
         * Remove a public key, and end its sessions; for its user and admins
         * @description For all signed-in callers except auditors.
         */
        delete: operations["deleteSshPublicKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, newest first
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user before the first sign-in
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get a user
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user’s status, name or groups
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * List the connections that the caller may open
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Create a connection
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get a connection
         * @description For all signed-in callers.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getConnection"];
        /**
         * Replace a connection except for its name and kind
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        put: operations["updateConnection"];
        post?: never;
        /**
         * Delete a connection and its bindings
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Update some fields of a connection
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * List all access request rules, newest first
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listAccessRequestRules"];
        put?: never;
        /**
         * Create an access request rule
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get an access request rule
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getAccessRequestRule"];
        /**
         * Replace an access request rule
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        put: operations["updateAccessRequestRule"];
        post?: never;
        /**
         * Delete an access request rule
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        delete: operations["deleteAccessRequestRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow which reviews change
         * @description A stream of server-sent events: which reviews change, of those that the caller may see, through whichever gateway.
         *
         *     - `message`: its data is `{ id, session_id, status }`. What else changed is read with `GET /reviews/{id}`. Changes that come while the reader takes nothing are told once.
         *
         *     The stream begins with what changes from now on: read what you show after it has opened. It ends after 15 minutes at the latest, when the gateway stops or may have missed changes, and when the caller may no longer act: ask again. Each person or API key may have 10 at a time.
         *
         *     For all signed-in callers.
         */
        get: operations["streamReviews"];
        put?: never;
        post?: never;
        delete?: never;
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
        /**
         * List reviews, newest first: the caller’s own and those for a group of the caller; all reviews for admins and auditors
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
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
        /**
         * Get a review by its id or the id of its session
         * @description For all signed-in callers.
         */
        get: operations["getReview"];
        /**
         * Approve, reject or revoke a review by its id or the id of its session
         * @description For all signed-in callers except auditors.
         */
        put: operations["updateReview"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/emergency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open your own request in an emergency, without waiting for its reviewers
         * @description For all signed-in callers except auditors.
         */
        post: operations["declareEmergency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/sign-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a forced approval or an emergency off, after a second look
         * @description For all signed-in callers except auditors.
         */
        post: operations["signOffReview"];
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
        /**
         * Approve, reject or revoke the review of a session
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * List guardrail rules, newest first
         * @description For auditors and admins.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
        get: operations["listGuardRails"];
        put?: never;
        /**
         * Create a guardrail rule
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
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
        /**
         * Get a guardrail rule
         * @description For auditors and admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         */
        get: operations["getGuardRail"];
        /**
         * Replace a guardrail rule
         * @description For admins.
         *
         *     The `ETag` of the answer is the version of the resource.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
        put: operations["updateGuardRail"];
        post?: never;
        /**
         * Delete a guardrail rule
         * @description For admins.
         *
         *     With `If-Match`, the change is made only if the resource still has that version.
         */
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
        /**
         * Get the statistics of a guardrail rule: checks and hits
         * @description For auditors and admins.
         */
        get: operations["getGuardRailStats"];
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
        /**
         * End a session on any gateway; for its owner and admins
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * Update keys of a session’s metadata; for its owner and admins
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * Set or release the legal hold of a session, which exempts it from retention
         * @description For admins.
         */
        put: operations["setSessionHold"];
        post?: never;
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
        /**
         * Issue a credential for a connection, or request one; the password is shown only in this answer
         * @description For all signed-in callers except auditors.
         */
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
        /**
         * List the caller’s own credentials, without passwords, newest first
         * @description For all signed-in callers.
         *
         *     The answer is one page of the list; `pages.total` counts all items.
         */
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
        /**
         * Revoke a credential or its request, and end its sessions; for its owner and admins
         * @description For all signed-in callers except auditors.
         */
        post: operations["revokeConnectionCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{nameOrID}/mcp-connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the address at which the caller connects an account at an MCP server, in the browser
         * @description For all signed-in callers except auditors.
         */
        post: operations["connectMcpAccount"];
        /**
         * Forget the account of the caller, or the shared one, and revoke its tokens
         * @description For all signed-in callers except auditors.
         */
        delete: operations["disconnectMcpAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessRuleBody: {
            /**
             * @description Unique name of the rule.
             * @example prod-databases
             */
            name: string;
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
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
             * Format: int64
             * @description Minimum number of people who approve; at least 1 unless all groups must approve.
             * @example 1
             */
            min_approvals?: number | null;
            /** @description Whether requests for access must give a `reason`. Default: false. */
            reason_required?: boolean;
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
        AccessRulePage: {
            data: components["schemas"]["AccessRuleView"][];
            pages: components["schemas"]["PageInfo"];
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
            /**
             * Format: int64
             * @description Maximum access duration in seconds; null means 172800.
             */
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
            /**
             * Format: int64
             * @description Minimum number of people who approve.
             */
            min_approvals: number | null;
            /** @description Whether requests for access must give a `reason`. */
            reason_required: boolean;
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
        AiAnalysisView: {
            /** @enum {string} */
            action: "allow_execution" | "block_execution" | "require_access_request";
            explanation: string;
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            title: string;
        } | null;
        ApiKeyBody: {
            /**
             * @description Name, unique among the keys that are not revoked.
             * @example nightly-report
             */
            name: string;
            /**
             * @description Groups of the machine. They decide its role and which connections it may open. Default: none.
             * @example [
             *       "reporting"
             *     ]
             */
            groups?: string[];
            /**
             * Format: date-time
             * @description When the key expires; must be in the future. Null or absent: never.
             */
            expires_at?: string | null;
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKeyView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ApiKeyView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example nightly-report */
            name: string;
            /**
             * @description First characters of the key.
             * @example gwk_3fK9…
             */
            masked_key: string;
            groups: string[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who created the key. */
            created_by: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        AppliedAccessRuleView: {
            name: string;
            /** @enum {string} */
            access_type: "jit" | "command" | "jit_command";
            origin: components["schemas"]["OriginView"];
        };
        AppliedGuardrailView: {
            /** Format: uuid */
            id: string;
            name: string;
            origin: components["schemas"]["OriginView"];
            /** @description Why the rule cannot be applied; while this is set, the connection refuses everything. */
            fault: string | null;
            /**
             * @description What of the rule has no effect on this connection.
             * @example [
             *       "entries that name arguments of tool calls (input.rules 0) have no effect here"
             *     ]
             */
            warnings: string[];
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
        AttributeBody: {
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /** @description Connections with the attribute. A new attribute is added to them. Later the list must be unchanged: change the attributes of the connections instead. */
            connection_names?: string[];
            /** @description Guardrail rules with the attribute. The list must be unchanged: change the attributes of the rules instead. */
            guardrail_names?: string[];
            /** @description Access request rules with the attribute. The list must be unchanged: change the attributes of the rules instead. */
            access_rule_names?: string[];
            /**
             * @description Unique name.
             * @example pii
             */
            name: string;
        };
        AttributeChangeBody: {
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /** @description Connections with the attribute. A new attribute is added to them. Later the list must be unchanged: change the attributes of the connections instead. */
            connection_names?: string[];
            /** @description Guardrail rules with the attribute. The list must be unchanged: change the attributes of the rules instead. */
            guardrail_names?: string[];
            /** @description Access request rules with the attribute. The list must be unchanged: change the attributes of the rules instead. */
            access_rule_names?: string[];
        };
        AttributePage: {
            data: components["schemas"]["AttributeView"][];
            pages: components["schemas"]["PageInfo"];
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
        AuditActorView: {
            /** @description Subject identifier. */
            id: string;
            email: string;
            /** @enum {string} */
            type: "user" | "machine";
        };
        AuditLineView: {
            /**
             * Format: int64
             * @description Number of the line in the chain, from 1.
             */
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
            /**
             * Format: int64
             * @description HTTP status of the answer.
             */
            status: number;
            /** @description Network address of the caller. */
            client_address: string;
            request_id: string;
            changes: components["schemas"]["FieldChangeView"][];
            /** @description SHA-256 over this line and the previous hash. */
            hash: string;
        };
        AuditPage: {
            data: components["schemas"]["AuditLineView"][];
            pages: components["schemas"]["PageInfo"];
        };
        AuditVerificationView: {
            valid: boolean;
            /**
             * Format: int64
             * @description Number of valid lines from the first one.
             */
            checked: number;
            /**
             * Format: int64
             * @description The first line that was changed or is missing.
             */
            broken_at: number | null;
            /** @description Hash of the last valid line. Keep it elsewhere to prove later that no lines were removed from the end. */
            head: string;
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
            /** @description What to know before using the server. */
            notes: string;
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
            /**
             * Format: int64
             * @description Maximum access duration in seconds; null means 172800.
             */
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
            /**
             * Format: int64
             * @description Minimum number of people who approve.
             */
            min_approvals: number | null;
            /** @description Whether requests for access must give a `reason`. */
            reason_required: boolean;
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
             * @description Possible mistakes: other kinds of access left open, unknown names, approvals that nobody can give.
             * @example [
             *       "connect stays open on pg-prod: no rule of type jit covers it"
             *     ]
             */
            warnings: string[];
        };
        CheckedConnectionView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example pg-prod */
            name: string;
            /** @enum {string} */
            type: "database" | "application";
            /** @enum {string} */
            subtype: "postgres" | "mcpproxy" | "ssh";
            description: string;
            /**
             * @description Names of the secret’s values; the values are never shown.
             * @example {
             *       "HOST": "",
             *       "PASS": ""
             *     }
             */
            secret: {
                [key: string]: string;
            };
            connection_tags: {
                [key: string]: string;
            };
            attributes: string[];
            guardrail_rules: string[];
            access_groups: string[];
            /** @description Groups whose members may open their own requests in an emergency. */
            emergency_access_groups: string[];
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
             * @description When an event counts as recorded, and is forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database. Null: the setting of the gateway.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description Days for which sessions are kept after their end. Null: forever. */
            retention_days: number | null;
            /** @description Whether the result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`. */
            record_results: boolean;
            /** @description What clients of an MCP server may use, and its limits. Only for the subtype `mcpproxy`; null for all others. */
            mcp_policy?: components["schemas"]["McpPolicyView"];
            /** @description Name of the entry of `GET /mcp-catalog` that the connection was made from; null where there is none. */
            catalog: string | null;
            /**
             * @description Whether the gateway could open the target when it last tried: for a script, for a PostgreSQL client, or for the test of the connection. `offline`: the target did not answer, or refused the secret. `unknown`: no attempt since the connection was created or its secret changed.
             * @enum {string}
             */
            status: "online" | "offline" | "unknown";
            /**
             * Format: date-time
             * @description Time of `status`; repeated results are stored once a minute. Null while `status` is `unknown`.
             */
            status_at: string | null;
            /** @description What became of the gateway’s sign-in at the MCP server: with the token of the caller, where each has one, or with the shared one. Null for all other kinds. */
            mcp_auth?: components["schemas"]["McpAuthView"];
            managed_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Possible mistakes: a connection that only admins may open, or settings without effect. Fields of other gateways that have no effect here are accepted, and listed here with their replacements.
             * @example [
             *       "only admins may open this connection: access_groups is empty; [\"*\"] opens it to everybody who is signed in"
             *     ]
             */
            warnings: string[];
        };
        CheckedGuardrailView: {
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
             *         },
             *         {
             *           "type": "pattern_match",
             *           "words": [],
             *           "pattern_regex": "(?i)pg_sleep\\s*\\("
             *         },
             *         {
             *           "type": "sql_statement",
             *           "words": [],
             *           "pattern_regex": "",
             *           "kinds": [
             *             "drop",
             *             "truncate"
             *           ],
             *           "without_where": true,
             *           "tables": [
             *             {
             *               "name": "public.salaries",
             *               "access": "read"
             *             }
             *           ]
             *         },
             *         {
             *           "type": "shell_command",
             *           "words": [],
             *           "pattern_regex": "",
             *           "programs": [
             *             "mkfs*",
             *             "shutdown"
             *           ],
             *           "redirects_to": [
             *             "/etc/*"
             *           ]
             *         },
             *         {
             *           "type": "file_transfer",
             *           "words": [],
             *           "pattern_regex": "",
             *           "file_operations": [
             *             "write",
             *             "delete"
             *           ],
             *           "file_paths": [
             *             "/etc/*"
             *           ]
             *         }
             *       ]
             *     }
             */
            input: components["schemas"]["RuleSetView"];
            /**
             * @description The output rule set.
             * @example {
             *       "rules": [
             *         {
             *           "type": "detector",
             *           "words": [],
             *           "pattern_regex": "",
             *           "detectors": [
             *             "email",
             *             "payment_card"
             *           ],
             *           "action": "mask",
             *           "keep_last": 4
             *         }
             *       ]
             *     }
             */
            output: components["schemas"]["RuleSetView"];
            /** @description Set to `gateway` when a protection profile manages the rule, which is then read-only. */
            managed_by: string | null;
            /** @description The rule in the sidecar’s own vocabulary. Absent: this service distributes no rules to sidecars. */
            sidecar_spec?: {
                [key: string]: unknown;
            };
            /** @description Sidecar listeners the rule is bound to. Absent: this service distributes no rules to sidecars. */
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
            /**
             * @description Possible mistakes: entries that have no effect on connections that the rule applies to.
             * @example [
             *       "entries that name arguments of tool calls (input.rules 0) have no effect on orders"
             *     ]
             */
            warnings: string[];
        };
        CheckedOrganizationView: {
            /** Format: uuid */
            id: string;
            /** @example default */
            name: string;
            features: components["schemas"]["FeaturesView"];
            /**
             * @description What has no effect with these features, or is closed to all but admins.
             * @example [
             *       "3 connections have access_groups that are not enforced: the access control feature is off"
             *     ]
             */
            warnings: string[];
        };
        ClientEndpointView: {
            /**
             * @description Name of the protocol, as in the metrics of sessions.
             * @example postgresql
             */
            protocol: string;
            /** @description Whether a client signs in with a credential of `POST /connections/{nameOrID}/credentials`; otherwise with an access token of this gateway. */
            issues_credentials: boolean;
            /**
             * @description Address for clients, in which percent-encoded values replace `{connection}`, the name of the connection, and `{username}`, `{password}` and `{database}`, those of the credential. Null: this gateway does not listen for these clients.
             * @example postgres://{username}:{password}@gateway.example.com:15432/{database}?sslmode=require
             */
            url_template: string | null;
        } | null;
        ConnectionBody: {
            /**
             * @description Unique name, by which people open the connection.
             * @example pg-prod
             */
            name: string;
            /**
             * @description Required unless `catalog` is given.
             * @example database
             * @enum {string}
             */
            type?: "database" | "application";
            /**
             * @description Required unless `catalog` is given.
             * @example postgres
             * @enum {string}
             */
            subtype?: "postgres" | "mcpproxy" | "ssh";
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /**
             * @description How to reach the target. `NAME` has plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT ROLE (as which each session acts; `{group:PREFIX}` is the rest of the name of the person's group that begins so, `{subject}` the subject). SSH: HOST PORT USER, PASS or PRIVATE_KEY with PASSPHRASE or AUTH=certificate, HOST_KEY SHELL_COMMAND CLIENT_MAY TERMINAL_INPUT FORWARD_TO FORWARD_FROM. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*; with MCP_AUTH=exchange MCP_TOKEN_URL MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_SUBJECT MCP_AUDIENCE MCP_RESOURCE MCP_SCOPE; with MCP_AUTH=oauth MCP_ISSUER MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_GRANT MCP_OAUTH_SUBJECT MCP_SCOPE. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it. MCP_ALLOWED_TOOLS and its like are moved to `mcp_policy`. Required unless `catalog` is given.
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
            /** @description Guardrail rules of the connection. Default: none. */
            guardrail_rules?: string[];
            /**
             * @description Groups that may open the connection, while the access control feature is on. None: admins only. `*`: all signed-in callers. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            access_groups?: string[];
            /**
             * @description Groups whose members may open the connection in an emergency without waiting for its reviewers: `POST /reviews/{id}/emergency`. `*`: all signed-in people. They need access otherwise, too. Default: none.
             * @example [
             *       "on-call"
             *     ]
             */
            emergency_access_groups?: string[];
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
            /** @description Name of the resource behind the connection. Default: empty. */
            resource_name?: string;
            /**
             * @description `input-only`: output of the target is screened and delivered, but not recorded. Default: on.
             * @enum {string}
             */
            recording?: "on" | "input-only";
            /**
             * @description When an event counts as recorded, and is forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database. Null: the setting of the gateway. Default: null.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description Days for which sessions are kept after their end. Null: forever. Default: null. */
            retention_days?: number | null;
            /** @description Whether the result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`. Default: false. */
            record_results?: boolean;
            /** @description What clients of an MCP server may use, and its limits. Only for the subtype `mcpproxy`; null for all others. Default: everything is allowed. */
            mcp_policy?: components["schemas"]["McpPolicyBody"];
            /** @description Name of the entry of `GET /mcp-catalog` that the connection was made from; null where there is none. Fills `type`, `subtype`, and REMOTE_URL, MCP_TRANSPORT and MCP_AUTH of `secret`, where the body has none. It cannot be changed. */
            catalog?: string | null;
        };
        ConnectionCredentialsView: {
            /** @example gateway.example.com */
            hostname: string;
            /**
             * Format: int64
             * @example 15432
             */
            port: number;
            /**
             * Format: uuid
             * @description The id of the credential.
             */
            username: string;
            /** @description The password. It is shown only once; the gateway does not store it. */
            password: string;
            /**
             * @description The name of the database, as the database itself has it. The user name says which connection it is of.
             * @example orders
             */
            database_name: string;
            /**
             * @description Connection string, which contains the password.
             * @example postgres://…:…@gateway.example.com:15432/orders?sslmode=require
             */
            connection_string: string;
        } | null;
        ConnectionKindList: {
            data: components["schemas"]["ConnectionKindView"][];
        };
        ConnectionKindView: {
            /**
             * @description `type` of its connections.
             * @enum {string}
             */
            type: "database" | "application";
            /**
             * @description `subtype` of its connections; identifies the kind.
             * @enum {string}
             */
            subtype: "postgres" | "mcpproxy" | "ssh";
            /**
             * @description What users call the kind.
             * @example PostgreSQL
             */
            title: string;
            /**
             * @description Language of its inputs, by which guardrails read them.
             * @example postgresql
             */
            language: string;
            /** @description Fields of the secret, in the order of a form. */
            secret_fields: components["schemas"]["SecretFieldView"][];
            /**
             * @description Other fields of the secret have names that begin so; null: there are none.
             * @example HEADER_
             */
            secret_prefix: string | null;
            /** @description Null: no client reaches its targets. */
            client_endpoint?: components["schemas"]["ClientEndpointView"];
            /** @description Whether `POST /sessions` runs scripts on its connections. */
            runs_scripts: boolean;
            /** @description Whether `GET /connections/{nameOrID}/tables` lists tables. */
            lists_tables: boolean;
            /** @description Whether recordings can be read with `event_stream=raw-queries`. */
            has_queries: boolean;
            /** @description Whether its connections have an `mcp_policy`. */
            has_mcp_policy: boolean;
        };
        ConnectionPage: {
            data: components["schemas"]["ConnectionView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ConnectionPatchBody: {
            /**
             * @description Unique name, by which people open the connection.
             * @example pg-prod
             */
            name?: string;
            /**
             * @description Required unless `catalog` is given.
             * @example database
             * @enum {string}
             */
            type?: "database" | "application";
            /**
             * @description Required unless `catalog` is given.
             * @example postgres
             * @enum {string}
             */
            subtype?: "postgres" | "mcpproxy" | "ssh";
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /**
             * @description How to reach the target. `NAME` has plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT ROLE (as which each session acts; `{group:PREFIX}` is the rest of the name of the person's group that begins so, `{subject}` the subject). SSH: HOST PORT USER, PASS or PRIVATE_KEY with PASSPHRASE or AUTH=certificate, HOST_KEY SHELL_COMMAND CLIENT_MAY TERMINAL_INPUT FORWARD_TO FORWARD_FROM. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*; with MCP_AUTH=exchange MCP_TOKEN_URL MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_SUBJECT MCP_AUDIENCE MCP_RESOURCE MCP_SCOPE; with MCP_AUTH=oauth MCP_ISSUER MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_GRANT MCP_OAUTH_SUBJECT MCP_SCOPE. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it. MCP_ALLOWED_TOOLS and its like are moved to `mcp_policy`. Required unless `catalog` is given.
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
            /** @description Guardrail rules of the connection. Default: none. */
            guardrail_rules?: string[];
            /**
             * @description Groups that may open the connection, while the access control feature is on. None: admins only. `*`: all signed-in callers. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            access_groups?: string[];
            /**
             * @description Groups whose members may open the connection in an emergency without waiting for its reviewers: `POST /reviews/{id}/emergency`. `*`: all signed-in people. They need access otherwise, too. Default: none.
             * @example [
             *       "on-call"
             *     ]
             */
            emergency_access_groups?: string[];
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
            /** @description Name of the resource behind the connection. Default: empty. */
            resource_name?: string;
            /**
             * @description `input-only`: output of the target is screened and delivered, but not recorded. Default: on.
             * @enum {string}
             */
            recording?: "on" | "input-only";
            /**
             * @description When an event counts as recorded, and is forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database. Null: the setting of the gateway. Default: null.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description Days for which sessions are kept after their end. Null: forever. Default: null. */
            retention_days?: number | null;
            /** @description Whether the result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`. Default: false. */
            record_results?: boolean;
            /** @description What clients of an MCP server may use, and its limits. Only for the subtype `mcpproxy`; null for all others. Default: everything is allowed. */
            mcp_policy?: components["schemas"]["McpPolicyBody"];
            /** @description Name of the entry of `GET /mcp-catalog` that the connection was made from; null where there is none. Fills `type`, `subtype`, and REMOTE_URL, MCP_TRANSPORT and MCP_AUTH of `secret`, where the body has none. It cannot be changed. */
            catalog?: string | null;
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
            subtype: "postgres" | "mcpproxy" | "ssh";
            description: string;
            /**
             * @description Names of the secret’s values; the values are never shown.
             * @example {
             *       "HOST": "",
             *       "PASS": ""
             *     }
             */
            secret: {
                [key: string]: string;
            };
            connection_tags: {
                [key: string]: string;
            };
            attributes: string[];
            guardrail_rules: string[];
            access_groups: string[];
            /** @description Groups whose members may open their own requests in an emergency. */
            emergency_access_groups: string[];
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
             * @description When an event counts as recorded, and is forwarded: `journal` survives a kill of the gateway, `journal+fsync` also a power failure, `store` waits for the database. Null: the setting of the gateway.
             * @enum {string|null}
             */
            recording_mode?: "journal" | "journal+fsync" | "store" | null;
            /** @description Days for which sessions are kept after their end. Null: forever. */
            retention_days: number | null;
            /** @description Whether the result rows for clients of the target’s own protocol are recorded even if no guardrail looks at them; otherwise only their number is. Without effect where `recording` is `input-only`. */
            record_results: boolean;
            /** @description What clients of an MCP server may use, and its limits. Only for the subtype `mcpproxy`; null for all others. */
            mcp_policy?: components["schemas"]["McpPolicyView"];
            /** @description Name of the entry of `GET /mcp-catalog` that the connection was made from; null where there is none. */
            catalog: string | null;
            /**
             * @description Whether the gateway could open the target when it last tried: for a script, for a PostgreSQL client, or for the test of the connection. `offline`: the target did not answer, or refused the secret. `unknown`: no attempt since the connection was created or its secret changed.
             * @enum {string}
             */
            status: "online" | "offline" | "unknown";
            /**
             * Format: date-time
             * @description Time of `status`; repeated results are stored once a minute. Null while `status` is `unknown`.
             */
            status_at: string | null;
            /** @description What became of the gateway’s sign-in at the MCP server: with the token of the caller, where each has one, or with the shared one. Null for all other kinds. */
            mcp_auth?: components["schemas"]["McpAuthView"];
            managed_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CreatedApiKeyView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example nightly-report */
            name: string;
            /**
             * @description First characters of the key.
             * @example gwk_3fK9…
             */
            masked_key: string;
            groups: string[];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who created the key. */
            created_by: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description The key, to be sent as a bearer token. It is shown only once.
             * @example gwk_…
             */
            key: string;
        };
        CreatedScimTokenView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example entra */
            name: string;
            /**
             * @description First characters of the token.
             * @example gws_3fK9…
             */
            masked_token: string;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who created the token. */
            created_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description The token, to be entered at the identity provider. It is shown only once.
             * @example gws_…
             */
            token: string;
        };
        CreatedWebhookView: {
            /** Format: uuid */
            id: string;
            /** @example https://hooks.example.com/gateway */
            url: string;
            events: ("review.requested" | "review.decided" | "review.signed_off" | "session.started" | "session.blocked" | "session.ended" | "access.revoked" | "mcp.tool.changed")[];
            /** @enum {string} */
            format: "standard" | "slack" | "teams";
            description: string;
            enabled: boolean;
            /** @description Why the gateway disabled the webhook: the endpoint answered with status 410. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Secret with which messages are signed, as in Standard Webhooks. It is shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        };
        CredentialBody: {
            /**
             * @description Duration of the access in seconds. Default: 3600, or the maximum of the connection’s access request rules, if that is less. A pending or approved request keeps the duration it was made with; who approves it may shorten it.
             * @example 28800
             */
            access_duration_seconds?: number | null;
            /**
             * @description Reason for the access; shown to reviewers, in events and in the audit log. Default: none.
             * @example OPS-12: refund of order 4711
             */
            reason?: string | null;
        };
        CredentialPage: {
            data: components["schemas"]["CredentialView"][];
            pages: components["schemas"]["PageInfo"];
        };
        CredentialView: {
            /**
             * Format: uuid
             * @description Id, which is also the user name to connect with.
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
             * @description Always null: a session refers to its credential, and begins later.
             */
            session_id: string | null;
            /** @description Whether the access needs approval. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description The review of the request, with the id of the credential; null where no approval was needed.
             */
            review_id: string | null;
            /** @description Reason for the request; null where none was given. */
            reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the credential and its sessions end; null while the access has not started.
             */
            expire_at: string | null;
            /**
             * @description `pending`: waits for its reviewers; `approved`: starts with its first use; `expired`: ended, not decided in time, or not used in time.
             * @enum {string}
             */
            status: "pending" | "approved" | "active" | "expired" | "revoked" | "rejected";
            /** Format: date-time */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description Start of its last session; null where there was none.
             */
            last_used_at: string | null;
        };
        DataMaskingView: {
            /**
             * Format: int64
             * @description Pieces of output that were masked.
             */
            total_redact_count: number;
            /**
             * Format: int64
             * @description Bytes of output that were replaced.
             */
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
        DeliveryPage: {
            data: components["schemas"]["DeliveryView"][];
            pages: components["schemas"]["PageInfo"];
        };
        DeliveryView: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The `webhook-id` of the message, the same in each attempt.
             */
            event_id: string;
            /** @example review.requested */
            event_type: string;
            /**
             * Format: uuid
             * @description The session that the event is about, otherwise the review or the credential. Messages with the same subject arrive in order.
             */
            subject_id: string;
            /**
             * @description `dead`: it is not sent any more unless it is replayed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "dead";
            /**
             * Format: int64
             * @description Number of attempts since the delivery was queued or replayed.
             */
            attempts: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /**
             * Format: int64
             * @description HTTP status of the last answer; null where there was none.
             */
            last_status: number | null;
            last_error: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt; null while it is being sent, while it waits for an earlier message, or when no further attempt will be made.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at: string | null;
        };
        DownloadLinkBody: {
            /**
             * @description File extension, which selects the format. Default: txt, the plain content.
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
             * @description Link that downloads the file once, without a credential. Anybody who has the link can use it, so keep it secret.
             * @example https://gateway.example.com/api/sessions/0b5a6e3c-1f5e-4c51-9d67-2f1f6a7c9d10/download?token=4fq0XkQ9
             */
            download_url: string;
            /**
             * Format: date-time
             * @description When the link expires, five minutes after its creation.
             */
            expire_at: string;
        };
        DryRunBody: {
            /**
             * @description A draft rule; give either this or `rule_ids`.
             * @example {
             *       "name": "draft",
             *       "input": {
             *         "rules": [
             *           {
             *             "type": "deny_words_list",
             *             "words": [
             *               "DROP TABLE"
             *             ],
             *             "pattern_regex": "",
             *             "message": "Tables are not dropped here."
             *           },
             *           {
             *             "type": "pattern_match",
             *             "words": [],
             *             "pattern_regex": "(?i)pg_sleep\\s*\\("
             *           },
             *           {
             *             "type": "sql_statement",
             *             "words": [],
             *             "pattern_regex": "",
             *             "kinds": [
             *               "drop",
             *               "truncate"
             *             ],
             *             "without_where": true,
             *             "tables": [
             *               {
             *                 "name": "public.salaries",
             *                 "access": "read"
             *               }
             *             ]
             *           },
             *           {
             *             "type": "shell_command",
             *             "words": [],
             *             "pattern_regex": "",
             *             "programs": [
             *               "mkfs*",
             *               "shutdown"
             *             ],
             *             "redirects_to": [
             *               "/etc/*"
             *             ]
             *           },
             *           {
             *             "type": "file_transfer",
             *             "words": [],
             *             "pattern_regex": "",
             *             "file_operations": [
             *               "write",
             *               "delete"
             *             ],
             *             "file_paths": [
             *               "/etc/*"
             *             ]
             *           }
             *         ]
             *       }
             *     }
             */
            rule?: components["schemas"]["GuardrailBody"];
            /** @description Stored rules. Default: none. */
            rule_ids?: string[];
            /** @enum {string} */
            direction: "input" | "output";
            /** @example DROP TABLE customers */
            text: string;
            /**
             * @description What an input is written in: SQL, a shell script, or an operation on files as recordings have it.
             * @default postgresql
             * @enum {string}
             */
            language: "postgresql" | "shell" | "file_operation";
            /** @description Also test this many of the last recorded sessions, and report which would have been blocked. */
            sessions?: number;
        };
        DryRunHitView: {
            /** @description What the person would be told. */
            message: string;
            rule_name: string;
            /**
             * Format: int64
             * @description Index of the entry in its rule set, from 0.
             */
            entry: number;
            /**
             * Format: int64
             * @description Where the match begins, in UTF-16 code units.
             */
            start: number;
            /**
             * Format: int64
             * @description Where the match ends, in UTF-16 code units.
             */
            end: number;
            /** @description The matched text, up to 256 characters; or the forbidden fact. */
            matched: string;
            /**
             * @description What the entry does with the match.
             * @enum {string}
             */
            action: "block" | "mask";
        };
        DryRunView: {
            /** @enum {string} */
            verdict: "pass" | "block" | "mask";
            hits: components["schemas"]["DryRunHitView"][];
            replay?: components["schemas"]["ReplayView"];
        };
        EffectivePolicyView: {
            /** @description Name of the connection. */
            connection: string;
            /** @description Subject identifier of the user. */
            user: string;
            /** @enum {string} */
            outcome: "open" | "review" | "refused";
            /** @description The reasons for the decision, then settings without effect because a feature is off. */
            reasons: components["schemas"]["ReasonView"][];
            /** @description Shown to auditors and admins; empty for others. */
            guardrails: components["schemas"]["AppliedGuardrailView"][];
            /** @description Shown to auditors and admins; empty for others, to whom `reasons` name the rules that ask. */
            access_rules: components["schemas"]["AppliedAccessRuleView"][];
            /** @description Groups that would be asked when a review is needed. */
            reviewers_groups: string[];
            /**
             * @description The role of the target as which the user's sessions would act (`ROLE` in the secret). Null: they act as the connection's account, or the user has no role there.
             * @example app_analytics
             */
            target_role: string | null;
        };
        EmergencyBody: {
            /**
             * @description Why the reviewers are not waited for.
             * @example INC-204: payments are down
             */
            reason: string;
        };
        ErrorBody: {
            /**
             * @description The error in one plain sentence.
             * @example there is no guardrail with this id
             */
            message: string;
        };
        EvidenceKeyView: {
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            crv: "Ed25519";
            /**
             * @description Id of the key, as in evidence files.
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
        ExecBody: {
            /**
             * @description Name of the connection.
             * @example demo
             */
            connection: string;
            /**
             * @description What to run; for postgres, one or more statements; for ssh, a script for a shell.
             * @example SELECT 1
             */
            script: string;
            /** @description Must be empty: the connection alone sets the environment of its scripts. */
            env_vars?: {
                [key: string]: string;
            };
            /** @description Must be empty: the connection alone sets the arguments of its scripts. */
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
             * @description Reason for the access; shown to reviewers, in events and in the audit log. Default: none.
             * @example OPS-12: refund of order 4711
             */
            reason?: string | null;
        };
        ExecView: {
            /** Format: uuid */
            session_id: string;
            /** @description Output and error output, up to 1 MiB; the recording has everything. */
            output: string;
            /** @enum {string} */
            output_status: "success" | "failed" | "blocked" | "running" | "waiting";
            /**
             * Format: int64
             * @description 0 clean, 1 a statement failed, 2 the target could not be reached or was lost, 254 blocked or internal; null while running. Of a script on a server, the exit code of the script; 128 and the number of the signal that ended it.
             */
            exit_code: number | null;
            /**
             * Format: int64
             * @description Milliseconds.
             */
            execution_time: number;
            /** @description Whether `output` was truncated. */
            truncated: boolean;
            /** @description The same output by statement, in the order in which they ran, up to 1 MiB together. Messages stand where they came. Output behind 1000 results is one more, of kind `text`, and so are results that one mask joins. */
            results: components["schemas"]["ScriptResultView"][];
            /** @description Whether the script waits for a review. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description Review that the script waits for, or that approved it.
             */
            review_id: string | null;
        };
        FeaturesBody: {
            /** @description Whether connections can be opened only by members of their `access_groups`. */
            access_control?: boolean;
            /**
             * @description Whether access request rules require approval.
             * @example true
             */
            review?: boolean;
        };
        FeaturesView: {
            /** @description Whether connections can be opened only by members of their `access_groups`. */
            access_control: boolean;
            /** @description Whether access request rules require approval. */
            review: boolean;
        };
        FieldChangeView: {
            /** @example description */
            field: string;
            /** @description The previous value; `[redacted]` where it is sensitive. */
            before: unknown;
            /** @description The new value; `[redacted]` where it is sensitive. */
            after: unknown;
        };
        GroupBody: {
            /**
             * @description Unique name.
             * @example dba
             */
            name: string;
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
        };
        GroupPage: {
            data: components["schemas"]["GroupView"][];
            pages: components["schemas"]["PageInfo"];
        };
        GroupView: {
            /** @example dba */
            name: string;
            description: string;
            /**
             * Format: int64
             * @description Number of members.
             */
            members: number;
        };
        GuardrailBody: {
            /**
             * @description Unique name of the rule.
             * @example no-drops
             */
            name: string;
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /**
             * @description The entries that judge input.
             * @example {
             *       "rules": [
             *         {
             *           "type": "deny_words_list",
             *           "words": [
             *             "DROP TABLE"
             *           ],
             *           "pattern_regex": "",
             *           "message": "Tables are not dropped here."
             *         },
             *         {
             *           "type": "pattern_match",
             *           "words": [],
             *           "pattern_regex": "(?i)pg_sleep\\s*\\("
             *         },
             *         {
             *           "type": "sql_statement",
             *           "words": [],
             *           "pattern_regex": "",
             *           "kinds": [
             *             "drop",
             *             "truncate"
             *           ],
             *           "without_where": true,
             *           "tables": [
             *             {
             *               "name": "public.salaries",
             *               "access": "read"
             *             }
             *           ]
             *         },
             *         {
             *           "type": "shell_command",
             *           "words": [],
             *           "pattern_regex": "",
             *           "programs": [
             *             "mkfs*",
             *             "shutdown"
             *           ],
             *           "redirects_to": [
             *             "/etc/*"
             *           ]
             *         },
             *         {
             *           "type": "file_transfer",
             *           "words": [],
             *           "pattern_regex": "",
             *           "file_operations": [
             *             "write",
             *             "delete"
             *           ],
             *           "file_paths": [
             *             "/etc/*"
             *           ]
             *         }
             *       ]
             *     }
             */
            input?: components["schemas"]["RuleSetBody"];
            /**
             * @description The entries that screen output.
             * @example {
             *       "rules": [
             *         {
             *           "type": "detector",
             *           "words": [],
             *           "pattern_regex": "",
             *           "detectors": [
             *             "email",
             *             "payment_card"
             *           ],
             *           "action": "mask",
             *           "keep_last": 4
             *         }
             *       ]
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
            /**
             * Format: int64
             * @description Place of the entry in its rule set, from 0.
             */
            entry?: number;
            /** @description The stored entry with all its keys. */
            rule?: {
                /**
                 * @description Rule kind.
                 * @example deny_words_list
                 */
                type?: string;
                words?: string[];
                pattern_regex?: string;
            } & {
                [key: string]: unknown;
            };
            matched_words?: string[];
            matches?: components["schemas"]["MatchView"][];
            /** @description Why the rule could not be applied, where that refused the input. */
            fault?: string;
        };
        GuardrailMetricsView: {
            /**
             * Format: int64
             * @description Inputs judged.
             */
            checked: number;
            /**
             * Format: int64
             * @description Hits.
             */
            blocked: number;
        };
        GuardrailPage: {
            data: components["schemas"]["GuardrailView"][];
            pages: components["schemas"]["PageInfo"];
        };
        GuardrailStatsView: {
            /** Format: uuid */
            id: string;
            /**
             * Format: int64
             * @description Number of inputs and output streams that the rule checked.
             */
            checked: number;
            /**
             * Format: int64
             * @description Number of blocks and masks.
             */
            hit: number;
            /**
             * Format: date-time
             * @description When it last hit.
             */
            last_hit: string | null;
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
             *         },
             *         {
             *           "type": "pattern_match",
             *           "words": [],
             *           "pattern_regex": "(?i)pg_sleep\\s*\\("
             *         },
             *         {
             *           "type": "sql_statement",
             *           "words": [],
             *           "pattern_regex": "",
             *           "kinds": [
             *             "drop",
             *             "truncate"
             *           ],
             *           "without_where": true,
             *           "tables": [
             *             {
             *               "name": "public.salaries",
             *               "access": "read"
             *             }
             *           ]
             *         },
             *         {
             *           "type": "shell_command",
             *           "words": [],
             *           "pattern_regex": "",
             *           "programs": [
             *             "mkfs*",
             *             "shutdown"
             *           ],
             *           "redirects_to": [
             *             "/etc/*"
             *           ]
             *         },
             *         {
             *           "type": "file_transfer",
             *           "words": [],
             *           "pattern_regex": "",
             *           "file_operations": [
             *             "write",
             *             "delete"
             *           ],
             *           "file_paths": [
             *             "/etc/*"
             *           ]
             *         }
             *       ]
             *     }
             */
            input: components["schemas"]["RuleSetView"];
            /**
             * @description The output rule set.
             * @example {
             *       "rules": [
             *         {
             *           "type": "detector",
             *           "words": [],
             *           "pattern_regex": "",
             *           "detectors": [
             *             "email",
             *             "payment_card"
             *           ],
             *           "action": "mask",
             *           "keep_last": 4
             *         }
             *       ]
             *     }
             */
            output: components["schemas"]["RuleSetView"];
            /** @description Set to `gateway` when a protection profile manages the rule, which is then read-only. */
            managed_by: string | null;
            /** @description The rule in the sidecar’s own vocabulary. Absent: this service distributes no rules to sidecars. */
            sidecar_spec?: {
                [key: string]: unknown;
            };
            /** @description Sidecar listeners the rule is bound to. Absent: this service distributes no rules to sidecars. */
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
        HealthView: {
            /** @enum {string} */
            status: "ok";
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
        } | null;
        IssuedCredentialView: {
            /**
             * Format: uuid
             * @description Id, which is also the user name to connect with.
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
             * @description Always null: a session refers to its credential, and begins later.
             */
            session_id: string | null;
            /** @description Whether the access needs approval. */
            has_review: boolean;
            /**
             * Format: uuid
             * @description The review of the request, with the id of the credential; null where no approval was needed.
             */
            review_id: string | null;
            /** @description Reason for the request; null where none was given. */
            reason: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the credential and its sessions end; null while the access has not started.
             */
            expire_at: string | null;
            /** @description The password, shown only once; null while the review is not approved. Then repeat the request. */
            connection_credentials?: components["schemas"]["ConnectionCredentialsView"];
        };
        LedgerFaultView: {
            /**
             * Format: int64
             * @description Number of the entry; null for the ledger as a whole, or a session without an entry.
             * @example 17
             */
            number: number | null;
            /**
             * Format: uuid
             * @description Session of the entry.
             */
            session_id: string | null;
            /** @example user_email is not what was sealed */
            reason: string;
        };
        LedgerVerificationView: {
            /**
             * @description `valid`: no faults. `broken`: `faults` list what was edited, removed or moved. `unknown_key`: no faults found, but some entries were signed by keys that are neither in `SECRET_KEY` nor published, so they could not be checked.
             * @enum {string}
             */
            status: "valid" | "broken" | "unknown_key";
            /**
             * Format: int64
             * @description The first entry that was verified.
             * @example 1
             */
            from: number;
            /**
             * Format: int64
             * @description The last entry that was verified; 0 where there is none.
             */
            to: number;
            /**
             * Format: int64
             * @description Value of `from` to continue; null when all requested entries were verified.
             */
            next: number | null;
            /**
             * Format: int64
             * @description Number of the last entry in the ledger; 0 for an empty ledger.
             */
            head: number;
            /**
             * @description Hash of the last entry (SHA-256, hex). Keep number and hash elsewhere to detect later whether entries were removed from the end.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            head_hash: string;
            /**
             * Format: int64
             * @description The last entry whose hash is in the audit log. Only this gateway would notice the removal of later entries.
             */
            anchored: number | null;
            /**
             * Format: int64
             * @description Number of sessions whose entry is pending.
             */
            waiting: number;
            /** @description Ids of unknown keys that signed entries. */
            unknown_keys: string[];
            /** @description The first 100. */
            faults: components["schemas"]["LedgerFaultView"][];
        };
        LoginView: {
            /**
             * Format: uri
             * @description URL of the identity provider to open in the browser.
             */
            login_url: string;
        };
        MatchView: {
            /**
             * Format: int64
             * @description Where it begins, in UTF-16 code units of the input or of the stream of output.
             */
            start: number;
            /**
             * Format: int64
             * @description Where it ends.
             */
            end: number;
            /** @description The matched text, up to 256 characters; or the forbidden fact. */
            text: string;
        };
        McpAuthView: {
            /**
             * @description `ok`: the gateway has a token, or gets the next one by itself. `needs_reauth`: it was refused one, and somebody has to act. `none`: it never needed one.
             * @enum {string}
             */
            status: "ok" | "needs_reauth" | "none";
            /**
             * Format: date-time
             * @description Null while `status` is `none`.
             */
            since: string | null;
        } | null;
        McpAuthorizationPage: {
            data: components["schemas"]["McpAuthorizationView"][];
            pages: components["schemas"]["PageInfo"];
        };
        McpAuthorizationView: {
            /** Format: uuid */
            id: string;
            /**
             * @description Id of the client: as the gateway registered it, or the address of its metadata document.
             * @example https://ide.example.com/client.json
             */
            client_id: string;
            /**
             * @description As the client calls itself.
             * @example Example IDE
             */
            client_name: string;
            /**
             * @description Host to which the browser returned; that of the gateway for a device without a browser. With its scheme where it returned to an application (`cursor://anysphere.cursor-mcp`).
             * @example 127.0.0.1:33418
             */
            redirect_host: string;
            /**
             * @description The connection that the client may use in the name of the user; null: all of the REST API, for the command line of the gateway.
             * @example tickets
             */
            connection: string | null;
            /** @description Subject identifier of the user. */
            user: string;
            /**
             * Format: date-time
             * @description When the user allowed it.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the user has to sign in again.
             */
            expires_at: string;
        };
        McpConnectView: {
            /**
             * Format: uri
             * @description Opened in a browser, it serves the caller alone: after the sign-in at the gateway it shows where the account is, asks, and leads there. Good for an hour, used once.
             * @example https://gateway.example.com/api/mcp-connect/0b6f2c1e-6d8e-4a5e-9a7f-3b1f0f5f6a10
             */
            url: string;
            /**
             * @description `user`: an account of the caller, for the caller. `shared`: one for all who use the connection.
             * @enum {string}
             */
            subject: "user" | "shared";
            /** Format: date-time */
            expires_at: string;
            /**
             * Format: uri
             * @description To be registered with the client of `MCP_CLIENT_ID`; null where the gateway introduces itself to the authorization server.
             */
            redirect_uri: string | null;
        };
        McpPolicyBody: {
            /** @description Tools, by their names. */
            tools?: components["schemas"]["ToolPatternsBody"];
            /** @description Resources, by their URIs; their templates, by the templates of URIs. */
            resources?: components["schemas"]["NamePatternsBody"];
            /** @description Prompts, by their names. */
            prompts?: components["schemas"]["NamePatternsBody"];
            /**
             * @description What happens to a tool that the gateway has not seen before: `allow`, or `hold` until an admin accepts it. Default: allow.
             * @enum {string}
             */
            new_tools?: "allow" | "hold";
            /** @description Requests of the server that reach the client; the others are refused. Default: none. */
            server_requests?: ("sampling" | "elicitation" | "roots")[];
            /** @description Calls of one tool by one user or API key in a minute. Null: no limit. */
            calls_per_minute?: number | null;
            /** @description Size of one result. Null: the limit of the gateway. */
            result_bytes?: number | null;
            /** @description Streams that one user or API key may have open at a time. Null: the limit of the gateway. */
            streams?: number | null;
        } | null;
        McpPolicyView: {
            tools: components["schemas"]["ToolPatternsView"];
            resources: components["schemas"]["NamePatternsView"];
            prompts: components["schemas"]["NamePatternsView"];
            /**
             * @description What happens to a tool that the gateway has not seen before: `allow`, or `hold` until an admin accepts it.
             * @enum {string}
             */
            new_tools: "allow" | "hold";
            /** @description Requests of the server that reach the client; the others are refused. */
            server_requests: ("sampling" | "elicitation" | "roots")[];
            /** @description Calls of one tool by one user or API key in a minute. Null: no limit. */
            calls_per_minute: number | null;
            /** @description Size of one result. Null: the limit of the gateway. */
            result_bytes: number | null;
            /** @description Streams that one user or API key may have open at a time. Null: the limit of the gateway. */
            streams: number | null;
        } | null;
        McpToolDifferenceView: {
            /**
             * @description JSON pointer (RFC 6901) to what differs in the definition of the tool.
             * @example /inputSchema/properties/sql/description
             */
            path: string;
            /** @description As it was accepted: a text as it is, any other value as JSON. Null: it was not there. */
            before: string | null;
            /** @description As it is listed now. Null: it is not there any more. */
            after: string | null;
        };
        McpToolPage: {
            data: components["schemas"]["McpToolView"][];
            pages: components["schemas"]["PageInfo"];
        };
        McpToolView: {
            /** Format: uuid */
            id: string;
            /**
             * @description Name of the tool, exactly as the server writes it.
             * @example search_orders
             */
            name: string;
            /**
             * @description `accepted`: clients see and call it. `held`: new, and the connection holds new tools. `changed`: not as it was accepted. Clients neither see nor call the latter two.
             * @enum {string}
             */
            status: "accepted" | "changed" | "held";
            /**
             * @description SHA-256, in hex, of what the tool says of itself now; the `ETag` of the tool.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            fingerprint: string;
            /** @description The fingerprint that was accepted; null: none was. */
            accepted_fingerprint: string | null;
            /** Format: date-time */
            accepted_at: string | null;
            /** @description Who accepted it: an e-mail address or an id. Null: nobody, or `new_tools` of the policy is `allow`. */
            accepted_by: string | null;
            /** Format: date-time */
            first_listed_at: string;
            /**
             * Format: date-time
             * @description When the definition changed last.
             */
            changed_at: string;
            /** @description What differs from what was accepted, at most 200 places; everything while nothing was accepted. In lists, texts are cut to 1000 characters. */
            differences: components["schemas"]["McpToolDifferenceView"][];
            /** @description What may deceive a reader: invisible characters in the name, or another tool that looks the same. */
            warnings: string[];
        };
        MissingApprovalView: {
            /**
             * @description Name of the rule.
             * @example prod-databases
             */
            rule: string;
            /**
             * Format: int64
             * @description How many more people have to approve, at least.
             */
            approvals: number;
            /** @description Groups whose members count. */
            groups: string[];
            /** @description Groups each of which has to approve still. */
            each_of: string[];
            /** @description Groups of which one has to approve still; empty: no matter which. */
            one_of: string[];
        };
        NamePatternsBody: {
            /**
             * @description Only what one of these patterns matches is there for clients. None: everything. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "search_*"
             *     ]
             */
            allowed?: string[];
            /**
             * @description What one of these patterns matches is not there for clients, even if it is allowed. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "delete_*"
             *     ]
             */
            denied?: string[];
        };
        NamePatternsView: {
            /**
             * @description Only what one of these patterns matches is there for clients. None: everything. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "search_*"
             *     ]
             */
            allowed: string[];
            /**
             * @description What one of these patterns matches is not there for clients, even if it is allowed. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "delete_*"
             *     ]
             */
            denied: string[];
        };
        OrganizationBody: {
            features: components["schemas"]["FeaturesBody"];
        };
        OrganizationView: {
            /** Format: uuid */
            id: string;
            /** @example default */
            name: string;
            features: components["schemas"]["FeaturesView"];
        };
        OriginView: {
            /**
             * @description How the rule is bound to the connection.
             * @enum {string}
             */
            by: "id" | "attribute" | "name";
            /** @description The id, attribute or name that rule and connection share. */
            value: string;
        };
        PageInfo: {
            /**
             * Format: int64
             * @description This page, from 1.
             * @example 1
             */
            page: number;
            /**
             * Format: int64
             * @description Items on a full page.
             * @example 1000
             */
            size: number;
            /**
             * Format: int64
             * @description Items in the whole list.
             * @example 1
             */
            total: number;
        };
        PublicServerInfoView: {
            /**
             * @description How people sign in.
             * @enum {string}
             */
            auth_method: "oidc";
            /**
             * Format: uri
             * @description Base URL of the API.
             * @example http://127.0.0.1:8009/api
             */
            api_url: string;
        };
        ReachView: {
            success: boolean;
            /** @description The result in plain words, without any part of the secret. */
            message: string;
            /**
             * Format: int64
             * @description Duration in milliseconds.
             */
            duration_ms: number;
        };
        ReadinessView: {
            /** @enum {string} */
            status: "ok";
            /** @description What works only partly, for example an identity provider that does not answer. */
            warnings: string[];
        };
        ReasonView: {
            /** @enum {string} */
            code: "no_rule_applies" | "review_required" | "emergency_access" | "review_skipped" | "verb_disabled" | "not_in_access_groups" | "no_role" | "user_inactive" | "auditors_only_read" | "access_groups_not_enforced" | "access_rules_not_enforced";
            message: string;
        };
        RecordingFaultView: {
            /**
             * Format: int64
             * @description Number of the chunk; null for the recording as a whole, or the session.
             * @example 3
             */
            seq: number | null;
            /** @example it does not follow the previous chunk */
            reason: string;
        };
        ReplayView: {
            /**
             * Format: int64
             * @description Sessions replayed.
             */
            sessions: number;
            /**
             * Format: int64
             * @description Sessions that would have been blocked.
             */
            blocked: number;
            /** @description Sessions that would have been blocked. */
            session_ids: string[];
        };
        RequestView: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @enum {string} */
            type: "onetime" | "jit";
            /**
             * Format: int64
             * @description Seconds; 0 for a one-time review.
             */
            access_duration: number;
            /** @example prod-databases */
            access_request_rule_name: string;
            /** Format: int64 */
            min_approvals: number;
            force_approval_groups: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description When the access ends (RFC 3339); may be empty.
             * @example
             */
            revoke_at: string;
            /** @description Reason for the request, in the words of the requester; null where none was given. */
            reason: string | null;
            rejection_reason: string | null;
            /** @description Why the approval was forced, or what the emergency was; null where there was neither. */
            force_reason: string | null;
            /** @description Whether the requester opened it in an emergency, in place of its reviewers. */
            emergency: boolean;
            /**
             * @description Of a forced approval or an emergency: whether another person has signed it off afterwards. Null for all others.
             * @enum {string|null}
             */
            after_review?: "open" | "signed_off" | null;
            sign_off?: components["schemas"]["SignOffView"];
            time_window?: components["schemas"]["TimeWindowView"];
            review_groups_data: components["schemas"]["ReviewGroupView"][];
            /**
             * Format: uuid
             * @description Session that waits for the review and has the script.
             */
            session_id: string | null;
            /**
             * @description The first 300 characters of the script; null: the review is not about a script, or is over, and the session has the script.
             * @example UPDATE customers SET city = 'Oslo' WHERE id = 42
             */
            script_start: string | null;
            /** @description Call within a live session, if the review is about one; the session continues meanwhile. */
            call?: components["schemas"]["ReviewedCallView"];
            connection: components["schemas"]["ReviewedConnectionView"];
            /** @description Who asked. */
            review_owner: components["schemas"]["ReviewerView"];
            /** @description What is missing before it is approved, an entry for each rule; empty when it does not wait. */
            missing: components["schemas"]["MissingApprovalView"][];
            /** Format: date-time */
            approved_at: string | null;
            /**
             * Format: date-time
             * @description When the review expires if nobody decides, or the approval is not used.
             */
            expires_at: string;
        };
        RetentionRunView: {
            /** Format: uuid */
            id: string;
            /** @description Who started the run; null for a scheduled run. */
            started_by: string | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string | null;
            /**
             * @description `stopped`: its gateway was shut down. `interrupted`: its gateway died. In both cases the next run continues.
             * @enum {string}
             */
            outcome: "running" | "finished" | "stopped" | "failed" | "interrupted";
            /**
             * Format: int64
             * @description Recordings whose retention had ended at the start of the run, without those on legal hold.
             */
            due: number;
            /**
             * Format: int64
             * @description Number of these recordings that were made unreadable.
             */
            purged: number;
            /**
             * Format: int64
             * @description Recorded bytes of the purged recordings.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Recordings removed from the disk.
             */
            removed: number;
            /**
             * Format: int64
             * @description Months removed as a whole, because nothing of them had to be kept.
             */
            months_dropped: number;
            /**
             * Format: int64
             * @description Recordings that are kept only because of a legal hold.
             */
            held_back: number;
            /** @description What went wrong. */
            error: string | null;
        };
        RetentionView: {
            /** @description Whether a run is in progress. */
            running: boolean;
            /**
             * Format: date-time
             * @description Start of the last run, which may be in progress; null before the first run.
             */
            started_at: string | null;
            /**
             * Format: int64
             * @description Of that run, as below.
             */
            due: number;
            /**
             * Format: int64
             * @description Of that run, as below.
             */
            purged: number;
            /**
             * Format: int64
             * @description Of that run, as below.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Of that run, as below.
             */
            held_back: number;
            /**
             * Format: int64
             * @description Purged recordings that are still on the disk.
             */
            waiting: number;
            /** Format: date-time */
            last_finished_at: string | null;
            /** @description Of the last run that is over; null: all went well. */
            last_error: string | null;
            /** @description The last 20, newest first. */
            runs: components["schemas"]["RetentionRunView"][];
        };
        ReviewBody: {
            /**
             * @description `APPROVED`: approves; `REJECTED`: rejects, which ends the review; `REVOKED`: withdraws a request or an approval. Other states cannot be set.
             * @example APPROVED
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @description With `APPROVED`: the hours in which the approval may be used. With several approvers, the hours that all of them allow. */
            time_window?: components["schemas"]["TimeWindowBody"];
            /**
             * Format: int64
             * @description With `APPROVED`, for access for a while: for how many seconds at most, 60 or more. With several approvers, the shortest; longer than was asked for changes nothing, nor does 0. Default: as long as was asked for.
             * @example 1800
             */
            access_duration?: number | null;
            /** @description With `APPROVED`: satisfies at once each rule that names a group of the caller in `force_approval_groups`. Default: false. */
            force_review?: boolean | null;
            /** @description With `force_review`, which requires it: why the others are not waited for. */
            force_reason?: string | null;
            /** @description With `REJECTED` or `REVOKED`: why. Default: none. */
            rejection_reason?: string | null;
        };
        ReviewContextView: {
            /** @description null: the review is about no script, its language has no statements, or it was removed. */
            script?: components["schemas"]["ReviewedScriptView"];
            /** @description The last 10 requests of the same requester for the same connection that were approved, newest first. */
            earlier: components["schemas"]["RequestView"][];
            /** @description The last 20 sessions that ran under an approval for a while, newest first. */
            sessions: components["schemas"]["ReviewedSessionView"][];
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
            reviewed_by?: components["schemas"]["ReviewerViewOrNull"];
        };
        ReviewPage: {
            data: components["schemas"]["RequestView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ReviewView: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
            /** @enum {string} */
            type: "onetime" | "jit";
            /**
             * Format: int64
             * @description Seconds; 0 for a one-time review.
             */
            access_duration: number;
            /** @example prod-databases */
            access_request_rule_name: string;
            /** Format: int64 */
            min_approvals: number;
            force_approval_groups: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description When the access ends (RFC 3339); may be empty.
             * @example
             */
            revoke_at: string;
            /** @description Reason for the request, in the words of the requester; null where none was given. */
            reason: string | null;
            rejection_reason: string | null;
            /** @description Why the approval was forced, or what the emergency was; null where there was neither. */
            force_reason: string | null;
            /** @description Whether the requester opened it in an emergency, in place of its reviewers. */
            emergency: boolean;
            /**
             * @description Of a forced approval or an emergency: whether another person has signed it off afterwards. Null for all others.
             * @enum {string|null}
             */
            after_review?: "open" | "signed_off" | null;
            sign_off?: components["schemas"]["SignOffView"];
            time_window?: components["schemas"]["TimeWindowView"];
            review_groups_data: components["schemas"]["ReviewGroupView"][];
        } | null;
        ReviewedCallView: {
            /**
             * Format: uuid
             * @description Live session of the call.
             */
            session_id: string | null;
            /**
             * @description What is called.
             * @example delete_customer
             */
            name: string;
            /**
             * @description Arguments of the call; null once the review is over, because the session’s recording has them.
             * @example {"id":"cus_42"}
             */
            arguments: string | null;
            /**
             * @description What the tool said of itself when it was called: the approval is for this fingerprint only.
             * @example 3f6c…
             */
            fingerprint: string | null;
        } | null;
        ReviewedConnectionView: {
            /** Format: uuid */
            id: string | null;
            /**
             * @description Name of the connection at the time of the request.
             * @example pg-prod
             */
            name: string;
        };
        ReviewedScriptView: {
            /**
             * Format: int64
             * @description How many statements it has.
             */
            total: number;
            /** @description The first 100. */
            statements: components["schemas"]["ReviewedStatementView"][];
            /** @description Why it cannot be read; null when it can. */
            fault: string | null;
        } | null;
        ReviewedSessionView: {
            /** Format: uuid */
            id: string;
            /** @description E-mail of who ran it. */
            user: string;
            /** @enum {string} */
            verb: "exec" | "connect";
            /** @enum {string} */
            status: "open" | "ready" | "done";
            /** Format: date-time */
            start_date: string;
            /** Format: date-time */
            end_date: string | null;
        };
        ReviewedStatementView: {
            /**
             * Format: int64
             * @description Where it begins in the script, in UTF-16 code units.
             */
            start: number;
            /**
             * Format: int64
             * @description Where it ends.
             */
            end: number;
            /**
             * @description Kinds of the statement and of what it contains.
             * @example [
             *       "delete"
             *     ]
             */
            kinds: string[];
            /** @description It changes or deletes all rows: its condition is missing, or is the same for every row. */
            without_where: boolean;
            tables: components["schemas"]["ReviewedTableView"][];
            /** @description Why part of its effect cannot be told from its text. */
            hidden: string[];
        };
        ReviewedTableView: {
            /**
             * @description null: none is named.
             * @example public
             */
            schema: string | null;
            /**
             * @description `*`: tables that the statement does not name.
             * @example customers
             */
            name: string;
            /** @description Whether it is changed. */
            is_written: boolean;
        };
        ReviewerView: {
            id: string;
            name: string;
            email: string;
            slack_id: string;
        };
        ReviewerViewOrNull: {
            id: string;
            name: string;
            email: string;
            slack_id: string;
        } | null;
        RuleEntryBody: {
            /**
             * @description Rule kind: `deny_words_list` finds words (input and output); `pattern_match` finds matches of an RE2 regular expression (input and output); `sql_statement` finds what the statements do, where the target is PostgreSQL (input); `shell_command` finds what the commands of a shell script run, where the target is a server (input); `file_transfer` finds operations on files by SFTP, where the target is a server (input); `detector` finds sensitive data of known forms (output).
             * @enum {string}
             */
            type: "deny_words_list" | "pattern_match" | "sql_statement" | "shell_command" | "file_transfer" | "detector";
            /** @description `deny_words_list`: words that are denied, anywhere and in any case. Empty in entries of other types. */
            words: string[];
            /**
             * @description `pattern_match`: RE2 regular expression that is denied. Empty in entries of other types.
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
            kinds?: ("select" | "insert" | "update" | "delete" | "merge" | "truncate" | "copy" | "copy_program" | "copy_file" | "create" | "alter" | "drop" | "import_foreign_schema" | "comment" | "security_label" | "refresh" | "grant" | "revoke" | "set" | "reset" | "show" | "discard" | "load" | "do" | "call" | "prepare" | "execute" | "deallocate" | "explain" | "declare_cursor" | "fetch" | "close" | "lock" | "vacuum" | "analyze" | "cluster" | "reindex" | "checkpoint" | "listen" | "notify" | "unlisten" | "begin" | "commit" | "rollback" | "savepoint" | "release" | "prepare_transaction" | "other" | "other_sessions" | "set_role")[];
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
            /**
             * @description `shell_command`: programs that are denied wherever in the script they run, by name or by absolute path; `*` and `?` stand for characters.
             * @example [
             *       "rm",
             *       "mkfs*",
             *       "/opt/backup/bin/wipe"
             *     ]
             */
            programs?: string[];
            /**
             * @description `shell_command`: the programs are denied only where each of these is among their arguments: an option such as `-r` (also found in `-rf`) or `--recursive`, a path such as `/etc/*` (also its parent folders), or another text; `*` and `?` stand for characters.
             * @example [
             *       "-r",
             *       "/etc/*"
             *     ]
             */
            program_arguments?: string[];
            /**
             * @description `shell_command`: absolute paths to which no output may be redirected; `*` and `?` stand for characters.
             * @example [
             *       "/etc/*",
             *       "/dev/sd*"
             *     ]
             */
            redirects_to?: string[];
            /**
             * @description `shell_command`: what becomes of a script that cannot be read, or runs what is not in its text. `refuse` unless given.
             * @enum {string}
             */
            hidden_commands?: "refuse" | "allow";
            /** @description `file_transfer`: what is denied; everything unless given. `rename` is also a `delete` of the old path and a `write` of the new one; `link` also a `read` and a `write` of what it leads to; `write` is any change, also of attributes; `inspect` asks for attributes. */
            file_operations?: ("read" | "write" | "delete" | "rename" | "link" | "list" | "inspect")[];
            /**
             * @description `file_transfer`: absolute paths for which that is denied; `*` and `?` stand for characters, also for `/`. A folder that contains one cannot be renamed or linked to.
             * @example [
             *       "/etc/*",
             *       "/root/.ssh/*"
             *     ]
             */
            file_paths?: string[];
            /**
             * @description `file_transfer`: ends of file names for which that is denied, in any case, without the dot before them.
             * @example [
             *       "exe",
             *       "tar.gz"
             *     ]
             */
            file_extensions?: string[];
            /** @description `file_transfer`: files may be read and written up to so many bytes; what is beyond them is denied. */
            file_bytes_over?: number;
            /** @description `detector`: what is looked for. */
            detectors?: ("email" | "payment_card" | "us_ssn" | "iban" | "phone" | "aws_key" | "jwt" | "private_key")[];
            /**
             * @description Output only: `mask` replaces matches instead of stopping the stream. A mask does not keep data from a person who writes their own queries (encodings, one character in a row, counts): grants, views, `tables` entries and approvals do. Default: `block`.
             * @enum {string}
             */
            action?: "block" | "mask";
            /** @description With `mask`: number of characters at the end that stay readable. Default: 0. */
            keep_last?: number;
            /**
             * @description Input only: the entry reads only these arguments of the calls of tools: JSON pointers (RFC 6901), where `*` stands for any name or index. `sql_statement` reads each text there as PostgreSQL. The entry has no effect on connections without calls, such as those to PostgreSQL. Default: everything that is called for; `sql_statement` reads each text that is valid SQL.
             * @example [
             *       "/sql",
             *       "/queries/*"
             *     ]
             */
            arguments?: string[];
        };
        RuleEntryView: {
            /**
             * @description Rule kind: `deny_words_list` finds words (input and output); `pattern_match` finds matches of an RE2 regular expression (input and output); `sql_statement` finds what the statements do, where the target is PostgreSQL (input); `shell_command` finds what the commands of a shell script run, where the target is a server (input); `file_transfer` finds operations on files by SFTP, where the target is a server (input); `detector` finds sensitive data of known forms (output).
             * @enum {string}
             */
            type: "deny_words_list" | "pattern_match" | "sql_statement" | "shell_command" | "file_transfer" | "detector";
            /** @description `deny_words_list`: words that are denied, anywhere and in any case. Empty in entries of other types. */
            words: string[];
            /**
             * @description `pattern_match`: RE2 regular expression that is denied. Empty in entries of other types.
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
            kinds?: ("select" | "insert" | "update" | "delete" | "merge" | "truncate" | "copy" | "copy_program" | "copy_file" | "create" | "alter" | "drop" | "import_foreign_schema" | "comment" | "security_label" | "refresh" | "grant" | "revoke" | "set" | "reset" | "show" | "discard" | "load" | "do" | "call" | "prepare" | "execute" | "deallocate" | "explain" | "declare_cursor" | "fetch" | "close" | "lock" | "vacuum" | "analyze" | "cluster" | "reindex" | "checkpoint" | "listen" | "notify" | "unlisten" | "begin" | "commit" | "rollback" | "savepoint" | "release" | "prepare_transaction" | "other" | "other_sessions" | "set_role")[];
            /** @description `sql_statement`: deny UPDATE and DELETE without WHERE. */
            without_where?: boolean;
            /** @description `sql_statement`: tables that are denied. */
            tables?: components["schemas"]["TableConditionView"][];
            /** @description `sql_statement`: functions that are denied, as `function` or `schema.function`. */
            functions?: string[];
            /**
             * @description `sql_statement`: what becomes of a text that cannot be parsed or hides its effect. `refuse` unless given.
             * @enum {string}
             */
            unparseable?: "refuse" | "allow";
            /**
             * @description `shell_command`: programs that are denied wherever in the script they run, by name or by absolute path; `*` and `?` stand for characters.
             * @example [
             *       "rm",
             *       "mkfs*",
             *       "/opt/backup/bin/wipe"
             *     ]
             */
            programs?: string[];
            /**
             * @description `shell_command`: the programs are denied only where each of these is among their arguments: an option such as `-r` (also found in `-rf`) or `--recursive`, a path such as `/etc/*` (also its parent folders), or another text; `*` and `?` stand for characters.
             * @example [
             *       "-r",
             *       "/etc/*"
             *     ]
             */
            program_arguments?: string[];
            /**
             * @description `shell_command`: absolute paths to which no output may be redirected; `*` and `?` stand for characters.
             * @example [
             *       "/etc/*",
             *       "/dev/sd*"
             *     ]
             */
            redirects_to?: string[];
            /**
             * @description `shell_command`: what becomes of a script that cannot be read, or runs what is not in its text. `refuse` unless given.
             * @enum {string}
             */
            hidden_commands?: "refuse" | "allow";
            /** @description `file_transfer`: what is denied; everything unless given. `rename` is also a `delete` of the old path and a `write` of the new one; `link` also a `read` and a `write` of what it leads to; `write` is any change, also of attributes; `inspect` asks for attributes. */
            file_operations?: ("read" | "write" | "delete" | "rename" | "link" | "list" | "inspect")[];
            /**
             * @description `file_transfer`: absolute paths for which that is denied; `*` and `?` stand for characters, also for `/`. A folder that contains one cannot be renamed or linked to.
             * @example [
             *       "/etc/*",
             *       "/root/.ssh/*"
             *     ]
             */
            file_paths?: string[];
            /**
             * @description `file_transfer`: ends of file names for which that is denied, in any case, without the dot before them.
             * @example [
             *       "exe",
             *       "tar.gz"
             *     ]
             */
            file_extensions?: string[];
            /** @description `file_transfer`: files may be read and written up to so many bytes; what is beyond them is denied. */
            file_bytes_over?: number;
            /** @description `detector`: what is looked for. */
            detectors?: ("email" | "payment_card" | "us_ssn" | "iban" | "phone" | "aws_key" | "jwt" | "private_key")[];
            /**
             * @description Output only: `mask` replaces matches instead of stopping the stream. A mask does not keep data from a person who writes their own queries (encodings, one character in a row, counts): grants, views, `tables` entries and approvals do. Default: `block`.
             * @enum {string}
             */
            action?: "block" | "mask";
            /** @description With `mask`: number of characters at the end that stay readable. Default: 0. */
            keep_last?: number;
            /**
             * @description Input only: the entry reads only these arguments of the calls of tools: JSON pointers (RFC 6901), where `*` stands for any name or index. `sql_statement` reads each text there as PostgreSQL. The entry has no effect on connections without calls, such as those to PostgreSQL. Default: everything that is called for; `sql_statement` reads each text that is valid SQL.
             * @example [
             *       "/sql",
             *       "/queries/*"
             *     ]
             */
            arguments?: string[];
        };
        RuleSetBody: {
            rules: components["schemas"]["RuleEntryBody"][];
        };
        RuleSetView: {
            rules: components["schemas"]["RuleEntryView"][];
        };
        SchemaTablesView: {
            /** @example public */
            name: string;
            /** @description Whether a table without the name of a schema is looked for here. */
            is_default: boolean;
            /**
             * @description Names of tables, views and foreign tables.
             * @example [
             *       "customers"
             *     ]
             */
            tables: string[];
            /** @description The same tables with their columns. */
            table_columns: components["schemas"]["TableColumnsView"][];
        };
        ScimTokenBody: {
            /**
             * @description Name, unique among the tokens that are not revoked.
             * @example entra
             */
            name: string;
            /**
             * Format: date-time
             * @description When the token expires; in the future, at most two years from now. Null or absent: in one year.
             */
            expires_at?: string | null;
        };
        ScimTokenPage: {
            data: components["schemas"]["ScimTokenView"][];
            pages: components["schemas"]["PageInfo"];
        };
        ScimTokenView: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** @example entra */
            name: string;
            /**
             * @description First characters of the token.
             * @example gws_3fK9…
             */
            masked_token: string;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** @description Subject of the admin who created the token. */
            created_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        ScriptCheckBody: {
            /** @example DROP TABLE customers */
            script: string;
        };
        ScriptCheckView: {
            /**
             * @description `block`: the guardrails of the connection would block it. A rule about tables that a statement does not name is taken to hold; when the script runs, the target is asked.
             * @enum {string}
             */
            verdict: "pass" | "block";
            findings: components["schemas"]["ScriptFindingView"][];
        };
        ScriptFindingView: {
            /** @description What the person would be told. */
            message: string;
            /** @description The rule. For admins. */
            rule_name?: string;
            /**
             * Format: int64
             * @description Index of the entry in its rule set, from 0. For admins.
             */
            entry?: number;
            /**
             * Format: int64
             * @description Where the match begins, in UTF-16 code units. For admins.
             */
            start?: number;
            /**
             * Format: int64
             * @description Where the match ends, in UTF-16 code units. For admins.
             */
            end?: number;
        };
        ScriptResultView: {
            /**
             * @description `rows`: a line of names, then a line for each row, in the text format of COPY; `command`: what a statement without rows says; `text`: the output of COPY and of servers, and what no statement can be named for; `message`: notices and errors.
             * @enum {string}
             */
            kind: "rows" | "command" | "text" | "message";
            /**
             * @example id	name
             *     1	Grace
             */
            output: string;
            /** @description Whether `output` is not all: it was cut, or the statement did not end. */
            truncated: boolean;
        };
        ScriptView: {
            /**
             * @description The input.
             * @example SELECT 1
             */
            data: string;
        } | null;
        SecretConditionView: {
            /**
             * @description Name of a field of the same secret that has `choices`.
             * @example MCP_AUTH
             */
            field: string;
            /**
             * @description One of these values; the empty text: it is not set.
             * @example [
             *       "oauth"
             *     ]
             */
            values: string[];
        } | null;
        SecretFieldView: {
            /**
             * @description Name in `secret` of a connection.
             * @example HOST
             */
            name: string;
            /**
             * @description What the value is, in a few words.
             * @example Host name or IP address
             */
            label: string;
            /** @description What a person who types the value should know besides; may be empty. */
            description: string;
            /** @description Whether each connection of the kind needs the value. */
            required: boolean;
            /** @description Whether the value gives access by itself, so that a form hides it. */
            confidential: boolean;
            /** @description Whether the value may have several lines, such as PEM. */
            multiline: boolean;
            /**
             * @description An example of a value.
             * @example db.internal
             */
            placeholder: string | null;
            /** @description The only values; empty: others are possible. */
            choices: string[];
            /** @description The field has an effect only then; null: always. */
            only_with?: components["schemas"]["SecretConditionView"];
        };
        ServerInfoView: {
            /**
             * @description How people sign in.
             * @enum {string}
             */
            auth_method: "oidc";
            /**
             * Format: uri
             * @description Base URL of the API.
             * @example http://127.0.0.1:8009/api
             */
            api_url: string;
            /**
             * @description Version of the API description.
             * @example 1.180.0
             */
            version: string;
            /**
             * @description Version of the program.
             * @example 0.1.0
             */
            program_version: string;
            /**
             * @description Schema that the program makes and uses: the name of its last migration.
             * @example PortalRequests1766995000000
             */
            schema_version: string;
            /**
             * @description Schema of the database: the last migration that ran there, as it was seen within the last 10 seconds. It differs from `schema_version` while gateways are upgraded.
             * @example PortalRequests1766995000000
             */
            database_schema_version: string;
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
        SessionCallPage: {
            data: components["schemas"]["SessionCallView"][];
            pages: components["schemas"]["PageInfo"];
        };
        SessionCallView: {
            /**
             * Format: date-time
             * @description When the request came.
             */
            at: string;
            /**
             * @description The method of the Model Context Protocol.
             * @example tools/call
             */
            method: string;
            /**
             * @description Name of the tool or prompt, or URI of the resource, cut to 1024 characters; null where the method has none.
             * @example search_orders
             */
            name: string | null;
            /**
             * @description `forwarded`: the server answered. `refused`: not allowed, or a guardrail hit the request. `pending`: it waits for a review. `blocked`: a guardrail blocked it. `unknown`: it was sent, and it is not known whether it ran.
             * @enum {string}
             */
            verdict: "forwarded" | "refused" | "pending" | "blocked" | "unknown";
            /** Format: uuid */
            review_id: string | null;
            /**
             * Format: int64
             * @description Milliseconds from the request to the end of its answer.
             */
            duration_ms: number;
            /**
             * Format: int64
             * @description Bytes of the result; 0 where there was none.
             */
            result_bytes: number;
        };
        SessionEntryView: {
            /**
             * Format: int64
             * @description Number of the entry in the ledger.
             * @example 17
             */
            number: number;
            /**
             * @description Why it was written. `opened`: the session ran. `closed`: it is over. `adopted`: it was over before there was a ledger, and was sealed as it was found then. `grown`: a journal brought more of the recording. `metadata`, `hold`: that was changed. `removed`: the recording was removed after its retention. `missing`: its row was gone.
             * @enum {string}
             */
            kind: "opened" | "closed" | "adopted" | "grown" | "metadata" | "hold" | "removed" | "missing";
            /**
             * Format: date-time
             * @description When it was written.
             */
            recorded_at: string;
            /**
             * @description Id of the key that signed it.
             * @example 9f86d081
             */
            key_id: string;
        };
        SessionHoldBody: {
            held: boolean;
            /**
             * @description Why. Of a release, the audit log alone keeps it. Default: none.
             * @example case 2026-117
             */
            reason?: string | null;
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
        SessionMetricsView: {
            /**
             * Format: int64
             * @description Stored size in bytes.
             */
            event_size: number;
            /**
             * Format: int64
             * @description Events handed to the recorder.
             */
            events_received: number;
            /**
             * Format: int64
             * @description Events durable in the store.
             */
            events_stored: number;
            /**
             * Format: int64
             * @description Events received and not stored yet.
             */
            events_buffered: number;
            guardrails: components["schemas"]["GuardrailMetricsView"];
            data_masking: components["schemas"]["DataMaskingView"];
        };
        SessionPage: {
            /** @description Sessions without `script` (null) and `event_stream` (empty). */
            data: components["schemas"]["SessionView"][];
            /**
             * Format: int64
             * @description How many sessions match; at most 10 000 unless counted exactly; null when not counted.
             */
            total: number | null;
            /** @description Whether more sessions match than `total`. */
            total_is_capped: boolean;
            /** @description Whether sessions follow this page. */
            has_next_page: boolean;
        };
        SessionVerificationView: {
            /**
             * @description `valid`: the session and its recording are complete, as they were recorded, and sealed. `unsealed`: complete and linked, but without a seal, as before there were seals. `unfinished`: as recorded so far; the session is not over. `broken`: not what was recorded; `faults` say why. `purged`: the recording was removed after its retention, and the removal is sealed. `unknown_key`: nothing is wrong as far as it can be checked, but the seals were made by keys that are neither in `SECRET_KEY` nor published; `unknown_keys` has their ids.
             * @enum {string}
             */
            status: "valid" | "unsealed" | "unfinished" | "broken" | "purged" | "unknown_key";
            /** Format: int64 */
            chunks: number;
            /** Format: int64 */
            events: number;
            /**
             * Format: int64
             * @description Bytes of the events’ contents.
             */
            size: number;
            /**
             * @description Hash of the last chunk (SHA-256, hex), to be compared with an evidence file.
             * @example 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
             */
            chain_hash: string;
            /** @description Whether the recording has a valid seal of the gateway. */
            sealed: boolean;
            /** @description Entries of the session in the ledger, in order. The session’s row must match the last one. Empty while the first one is pending. */
            entries: components["schemas"]["SessionEntryView"][];
            /**
             * @description Ids of unknown keys that made seals or signatures.
             * @example []
             */
            unknown_keys: string[];
            /** @description The first 100. */
            faults: components["schemas"]["RecordingFaultView"][];
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
            /**
             * Format: int64
             * @description 0 clean, 254 blocked or internal, else the target’s own.
             */
            exit_code: number | null;
            /** @description Input; set only for verb `exec`. */
            script?: components["schemas"]["ScriptView"];
            /**
             * Format: int64
             * @description Input size in bytes.
             */
            script_size: number;
            /**
             * Format: int64
             * @description Stored size in bytes; the parsed size when a parse was asked for.
             */
            event_size: number;
            /** @description What was recorded; empty unless expanded. Each element is an array `[<milliseconds since start>, "i"|"o"|"e", <base64>]`; with `event_stream=raw-queries` there is one for each client message, with the SQL text of the message in base64. With `event_stream=utf8` or `base64` there is one element, a string: the joined content. */
            event_stream: unknown[];
            /** @description Groups sessions executed simultaneously. */
            session_batch_id: string | null;
            correlation_id: string | null;
            /** @description Reason for the session, in the words of the requester; null where none was given. */
            reason: string | null;
            ai_analysis?: components["schemas"]["AiAnalysisView"];
            /** @description null when no review exists. */
            review?: components["schemas"]["ReviewView"];
            /** @description The legal hold; null where there is none, and always null for regular users. */
            hold?: components["schemas"]["HoldView"];
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
        SidecarTargetView: {
            listener_name: string;
            /** Format: uuid */
            sidecar_id: string;
        };
        SignOffBody: {
            /**
             * @description What was found.
             * @example INC-204, correct
             */
            comment: string;
        };
        SignOffView: {
            by: components["schemas"]["SignerView"];
            /** Format: date-time */
            at: string;
            comment: string;
        } | null;
        SignerView: {
            /** @description Subject. */
            id: string;
            name: string;
            email: string;
        };
        SshHostKeyView: {
            /**
             * @description Type of the key.
             * @example ssh-ed25519
             */
            type: string;
            /**
             * @description SHA-256 of the key, as `ssh` shows it.
             * @example SHA256:r0rGY4bHm+…
             */
            fingerprint: string;
            /**
             * @description A line for the file `known_hosts` of SSH clients.
             * @example [gateway.example.com]:2222 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
             */
            known_hosts: string;
        };
        SshHostKeysView: {
            /** @description The host keys; empty while this gateway does not listen for SSH clients. */
            keys: components["schemas"]["SshHostKeyView"][];
        };
        SshPublicKeyBody: {
            /**
             * @description Name, unique among the keys of the user.
             * @example laptop
             */
            name: string;
            /**
             * @description The public key: the line of a `.pub` file of OpenSSH. Its comment is not stored. Types: ed25519, ecdsa, and rsa from 2048 bits.
             * @example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
             */
            public_key: string;
            /**
             * Format: date-time
             * @description When the key expires; must be in the future. Null or absent: never.
             */
            expires_at?: string | null;
        };
        SshPublicKeyPage: {
            data: components["schemas"]["SshPublicKeyView"][];
            pages: components["schemas"]["PageInfo"];
        };
        SshPublicKeyView: {
            /** Format: uuid */
            id: string;
            /** @example laptop */
            name: string;
            /** @enum {string} */
            type: "ssh-ed25519" | "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" | "ssh-rsa";
            /**
             * @description Size of the key.
             * @example 256
             */
            bits: number;
            /**
             * @description SHA-256 of the key, as `ssh-keygen -l` shows it.
             * @example SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA
             */
            fingerprint: string;
            /** @enum {string} */
            status: "active" | "expired";
            /** @description Subject identifier of the user. */
            user: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute; null: never.
             */
            last_used_at: string | null;
        };
        TableColumnView: {
            /** @example email */
            column_name: string;
            /**
             * @description In the words of the target.
             * @example character varying(100)
             */
            column_type: string;
            not_null: boolean;
        };
        TableColumnsView: {
            /**
             * @description Name of the table.
             * @example customers
             */
            table: string;
            columns: components["schemas"]["TableColumnView"][];
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
        TableConditionView: {
            /** @description `table` or `schema.table`, as SQL writes it. */
            name: string;
            /**
             * @description Which access is denied.
             * @enum {string}
             */
            access: "read" | "write" | "any";
        };
        TablesView: {
            schemas: components["schemas"]["SchemaTablesView"][];
            /** @description Whether there are more: an answer has up to 1000 tables, with 10000 columns together. */
            truncated: boolean;
            /**
             * Format: uuid
             * @description The session that has the recording of the listing.
             */
            session_id: string;
        };
        TimeWindowBody: {
            /** @enum {string} */
            type: "time_range";
            configuration: components["schemas"]["TimeWindowConfigurationBody"];
        } | null;
        TimeWindowConfigurationBody: {
            /**
             * @description HH:MM, UTC.
             * @example 22:00
             */
            start_time: string;
            /**
             * @description HH:MM, UTC, exclusive; may be earlier than the start, on the next day.
             * @example 06:00
             */
            end_time: string;
        };
        TimeWindowConfigurationView: {
            /**
             * @description HH:MM, UTC.
             * @example 22:00
             */
            start_time: string;
            /**
             * @description HH:MM, UTC, exclusive; may be earlier than the start, on the next day.
             * @example 06:00
             */
            end_time: string;
        };
        TimeWindowView: {
            /** @enum {string} */
            type: "time_range";
            configuration: components["schemas"]["TimeWindowConfigurationView"];
        } | null;
        ToolPatternsBody: {
            /**
             * @description Only what one of these patterns matches is there for clients. None: everything. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "search_*"
             *     ]
             */
            allowed?: string[];
            /**
             * @description What one of these patterns matches is not there for clients, even if it is allowed. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "delete_*"
             *     ]
             */
            denied?: string[];
            /**
             * @description Calls of tools that one of these patterns matches need a review.
             * @example [
             *       "write_*"
             *     ]
             */
            approval?: string[];
        };
        ToolPatternsView: {
            /**
             * @description Only what one of these patterns matches is there for clients. None: everything. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "search_*"
             *     ]
             */
            allowed: string[];
            /**
             * @description What one of these patterns matches is not there for clients, even if it is allowed. `*` stands for any characters, `?` for one, everything else for itself; case matters and the whole name has to match.
             * @example [
             *       "delete_*"
             *     ]
             */
            denied: string[];
            /**
             * @description Calls of tools that one of these patterns matches need a review.
             * @example [
             *       "write_*"
             *     ]
             */
            approval: string[];
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
             * @description Manual groups. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            groups?: string[];
        };
        UserChangeBody: {
            /**
             * @description Status; inactive users have no access.
             * @enum {string}
             */
            status?: "active" | "inactive";
            /** @description Display name. */
            name?: string;
            /**
             * @description Manual groups; replaces all of them. Absent: unchanged. Default: none.
             * @example [
             *       "dba"
             *     ]
             */
            groups?: string[];
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
             * @description Groups from the identity provider and from admins.
             * @example [
             *       "admin"
             *     ]
             */
            groups: string[];
            /**
             * @description Role, which follows from the groups.
             * @enum {string}
             */
            role: "admin" | "auditor" | "regular";
            /** @description Whether the role is `admin`. */
            is_admin: boolean;
            /**
             * @description Always active: inactive users get status 401.
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
        UserPage: {
            data: components["schemas"]["UserView"][];
            pages: components["schemas"]["PageInfo"];
        };
        UserView: {
            /**
             * @description Subject identifier (`sub`); identifies the user in paths.
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
            /** @description Manual groups. */
            groups: string[];
            /** @description Groups from the identity provider at the last sign-in. */
            idp_groups: string[];
            /** @description Groups from provisioning by SCIM. */
            scim_groups: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookChangeBody: {
            /**
             * @description URL to which messages are posted: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS lists its host. Treat it as a secret: often it is all that is needed to post there. Only admins see it.
             * @example https://hooks.example.com/gateway
             */
            url: string;
            /**
             * @description Events that are sent to it.
             * @example [
             *       "review.requested",
             *       "review.decided"
             *     ]
             */
            events: ("review.requested" | "review.decided" | "review.signed_off" | "session.started" | "session.blocked" | "session.ended" | "access.revoked" | "mcp.tool.changed")[];
            /**
             * @description `standard`: type, time and data, in the format of Standard Webhooks. `slack`, `teams`: one sentence with a link, in the format of that chat’s incoming webhooks. Default: standard.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /** @description While false, no new events are queued, and pending deliveries stay pending. Default: true. */
            enabled?: boolean;
            /** @description Omit it, or send the current secret: the answer to the creation can be sent back unchanged. To change it, use `POST /webhooks/{id}/rotate-secret`. */
            secret?: string;
        };
        WebhookCreationBody: {
            /**
             * @description URL to which messages are posted: https, on a public address, unless the setting WEBHOOK_ALLOWED_HOSTS lists its host. Treat it as a secret: often it is all that is needed to post there. Only admins see it.
             * @example https://hooks.example.com/gateway
             */
            url: string;
            /**
             * @description Events that are sent to it.
             * @example [
             *       "review.requested",
             *       "review.decided"
             *     ]
             */
            events: ("review.requested" | "review.decided" | "review.signed_off" | "session.started" | "session.blocked" | "session.ended" | "access.revoked" | "mcp.tool.changed")[];
            /**
             * @description `standard`: type, time and data, in the format of Standard Webhooks. `slack`, `teams`: one sentence with a link, in the format of that chat’s incoming webhooks. Default: standard.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /**
             * @description Free text. Default: empty.
             * @example Kept by the data team.
             */
            description?: string;
            /** @description While false, no new events are queued, and pending deliveries stay pending. Default: true. */
            enabled?: boolean;
            /**
             * @description `whsec_` followed by the base64 of 24 to 64 bytes. Default: a random secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        WebhookPage: {
            data: components["schemas"]["WebhookView"][];
            pages: components["schemas"]["PageInfo"];
        };
        WebhookSecretBody: {
            /**
             * @description `whsec_` followed by the base64 of 24 to 64 bytes. Default: a random secret.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret?: string;
        };
        WebhookSecretView: {
            /**
             * @description The new secret. It is shown only once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @description Until then, messages are also signed with the previous secret.
             */
            previous_valid_until: string;
        };
        WebhookView: {
            /** Format: uuid */
            id: string;
            /** @example https://hooks.example.com/gateway */
            url: string;
            events: ("review.requested" | "review.decided" | "review.signed_off" | "session.started" | "session.blocked" | "session.ended" | "access.revoked" | "mcp.tool.changed")[];
            /** @enum {string} */
            format: "standard" | "slack" | "teams";
            description: string;
            enabled: boolean;
            /** @description Why the gateway disabled the webhook: the endpoint answered with status 410. */
            disabled_reason: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
    };
    responses: {
        /** @description Malformed request: bad JSON, a bad identifier, a bad query value, or a field the resource does not have. */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
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
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
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
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
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
        /** @description The path does not support this method; `Allow` lists those it supports. */
        MethodNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "this route supports GET, HEAD, POST, not PATCH"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the request took too long to arrive"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request has an `Expect` header other than `100-continue`. */
        ExpectationFailed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the gateway supports no expectation except 100-continue"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Too many requests; see Retry-After. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "too many bad credentials, try again in 60 seconds"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The headers of the request are too large. */
        RequestHeaderFieldsTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the path and the headers of the request are larger than 16 KiB"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Internal failure. */
        InternalServerError: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
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
        /** @description A service that the gateway depends on cannot be reached. */
        ServiceUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the database cannot be reached, try again shortly"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description A resource with this name already exists, or its state does not allow the change. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "a guardrail named customer data already exists"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request body is too large. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
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
        /** @description The content type or encoding of the request body is not supported. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "the request body must be sent as Content-Type: application/json"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request is well-formed but breaks a rule of the resource. */
        UnprocessableEntity: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "name must be longer than or equal to 1 characters"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Not found in the organization of the caller. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "there is no guardrail with this id"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The resource has changed since the caller read it (`If-Match`). */
        PreconditionFailed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
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
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs; an id sent by the caller is kept. */
        "x-request-id": string;
        /** @description The version of the resource, for `If-Match`. */
        ETag: string;
        /** @description URL of the created resource. */
        Location: string;
        /** @description The name of the file. */
        "Content-Disposition": string;
        /** @description How to sign in (RFC 6750). */
        "WWW-Authenticate": string;
        /** @description The methods that the path supports. */
        Allow: string;
        /** @description Seconds after which to try again. */
        "Retry-After": number;
    };
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
                /** @description Subject identifier or e-mail of the actor. */
                actor?: string;
                /** @description Type of the resource, as in its path. */
                resource_type?: string;
                /** @description Action. */
                action?: "create" | "update" | "delete" | "execute" | "search";
                /** @description Outcome. */
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditVerificationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "description": "Kept by the data team.",
                 *       "name": "pii"
                 *     }
                 */
                "application/json": components["schemas"]["AttributeBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAttribute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Kept by the data team."
                 *     }
                 */
                "application/json": components["schemas"]["AttributeChangeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAttribute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMcpAuthorizations: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Subject identifier or e-mail of the user; by default the caller. Only auditors and admins may ask about others. */
                user?: string;
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAuthorizationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeMcpAuthorization: {
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
            /** @description The client has to ask again; its sessions end within seconds, wherever they run. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogEntryView"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConnectionKinds: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionKindList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceKeysView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSshHostKeys: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SshHostKeysView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSshUserCa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines of public keys in the format of OpenSSH. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMcpTools: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
            };
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpToolPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMcpTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
                /** @description Name of the tool, exactly as the server writes it and encoded as a path segment: `/` is `%2F`. Or its id, because some names, such as `..`, cannot be sent in a path. */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpToolView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptMcpTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
                /** @description Name of the tool, exactly as the server writes it and encoded as a path segment: `/` is `%2F`. Or its id, because some names, such as `..`, cannot be sent in a path. */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpToolView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifySessionLedger: {
        parameters: {
            query?: {
                /** @description The first entry. Default: 1. */
                from?: number;
                /** @description The last entry. Default: the last of the ledger. One answer verifies at most 2000 entries. */
                to?: number;
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerVerificationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionVerificationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description When building file content, prefix each event with its event time. */
                "event-time"?: "0" | "1";
                /** @description When building file content, add a line break after each event. */
                new_line?: "0" | "1";
                /** @description How the event stream is parsed: `utf8` and `base64` join output and error events into one element; `raw-queries` gives the SQL text of each client message, in base64 as all content of events (postgres only). Implies expanding it. */
                event_stream?: "utf8" | "base64" | "raw-queries";
                /** @description Event types to include: input, output, error; repeated or comma-separated. */
                events?: ("i" | "o" | "e")[];
                /** @description Large parts to include; repeated or comma-separated. */
                expand?: ("event_stream" | "session_input")[];
                /** @description Download the session as a file: `csv`, `json` (one object per line), `cast` (asciicast v2, for terminal players), `evidence` (to be verified offline), any other value for the plain content. */
                extension?: string;
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
            /** @description The session; with `extension`, its recording as an attachment. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Id of the last message received; the stream continues after it. */
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description No events: the last message received was the end of the session. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "extension": "csv"
                 *     }
                 */
                "application/json": components["schemas"]["DownloadLinkBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLinkView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadSession: {
        parameters: {
            query: {
                /** @description As the link has it. */
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
            /** @description The recording, as from `GET /sessions/{session_id}` with the same options. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessionCalls: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
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
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionCallPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            /** @description The run has started; see `GET /retention`. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionRunView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "rule": {
                 *         "name": "draft",
                 *         "input": {
                 *           "rules": [
                 *             {
                 *               "type": "deny_words_list",
                 *               "words": [
                 *                 "DROP TABLE"
                 *               ],
                 *               "pattern_regex": "",
                 *               "message": "Tables are not dropped here."
                 *             },
                 *             {
                 *               "type": "pattern_match",
                 *               "words": [],
                 *               "pattern_regex": "(?i)pg_sleep\\s*\\("
                 *             },
                 *             {
                 *               "type": "sql_statement",
                 *               "words": [],
                 *               "pattern_regex": "",
                 *               "kinds": [
                 *                 "drop",
                 *                 "truncate"
                 *               ],
                 *               "without_where": true,
                 *               "tables": [
                 *                 {
                 *                   "name": "public.salaries",
                 *                   "access": "read"
                 *                 }
                 *               ]
                 *             },
                 *             {
                 *               "type": "shell_command",
                 *               "words": [],
                 *               "pattern_regex": "",
                 *               "programs": [
                 *                 "mkfs*",
                 *                 "shutdown"
                 *               ],
                 *               "redirects_to": [
                 *                 "/etc/*"
                 *               ]
                 *             },
                 *             {
                 *               "type": "file_transfer",
                 *               "words": [],
                 *               "pattern_regex": "",
                 *               "file_operations": [
                 *                 "write",
                 *                 "delete"
                 *               ],
                 *               "file_paths": [
                 *                 "/etc/*"
                 *               ]
                 *             }
                 *           ]
                 *         }
                 *       },
                 *       "direction": "input",
                 *       "text": "DROP TABLE customers"
                 *     }
                 */
                "application/json": components["schemas"]["DryRunBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRunView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEffectivePolicy: {
        parameters: {
            query?: {
                /** @description Subject identifier or e-mail of the user; by default the caller. Only auditors and admins may ask about others. */
                user?: string;
                /** @description What the user would do on the connection. */
                verb?: "exec" | "connect";
            };
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EffectivePolicyView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "script": "DROP TABLE customers"
                 *     }
                 */
                "application/json": components["schemas"]["ScriptCheckBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScriptCheckView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description Signed in, but not allowed.
             *
             *     Signed in, but not allowed.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
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
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReviewContext: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewContextView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listScimTokens: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createScimToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "entra"
                 *     }
                 */
                "application/json": components["schemas"]["ScimTokenBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedScimTokenView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getScimToken: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScimTokenView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeScimToken: {
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
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/gateway",
                 *       "events": [
                 *         "review.requested",
                 *         "review.decided"
                 *       ],
                 *       "description": "Kept by the data team.",
                 *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/gateway",
                 *       "events": [
                 *         "review.requested",
                 *         "review.decided"
                 *       ],
                 *       "description": "Kept by the data team."
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChangeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
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
                /**
                 * @example {
                 *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            /** @description The delivery is queued. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            /** @description The delivery is queued. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Sessions on a page. */
                limit?: number;
                /** @description Number of sessions to skip. New sessions shift the pages; for stable pages, and to read beyond the last offset, give `end_date` too. */
                offset?: number;
                /** @description `capped` counts up to 10 000; `exact` counts all; `none` does not count. */
                count?: "capped" | "exact" | "none";
                /** @description Subject identifier or e-mail of the session’s owner; exact match. */
                user?: string;
                /** @description Name of the connection; exact match. */
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
                /** @description Status of the session’s review: of its script, or of the access with which it was opened. */
                "review.status"?: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
                /** @description Sessions with a forced approval or an emergency: `open` until a person signs it off, then `signed_off`. */
                "review.after_review"?: "open" | "signed_off";
                /** @description Subject identifier or e-mail of a person who approved that review; exact match. */
                "review.approver"?: string;
                /** @description The `session_batch_id` of the session. */
                batch_id?: string;
                /** @description The `correlation_id` of the session. */
                correlation_id?: string;
                /** @description Guardrail that blocked something in the session: its id or, for auditors and admins, its name. */
                guardrail?: string;
                /** @description Searches recorded inputs: finds sessions with an input that contains all of these words, in any case. `"several words"` must be adjacent, `begin*` is a prefix, `-word` and `-"several words"` are excluded. Punctuation separates words: `public.orders` is two adjacent words. Regular users search their own sessions. Each search is put on the audit log. */
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "connection": "demo",
                 *       "script": "SELECT 1",
                 *       "labels": {
                 *         "ticket": "OPS-12"
                 *       },
                 *       "reason": "OPS-12: refund of order 4711"
                 *     }
                 */
                "application/json": components["schemas"]["ExecBody"];
            };
        };
        responses: {
            /** @description The script is over: `success`, `failed` or `blocked`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description The script is still running after 50 seconds (`running`), or waits for a review (`waiting`). */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "script": "SELECT 1",
                 *       "env_vars": {}
                 *     }
                 */
                "application/json": components["schemas"]["ApprovedExecBody"];
            };
        };
        responses: {
            /** @description The script is over: `success`, `failed` or `blocked`. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            /** @description The script is still running after 50 seconds. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReachView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTables: {
        parameters: {
            query?: {
                /** @description Only of this database. A connection leads to one: of another it lists none. */
                database?: string;
                /** @description Only of this schema. */
                schema?: string;
            };
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TablesView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /**
             * @description Signed in, but not allowed.
             *
             *     Signed in, but not allowed.
             */
            403: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
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
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "nightly-report",
                 *       "groups": [
                 *         "reporting"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApiKeyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKeyView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
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
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    login: {
        parameters: {
            query?: {
                /** @description URL to which the browser returns with the token: the origin of the API, `http://127.0.0.1:<any port>` or an allowed origin. Default: the Swagger UI. */
                redirect?: string;
                /** @description `1`: a sign-in at the portal. The browser returns with a cookie in place of the token, and `redirect` is a page of the portal. */
                portal?: "1";
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    callback: {
        parameters: {
            query: {
                /** @description Why the provider refused. */
                error?: string;
                /** @description What the token is fetched with. */
                code?: string;
                /** @description As the sign-in began with it. */
                state: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the redirect of the sign-in, with `#access_token=` or `?error=`; from the portal, with its cookie in place of the token. */
            307: {
                headers: {
                    Location?: string;
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            /** @description Any other failure. */
            default: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserInfoView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerInfoView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicServerInfoView"];
                };
            };
            400: components["responses"]["BadRequest"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "dba",
                 *       "description": "Kept by the data team."
                 *     }
                 */
                "application/json": components["schemas"]["GroupBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396). It may also be sent as `application/merge-patch+json`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "features": {
                 *         "review": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrganizationBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedOrganizationView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cookie of the portal is good nowhere any more. Without one, nothing has changed. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSshPublicKeys: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description Subject identifier or e-mail of the user; by default the caller. Only auditors and admins may ask about others. */
                user?: string;
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SshPublicKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSshPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "laptop",
                 *       "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
                 *     }
                 */
                "application/json": components["schemas"]["SshPublicKeyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SshPublicKeyView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSshPublicKey: {
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SshPublicKeyView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSshPublicKey: {
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
            /** @description It is removed; its sessions end within seconds, wherever they run. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "id": "auth0|5f7c",
                 *       "email": "grace@example.com",
                 *       "groups": [
                 *         "dba"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` that was read; the update is refused with 412 when the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description The identifier of the resource. */
                id: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396). It may also be sent as `application/merge-patch+json`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "groups": [
                 *         "dba"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UserChangeBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description Only connections of this type. */
                type?: string;
                /** @description Only connections of this subtype. */
                subtype?: string;
                /** @description Only connections with this attribute. */
                attribute?: string;
                /** @description Required tags (`key=value`) and excluded tags (`key!=value`), comma-separated. */
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "pg-prod",
                 *       "type": "database",
                 *       "subtype": "postgres",
                 *       "description": "Kept by the data team.",
                 *       "secret": {
                 *         "HOST": "db.internal",
                 *         "PORT": "5432",
                 *         "USER": "app",
                 *         "PASS": "secret",
                 *         "DB": "orders"
                 *       },
                 *       "connection_tags": {
                 *         "environment": "production"
                 *       },
                 *       "attributes": [
                 *         "pii"
                 *       ],
                 *       "access_groups": [
                 *         "dba"
                 *       ],
                 *       "emergency_access_groups": [
                 *         "on-call"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedConnectionView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pg-prod",
                 *       "type": "database",
                 *       "subtype": "postgres",
                 *       "description": "Kept by the data team.",
                 *       "secret": {
                 *         "HOST": "db.internal",
                 *         "PORT": "5432",
                 *         "USER": "app",
                 *         "PASS": "secret",
                 *         "DB": "orders"
                 *       },
                 *       "connection_tags": {
                 *         "environment": "production"
                 *       },
                 *       "attributes": [
                 *         "pii"
                 *       ],
                 *       "access_groups": [
                 *         "dba"
                 *       ],
                 *       "emergency_access_groups": [
                 *         "on-call"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedConnectionView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        /** @description A merge patch (RFC 7396). It may also be sent as `application/merge-patch+json`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pg-prod",
                 *       "type": "database",
                 *       "subtype": "postgres",
                 *       "description": "Kept by the data team.",
                 *       "secret": {
                 *         "HOST": "db.internal",
                 *         "PORT": "5432",
                 *         "USER": "app",
                 *         "PASS": "secret",
                 *         "DB": "orders"
                 *       },
                 *       "connection_tags": {
                 *         "environment": "production"
                 *       },
                 *       "attributes": [
                 *         "pii"
                 *       ],
                 *       "access_groups": [
                 *         "dba"
                 *       ],
                 *       "emergency_access_groups": [
                 *         "on-call"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ConnectionPatchBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedConnectionView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessRulePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "prod-databases",
                 *       "description": "Kept by the data team.",
                 *       "access_type": "jit",
                 *       "access_max_duration": 1800,
                 *       "approval_required_groups": [],
                 *       "reviewers_groups": [
                 *         "dba"
                 *       ],
                 *       "force_approval_groups": [
                 *         "security"
                 *       ],
                 *       "skip_review_groups": [],
                 *       "min_approvals": 1,
                 *       "attributes": [
                 *         "pii"
                 *       ],
                 *       "connection_names": [
                 *         "pg-prod"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AccessRuleBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccessRequestRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "prod-databases",
                 *       "description": "Kept by the data team.",
                 *       "access_type": "jit",
                 *       "access_max_duration": 1800,
                 *       "approval_required_groups": [],
                 *       "reviewers_groups": [
                 *         "dba"
                 *       ],
                 *       "force_approval_groups": [
                 *         "security"
                 *       ],
                 *       "skip_review_groups": [],
                 *       "min_approvals": 1,
                 *       "attributes": [
                 *         "pii"
                 *       ],
                 *       "connection_names": [
                 *         "pg-prod"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AccessRuleBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedAccessRuleView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description The name of the resource. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamReviews: {
        parameters: {
            query?: {
                /** @description How long to follow, in seconds. */
                seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Items on a page; absent or 0 means the maximum. */
                page_size?: number;
                /** @description `to_decide`: reviews that wait for a vote of the caller; `to_sign_off`: forced approvals and emergencies that wait for a second look, which the caller may take; `requested`: reviews that the caller requested. Default: all that the caller may see. */
                mine?: "to_decide" | "to_sign_off" | "requested";
                /** @description Only reviews in this state. */
                status?: "PENDING" | "APPROVED" | "REJECTED" | "REVOKED" | "PROCESSING" | "EXECUTED" | "EXPIRED" | "UNKNOWN";
                /** @description `open`: forced approvals and emergencies that nobody has signed off yet; `signed_off`: those that were. */
                after_review?: "open" | "signed_off";
                /** @description By the time of the request. Default: `newest` first. */
                order?: "newest" | "oldest";
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "status": "APPROVED",
                 *       "access_duration": 1800
                 *     }
                 */
                "application/json": components["schemas"]["ReviewBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    declareEmergency: {
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
                /**
                 * @example {
                 *       "reason": "INC-204: payments are down"
                 *     }
                 */
                "application/json": components["schemas"]["EmergencyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    signOffReview: {
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
                /**
                 * @example {
                 *       "comment": "INC-204, correct"
                 *     }
                 */
                "application/json": components["schemas"]["SignOffBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "status": "APPROVED",
                 *       "access_duration": 1800
                 *     }
                 */
                "application/json": components["schemas"]["ReviewBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "no-drops",
                 *       "description": "Kept by the data team.",
                 *       "input": {
                 *         "rules": [
                 *           {
                 *             "type": "deny_words_list",
                 *             "words": [
                 *               "DROP TABLE"
                 *             ],
                 *             "pattern_regex": "",
                 *             "message": "Tables are not dropped here."
                 *           },
                 *           {
                 *             "type": "pattern_match",
                 *             "words": [],
                 *             "pattern_regex": "(?i)pg_sleep\\s*\\("
                 *           },
                 *           {
                 *             "type": "sql_statement",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "kinds": [
                 *               "drop",
                 *               "truncate"
                 *             ],
                 *             "without_where": true,
                 *             "tables": [
                 *               {
                 *                 "name": "public.salaries",
                 *                 "access": "read"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "type": "shell_command",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "programs": [
                 *               "mkfs*",
                 *               "shutdown"
                 *             ],
                 *             "redirects_to": [
                 *               "/etc/*"
                 *             ]
                 *           },
                 *           {
                 *             "type": "file_transfer",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "file_operations": [
                 *               "write",
                 *               "delete"
                 *             ],
                 *             "file_paths": [
                 *               "/etc/*"
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "output": {
                 *         "rules": [
                 *           {
                 *             "type": "detector",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "detectors": [
                 *               "email",
                 *               "payment_card"
                 *             ],
                 *             "action": "mask",
                 *             "keep_last": 4
                 *           }
                 *         ]
                 *       },
                 *       "attributes": [
                 *         "pii"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GuardrailBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedGuardrailView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedGuardrailView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "name": "no-drops",
                 *       "description": "Kept by the data team.",
                 *       "input": {
                 *         "rules": [
                 *           {
                 *             "type": "deny_words_list",
                 *             "words": [
                 *               "DROP TABLE"
                 *             ],
                 *             "pattern_regex": "",
                 *             "message": "Tables are not dropped here."
                 *           },
                 *           {
                 *             "type": "pattern_match",
                 *             "words": [],
                 *             "pattern_regex": "(?i)pg_sleep\\s*\\("
                 *           },
                 *           {
                 *             "type": "sql_statement",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "kinds": [
                 *               "drop",
                 *               "truncate"
                 *             ],
                 *             "without_where": true,
                 *             "tables": [
                 *               {
                 *                 "name": "public.salaries",
                 *                 "access": "read"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "type": "shell_command",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "programs": [
                 *               "mkfs*",
                 *               "shutdown"
                 *             ],
                 *             "redirects_to": [
                 *               "/etc/*"
                 *             ]
                 *           },
                 *           {
                 *             "type": "file_transfer",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "file_operations": [
                 *               "write",
                 *               "delete"
                 *             ],
                 *             "file_paths": [
                 *               "/etc/*"
                 *             ]
                 *           }
                 *         ]
                 *       },
                 *       "output": {
                 *         "rules": [
                 *           {
                 *             "type": "detector",
                 *             "words": [],
                 *             "pattern_regex": "",
                 *             "detectors": [
                 *               "email",
                 *               "payment_card"
                 *             ],
                 *             "action": "mask",
                 *             "keep_last": 4
                 *           }
                 *         ]
                 *       },
                 *       "attributes": [
                 *         "pii"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["GuardrailBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedGuardrailView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailStatsView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is over. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
        /** @description A merge patch (RFC 7396). It may also be sent as `application/merge-patch+json`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "ticket": "OPS-12",
                 *         "draft": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SessionMetadataBody"];
            };
        };
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /**
                 * @example {
                 *       "held": true,
                 *       "reason": "case 2026-117"
                 *     }
                 */
                "application/json": components["schemas"]["SessionHoldBody"];
            };
        };
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConnectionCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_duration_seconds": 28800,
                 *       "reason": "OPS-12: refund of order 4711"
                 *     }
                 */
                "application/json": components["schemas"]["CredentialBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentialView"];
                };
            };
            /** @description People have to approve it, and were asked to. Once they did, the same call has the credential. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentialView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeConnectionCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
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
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    connectMcpAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpConnectView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disconnectMcpAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the connection, or its id. */
                nameOrID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer has no body. */
            204: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["RequestTimeout"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
