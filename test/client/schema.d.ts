// Generated from openapi.json by openapi-typescript: npm run generate
export interface paths {
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
        /** Whether requests can be served: database and migrations */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
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
        get?: never;
        put?: never;
        /** Run a script on a connection */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a connection */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
    "/guardrails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        LoginView: {
            /**
             * Format: uri
             * @description Address of the identity provider to open in the browser.
             */
            login_url: string;
        };
        ErrorBody: {
            /**
             * @description One plain sentence that describes the error.
             * @example guard rail not found
             */
            message: string;
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
            /** Format: uuid */
            review_id: string | null;
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
             * @description How to reach the target. `NAME` carries plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*. Write-only: reads show the names with empty values.
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
            status: "online" | "offline";
            managed_by: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
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
            /** @description Minimum number of approvals. */
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
             * @description Least number of approvals; at least 1 unless all groups must approve.
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
        RuleEntryBody: {
            /**
             * @description Rule kind.
             * @enum {string}
             */
            type: "deny_words_list" | "pattern_match";
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
        MatchedRuleView: {
            /** @example deny_words_list */
            type: string;
            words: string[];
            pattern_regex: string;
        };
        GuardrailInfoView: {
            /** @enum {string} */
            direction: "input" | "output";
            /** @description What the person was told. */
            message: string;
            /** @example no-drops */
            rule_name?: string;
            rule?: components["schemas"]["MatchedRuleView"];
            matched_words?: string[];
        };
        GuardrailMetricsView: {
            /** @description Inputs judged. */
            checked: number;
            /** @description Hits. */
            blocked: number;
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
            ai_analysis: components["schemas"]["AiAnalysisView"] | null;
            /** @description null when no review exists. */
            review: components["schemas"]["ReviewView"] | null;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
                    "application/json": components["schemas"]["AccessRuleView"];
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
                /** @description Download the session as a file: `csv`, `json` (one object per line), any other value for the plain content. */
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
}
