-- The schema of the gateway's database: for reading only, migrations change it. Written by `npm run generate`.
-- Monthly partitions are left out: gateways create and drop them.

CREATE TABLE access_request_rules (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  access_type text NOT NULL,
  access_max_duration integer,
  all_groups_must_approve boolean NOT NULL DEFAULT false,
  approval_required_groups text[] NOT NULL DEFAULT '{}'::text[],
  reviewers_groups text[] NOT NULL,
  force_approval_groups text[] NOT NULL DEFAULT '{}'::text[],
  skip_review_groups text[] NOT NULL DEFAULT '{}'::text[],
  min_approvals integer,
  attributes text[] NOT NULL DEFAULT '{}'::text[],
  connection_names text[] NOT NULL DEFAULT '{}'::text[],
  managed_by text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  reason_required boolean NOT NULL DEFAULT false,
  CONSTRAINT access_request_rules_pk PRIMARY KEY (id),
  CONSTRAINT access_request_rules_name_unique UNIQUE (org_id, name),
  CONSTRAINT access_request_rules_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT access_request_rules_duration_check CHECK (((access_max_duration >= 60) AND (access_max_duration <= 172800))),
  CONSTRAINT access_request_rules_reviewers_check CHECK ((cardinality(reviewers_groups) > 0)),
  CONSTRAINT access_request_rules_target_check CHECK (((cardinality(attributes) + cardinality(connection_names)) > 0)),
  CONSTRAINT access_request_rules_type_check CHECK ((access_type = ANY (ARRAY['jit'::text, 'command'::text, 'jit_command'::text])))
);
CREATE INDEX access_request_rules_attributes_index ON public.access_request_rules USING gin (attributes);
CREATE INDEX access_request_rules_connections_index ON public.access_request_rules USING gin (connection_names);
CREATE INDEX access_request_rules_page_index ON public.access_request_rules USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX access_request_rules_visible_attributes_index ON public.access_request_rules USING gin (visible_names(attributes));
CREATE INDEX access_request_rules_visible_connections_index ON public.access_request_rules USING gin (visible_names(connection_names));
CREATE TRIGGER access_request_rules_tell AFTER INSERT OR DELETE OR UPDATE ON access_request_rules FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER access_request_rules_tell_truncate AFTER TRUNCATE ON access_request_rules FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
CREATE TRIGGER access_request_rules_total_delete AFTER DELETE ON access_request_rules REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER access_request_rules_total_insert AFTER INSERT ON access_request_rules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER access_request_rules_total_truncate AFTER TRUNCATE ON access_request_rules FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE api_keys (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  groups text[] NOT NULL DEFAULT '{}'::text[],
  created_by text NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT api_keys_pk PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_unique UNIQUE (key_hash),
  CONSTRAINT api_keys_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX api_keys_name_index ON public.api_keys USING btree (org_id, name) WHERE (revoked_at IS NULL);
CREATE INDEX api_keys_page_index ON public.api_keys USING btree (org_id, created_at DESC, id DESC);
CREATE TRIGGER api_keys_tell AFTER INSERT OR DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER api_keys_tell_truncate AFTER TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
CREATE TRIGGER api_keys_total_delete AFTER DELETE ON api_keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER api_keys_total_insert AFTER INSERT ON api_keys REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER api_keys_total_truncate AFTER TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE archive_progress (
  noted_up_to uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'::uuid,
  is_only boolean NOT NULL DEFAULT true,
  CONSTRAINT archive_progress_pk PRIMARY KEY (is_only),
  CONSTRAINT archive_progress_only_check CHECK (is_only)
);

CREATE TABLE attributes (
  org_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT attributes_pk PRIMARY KEY (org_id, name),
  CONSTRAINT attributes_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE TRIGGER attributes_tell AFTER INSERT OR DELETE OR UPDATE ON attributes FOR EACH ROW EXECUTE FUNCTION tell_gateways('name');
CREATE TRIGGER attributes_tell_truncate AFTER TRUNCATE ON attributes FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE audit_log (
  org_id uuid NOT NULL,
  seq bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  actor_id text NOT NULL,
  actor_email text NOT NULL,
  actor_type text NOT NULL,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  outcome text NOT NULL,
  status integer NOT NULL,
  client_address text NOT NULL,
  request_id text NOT NULL,
  changes jsonb NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_log_pk PRIMARY KEY (org_id, seq),
  CONSTRAINT audit_log_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'denied'::text, 'failed'::text])))
);
CREATE INDEX audit_log_actor_index ON public.audit_log USING btree (org_id, actor_id, seq DESC);
CREATE INDEX audit_log_created_index ON public.audit_log USING btree (org_id, created_at DESC);
CREATE INDEX audit_log_request_index ON public.audit_log USING btree (org_id, request_id);
CREATE INDEX audit_log_resource_index ON public.audit_log USING btree (org_id, resource_type, seq DESC);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_leave AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION leave_audit_line();

CREATE TABLE authorization_clients (
  org_id uuid NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT authorization_clients_pk PRIMARY KEY (id),
  CONSTRAINT authorization_clients_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX authorization_clients_unused_index ON public.authorization_clients USING btree (org_id, created_at) WHERE (used_at IS NULL);

CREATE TABLE authorization_devices (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  device_hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  client_id text NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  interval_seconds integer NOT NULL,
  polled_at timestamp with time zone,
  decision text,
  user_id uuid,
  CONSTRAINT authorization_devices_pk PRIMARY KEY (id),
  CONSTRAINT authorization_devices_device_unique UNIQUE (device_hash),
  CONSTRAINT authorization_devices_user_code_unique UNIQUE (user_code_hash),
  CONSTRAINT authorization_devices_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT authorization_devices_decision_check CHECK ((decision = ANY (ARRAY['allowed'::text, 'refused'::text]))),
  CONSTRAINT authorization_devices_user_check CHECK (((decision IS NULL) = (user_id IS NULL)))
);
CREATE INDEX authorization_devices_expires_index ON public.authorization_devices USING btree (expires_at);

CREATE TABLE authorization_requests (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  browser_hash bytea NOT NULL,
  client_id text NOT NULL,
  client_name text,
  redirect_uri text NOT NULL,
  client_state text,
  code_challenge text NOT NULL,
  connection text,
  connection_id uuid,
  user_id uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT authorization_requests_pk PRIMARY KEY (id),
  CONSTRAINT authorization_requests_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX authorization_requests_expires_index ON public.authorization_requests USING btree (expires_at);

CREATE TABLE authorization_tokens (
  token_hash bytea NOT NULL,
  authorization_id uuid NOT NULL,
  kind text NOT NULL,
  code_challenge text,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  org_id uuid NOT NULL,
  CONSTRAINT authorization_tokens_pk PRIMARY KEY (token_hash),
  CONSTRAINT authorization_tokens_authorization_fk FOREIGN KEY (org_id, authorization_id) REFERENCES authorizations(org_id, id) ON DELETE CASCADE,
  CONSTRAINT authorization_tokens_challenge_check CHECK (((kind = 'code'::text) = (code_challenge IS NOT NULL))),
  CONSTRAINT authorization_tokens_kind_check CHECK ((kind = ANY (ARRAY['code'::text, 'access'::text, 'refresh'::text])))
);
CREATE INDEX authorization_tokens_authorization_index ON public.authorization_tokens USING btree (authorization_id);
CREATE INDEX authorization_tokens_expires_index ON public.authorization_tokens USING btree (expires_at) WHERE (kind = 'access'::text);

CREATE TABLE authorizations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  connection_id uuid,
  connection text,
  client_id text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT authorizations_pk PRIMARY KEY (id),
  CONSTRAINT authorizations_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT authorizations_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT authorizations_user_fk FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE,
  CONSTRAINT authorizations_connection_check CHECK (((connection IS NULL) = (connection_id IS NULL)))
);
CREATE INDEX authorizations_connection_index ON public.authorizations USING btree (org_id, connection_id);
CREATE INDEX authorizations_expires_index ON public.authorizations USING btree (expires_at);
CREATE INDEX authorizations_user_index ON public.authorizations USING btree (org_id, user_id);
CREATE TRIGGER authorizations_tell AFTER DELETE OR UPDATE ON authorizations FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER authorizations_tell_truncate AFTER TRUNCATE ON authorizations FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE connection_credentials (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  identity_type text NOT NULL,
  user_id uuid NOT NULL,
  iterations integer,
  salt bytea,
  stored_key bytea,
  server_key bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expire_at timestamp with time zone,
  revoked_at timestamp with time zone,
  review_id uuid,
  begun_at timestamp with time zone,
  owner_groups text[],
  withheld_at timestamp with time zone,
  reason text,
  CONSTRAINT connection_credentials_pk PRIMARY KEY (id),
  CONSTRAINT connection_credentials_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_credentials_review_fk FOREIGN KEY (org_id, review_id) REFERENCES reviews(org_id, id),
  CONSTRAINT connection_credentials_identity_check CHECK ((identity_type = ANY (ARRAY['user'::text, 'machine'::text]))),
  CONSTRAINT connection_credentials_review_check CHECK (
CASE
    WHEN (review_id IS NULL) THEN ((begun_at IS NULL) AND (expire_at IS NOT NULL) AND (stored_key IS NOT NULL))
    ELSE ((review_id = id) AND ((begun_at IS NULL) = (expire_at IS NULL)) AND ((stored_key IS NULL) OR (begun_at IS NOT NULL)))
END),
  CONSTRAINT connection_credentials_revoked_check CHECK ((revoked_at >= created_at)),
  CONSTRAINT connection_credentials_span_check CHECK (((expire_at > COALESCE(begun_at, created_at)) AND (expire_at <= (COALESCE(begun_at, created_at) + '48:00:00'::interval)))),
  CONSTRAINT connection_credentials_verifier_check CHECK (((num_nonnulls(iterations, salt, stored_key, server_key) = ANY (ARRAY[0, 4])) AND ((stored_key IS NULL) OR ((iterations >= 4096) AND (octet_length(salt) >= 16) AND (octet_length(stored_key) = 32) AND (octet_length(server_key) = 32)))))
);
CREATE INDEX connection_credentials_connection_index ON public.connection_credentials USING btree (org_id, connection_id);
CREATE INDEX connection_credentials_live_index ON public.connection_credentials USING btree (org_id, COALESCE(expire_at, 'infinity'::timestamp with time zone)) WHERE ((revoked_at IS NULL) AND (withheld_at IS NULL));
CREATE INDEX connection_credentials_page_index ON public.connection_credentials USING btree (org_id, identity_type, user_id, created_at DESC, id DESC);
CREATE TRIGGER connection_credentials_stay BEFORE UPDATE ON connection_credentials FOR EACH ROW WHEN (old.revoked_at IS NOT NULL OR old.begun_at IS NOT NULL AND (new.begun_at IS DISTINCT FROM old.begun_at OR new.expire_at IS DISTINCT FROM old.expire_at) OR old.withheld_at IS NOT NULL AND new.withheld_at IS DISTINCT FROM old.withheld_at OR (to_jsonb(old.*) -
        CASE
            WHEN old.review_id IS NULL THEN ARRAY['revoked_at'::text, 'withheld_at'::text]
            ELSE ARRAY['revoked_at'::text, 'withheld_at'::text, 'begun_at'::text, 'expire_at'::text, 'iterations'::text, 'salt'::text, 'stored_key'::text, 'server_key'::text]
        END) <> (to_jsonb(new.*) -
        CASE
            WHEN old.review_id IS NULL THEN ARRAY['revoked_at'::text, 'withheld_at'::text]
            ELSE ARRAY['revoked_at'::text, 'withheld_at'::text, 'begun_at'::text, 'expire_at'::text, 'iterations'::text, 'salt'::text, 'stored_key'::text, 'server_key'::text]
        END)) EXECUTE FUNCTION keep_issued();

CREATE TABLE connection_reachability (
  org_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  status text NOT NULL,
  status_at timestamp with time zone NOT NULL,
  CONSTRAINT connection_reachability_pk PRIMARY KEY (org_id, connection_id),
  CONSTRAINT connection_reachability_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_reachability_status_check CHECK ((status = ANY (ARRAY['online'::text, 'offline'::text])))
);

CREATE TABLE connections (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  subtype text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  secret bytea NOT NULL,
  secret_names text[] NOT NULL,
  connection_tags jsonb NOT NULL DEFAULT '{}'::jsonb,
  attributes text[] NOT NULL DEFAULT '{}'::text[],
  access_groups text[] NOT NULL DEFAULT '{}'::text[],
  access_mode_connect text NOT NULL DEFAULT 'enabled'::text,
  access_mode_exec text NOT NULL DEFAULT 'enabled'::text,
  access_mode_runbooks text NOT NULL DEFAULT 'enabled'::text,
  access_schema text NOT NULL DEFAULT 'enabled'::text,
  resource_name text NOT NULL DEFAULT ''::text,
  managed_by text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  recording text NOT NULL DEFAULT 'on'::text,
  recording_mode text,
  retention_days integer,
  record_results boolean NOT NULL DEFAULT false,
  mcp_policy jsonb,
  catalog text,
  emergency_access_groups text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT connections_pk PRIMARY KEY (id),
  CONSTRAINT connections_name_unique UNIQUE (org_id, name),
  CONSTRAINT connections_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT connections_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT connections_mcp_policy_check CHECK ((jsonb_typeof(mcp_policy) = 'object'::text)),
  CONSTRAINT connections_modes_check CHECK (((access_mode_connect = ANY (ARRAY['enabled'::text, 'disabled'::text])) AND (access_mode_exec = ANY (ARRAY['enabled'::text, 'disabled'::text])) AND (access_mode_runbooks = ANY (ARRAY['enabled'::text, 'disabled'::text])) AND (access_schema = ANY (ARRAY['enabled'::text, 'disabled'::text])))),
  CONSTRAINT connections_recording_check CHECK ((recording = ANY (ARRAY['on'::text, 'input-only'::text]))),
  CONSTRAINT connections_recording_mode_check CHECK ((recording_mode = ANY (ARRAY['journal'::text, 'journal+fsync'::text, 'store'::text]))),
  CONSTRAINT connections_retention_check CHECK (((retention_days >= 1) AND (retention_days <= 36500)))
);
CREATE INDEX connections_attributes_index ON public.connections USING gin (attributes);
CREATE INDEX connections_page_index ON public.connections USING btree (org_id, created_at DESC, id DESC);
CREATE TRIGGER connections_tell AFTER INSERT OR DELETE OR UPDATE ON connections FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER connections_tell_truncate AFTER TRUNCATE ON connections FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
CREATE TRIGGER connections_total_delete AFTER DELETE ON connections REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER connections_total_insert AFTER INSERT ON connections REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER connections_total_truncate AFTER TRUNCATE ON connections FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE download_links (
  org_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  session_id uuid NOT NULL,
  identity_type text NOT NULL,
  user_id uuid NOT NULL,
  options jsonb NOT NULL,
  expire_at timestamp with time zone NOT NULL,
  CONSTRAINT download_links_pk PRIMARY KEY (token_hash),
  CONSTRAINT download_links_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id) ON DELETE CASCADE,
  CONSTRAINT download_links_identity_check CHECK ((identity_type = ANY (ARRAY['user'::text, 'machine'::text])))
);
CREATE INDEX download_links_expiry_index ON public.download_links USING btree (org_id, expire_at);
CREATE INDEX download_links_session_index ON public.download_links USING btree (org_id, session_id);

CREATE TABLE evidence_keys (
  key_id text NOT NULL,
  public_key text NOT NULL,
  endorsed_by text NOT NULL,
  endorsement bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT evidence_keys_pk PRIMARY KEY (key_id)
);

CREATE TABLE export_cursors (
  destination text NOT NULL,
  "position" bigint NOT NULL,
  holder uuid,
  lease_until timestamp with time zone,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT export_cursors_pk PRIMARY KEY (destination),
  CONSTRAINT export_cursors_lease_check CHECK (((holder IS NULL) = (lease_until IS NULL)))
);

CREATE TABLE granted_session_groups (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  session_start timestamp with time zone NOT NULL,
  review_group_id uuid NOT NULL,
  group_name text NOT NULL,
  approver_id text,
  approver_email text,
  CONSTRAINT granted_session_groups_pk PRIMARY KEY (session_id, review_group_id),
  CONSTRAINT granted_session_groups_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id) ON DELETE CASCADE
);
CREATE INDEX granted_session_groups_approver_email_index ON public.granted_session_groups USING btree (org_id, approver_email, session_start, session_id) WHERE (approver_email IS NOT NULL);
CREATE INDEX granted_session_groups_approver_index ON public.granted_session_groups USING btree (org_id, approver_id, session_start, session_id) WHERE (approver_id IS NOT NULL);
CREATE INDEX granted_session_groups_list_index ON public.granted_session_groups USING btree (org_id, group_name, session_start, session_id);

CREATE TABLE granted_sessions (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  session_start timestamp with time zone NOT NULL,
  review_id uuid NOT NULL,
  status text NOT NULL,
  CONSTRAINT granted_sessions_pk PRIMARY KEY (session_id),
  CONSTRAINT granted_sessions_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id) ON DELETE CASCADE
);
CREATE INDEX granted_sessions_list_index ON public.granted_sessions USING btree (org_id, status, session_start, session_id);
CREATE INDEX granted_sessions_review_index ON public.granted_sessions USING btree (org_id, review_id);
CREATE TRIGGER granted_sessions_tell_past_update AFTER UPDATE ON granted_sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();

CREATE TABLE groups (
  org_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  source text NOT NULL DEFAULT 'manual'::text,
  CONSTRAINT groups_pk PRIMARY KEY (org_id, name),
  CONSTRAINT groups_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT groups_source_check CHECK ((source = ANY (ARRAY['manual'::text, 'scim'::text])))
);
CREATE TRIGGER groups_tell AFTER INSERT OR DELETE OR UPDATE ON groups FOR EACH ROW EXECUTE FUNCTION tell_gateways('name');
CREATE TRIGGER groups_tell_truncate AFTER TRUNCATE ON groups FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE guardrail_connections (
  org_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  CONSTRAINT guardrail_connections_pk PRIMARY KEY (rule_id, connection_id),
  CONSTRAINT guardrail_connections_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT guardrail_connections_rule_fk FOREIGN KEY (org_id, rule_id) REFERENCES guardrail_rules(org_id, id) ON DELETE CASCADE
);
CREATE INDEX guardrail_connections_connection_index ON public.guardrail_connections USING btree (org_id, connection_id);
CREATE TRIGGER guardrail_connections_tell AFTER INSERT OR DELETE OR UPDATE ON guardrail_connections FOR EACH ROW EXECUTE FUNCTION tell_gateways('connection_id');
CREATE TRIGGER guardrail_connections_tell_truncate AFTER TRUNCATE ON guardrail_connections FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE guardrail_rules (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  input jsonb NOT NULL,
  output jsonb NOT NULL,
  attributes text[] NOT NULL DEFAULT '{}'::text[],
  managed_by text,
  sidecar_spec jsonb,
  sidecar_targets jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT guardrail_rules_pk PRIMARY KEY (id),
  CONSTRAINT guardrail_rules_name_unique UNIQUE (org_id, name),
  CONSTRAINT guardrail_rules_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT guardrail_rules_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX guardrail_rules_attributes_index ON public.guardrail_rules USING gin (attributes);
CREATE INDEX guardrail_rules_page_index ON public.guardrail_rules USING btree (org_id, created_at DESC, id DESC);
CREATE INDEX guardrail_rules_visible_attributes_index ON public.guardrail_rules USING gin (visible_names(attributes));
CREATE TRIGGER guardrail_rules_tell AFTER INSERT OR DELETE OR UPDATE ON guardrail_rules FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER guardrail_rules_tell_truncate AFTER TRUNCATE ON guardrail_rules FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
CREATE TRIGGER guardrail_rules_total_delete AFTER DELETE ON guardrail_rules REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER guardrail_rules_total_insert AFTER INSERT ON guardrail_rules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER guardrail_rules_total_truncate AFTER TRUNCATE ON guardrail_rules FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE guardrail_stats (
  org_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  checked bigint NOT NULL DEFAULT 0,
  hit bigint NOT NULL DEFAULT 0,
  last_hit timestamp with time zone,
  CONSTRAINT guardrail_stats_pk PRIMARY KEY (rule_id),
  CONSTRAINT guardrail_stats_rule_fk FOREIGN KEY (org_id, rule_id) REFERENCES guardrail_rules(org_id, id) ON DELETE CASCADE
);

CREATE TABLE key_checks (
  key_id text NOT NULL,
  check_value bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT key_checks_pk PRIMARY KEY (key_id)
);

CREATE TABLE login_states (
  org_id uuid NOT NULL,
  state_hash bytea NOT NULL,
  browser_hash bytea,
  code_verifier text NOT NULL,
  nonce text NOT NULL,
  redirect text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  purpose text NOT NULL DEFAULT 'token'::text,
  CONSTRAINT login_states_pk PRIMARY KEY (state_hash),
  CONSTRAINT login_states_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX login_states_expires_index ON public.login_states USING btree (expires_at);

CREATE TABLE mcp_tools (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  name text NOT NULL,
  listed text NOT NULL,
  fingerprint text NOT NULL,
  accepted text,
  accepted_fingerprint text,
  accepted_at timestamp with time zone,
  accepted_by text,
  told_fingerprint text,
  first_listed_at timestamp with time zone NOT NULL DEFAULT now(),
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT mcp_tools_pk PRIMARY KEY (id),
  CONSTRAINT mcp_tools_name_unique UNIQUE (org_id, connection_id, name),
  CONSTRAINT mcp_tools_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_tools_accepted_check CHECK ((((accepted IS NULL) = (accepted_fingerprint IS NULL)) AND ((accepted IS NULL) = (accepted_at IS NULL)) AND ((accepted IS NOT NULL) OR (accepted_by IS NULL))))
);
CREATE TRIGGER mcp_tools_tell AFTER INSERT OR DELETE OR UPDATE ON mcp_tools FOR EACH ROW EXECUTE FUNCTION tell_gateways('connection_id');
CREATE TRIGGER mcp_tools_tell_truncate AFTER TRUNCATE ON mcp_tools FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE mcp_used_states (
  id uuid NOT NULL,
  org_id uuid NOT NULL,
  used_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT mcp_used_states_pk PRIMARY KEY (id),
  CONSTRAINT mcp_used_states_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX mcp_used_states_used_at_index ON public.mcp_used_states USING btree (used_at);

CREATE TABLE name_changes (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  org_id uuid NOT NULL,
  resource text NOT NULL,
  resource_id text NOT NULL,
  field text NOT NULL,
  before text NOT NULL,
  after text NOT NULL,
  note text NOT NULL DEFAULT ''::text,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  told_at timestamp with time zone,
  CONSTRAINT name_changes_pk PRIMARY KEY (id),
  CONSTRAINT name_changes_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX name_changes_untold_index ON public.name_changes USING btree (id) WHERE (told_at IS NULL);

CREATE TABLE organizations (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  features jsonb NOT NULL DEFAULT '{"review": true, "access_control": true}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT organizations_pk PRIMARY KEY (id),
  CONSTRAINT organizations_name_unique UNIQUE (name)
);
CREATE TRIGGER organizations_tell AFTER UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER organizations_tell_others AFTER INSERT OR DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER organizations_tell_truncate AFTER TRUNCATE ON organizations FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE outbox (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  "position" bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  subject uuid NOT NULL,
  data jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_pk PRIMARY KEY (id)
);
CREATE INDEX outbox_created_index ON public.outbox USING btree (created_at);
CREATE INDEX outbox_position_index ON public.outbox USING btree ("position");
CREATE TRIGGER outbox_queue AFTER INSERT ON outbox FOR EACH ROW WHEN (new.type <> 'audit.recorded'::text) EXECUTE FUNCTION queue_event();

CREATE TABLE portal_requests (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  id uuid NOT NULL,
  CONSTRAINT portal_requests_pk PRIMARY KEY (session_id, id),
  CONSTRAINT portal_requests_session_fk FOREIGN KEY (org_id, session_id) REFERENCES portal_sessions(org_id, id) ON DELETE CASCADE
);

CREATE TABLE portal_sessions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  cookie_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  secret bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone NOT NULL,
  renew_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  lease uuid,
  lease_until timestamp with time zone,
  CONSTRAINT portal_sessions_pk PRIMARY KEY (id),
  CONSTRAINT portal_sessions_cookie_unique UNIQUE (cookie_hash),
  CONSTRAINT portal_sessions_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT portal_sessions_user_fk FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE
);
CREATE INDEX portal_sessions_expires_index ON public.portal_sessions USING btree (expires_at);
CREATE INDEX portal_sessions_user_index ON public.portal_sessions USING btree (org_id, user_id);
CREATE TRIGGER portal_sessions_tell AFTER DELETE OR UPDATE OF secret ON portal_sessions FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER portal_sessions_tell_truncate AFTER TRUNCATE ON portal_sessions FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE retention_runs (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  started_by text,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
  outcome text NOT NULL DEFAULT 'running'::text,
  due bigint NOT NULL DEFAULT 0,
  held_back bigint NOT NULL DEFAULT 0,
  purged bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  removed bigint NOT NULL DEFAULT 0,
  months_dropped integer NOT NULL DEFAULT 0,
  error text,
  CONSTRAINT retention_runs_pk PRIMARY KEY (id),
  CONSTRAINT retention_runs_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT retention_runs_outcome_check CHECK (((outcome = ANY (ARRAY['running'::text, 'finished'::text, 'stopped'::text, 'failed'::text, 'interrupted'::text])) AND ((outcome = 'running'::text) = (finished_at IS NULL))))
);
CREATE INDEX retention_runs_list_index ON public.retention_runs USING btree (org_id, started_at DESC);

CREATE TABLE review_groups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  review_id uuid NOT NULL,
  group_name text NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'::text,
  forced_review boolean NOT NULL DEFAULT false,
  review_date timestamp with time zone,
  reviewed_by jsonb,
  session_id uuid,
  session_start timestamp with time zone NOT NULL,
  approver_id text,
  approver_email text,
  is_asked boolean NOT NULL DEFAULT true,
  CONSTRAINT review_groups_pk PRIMARY KEY (id),
  CONSTRAINT review_groups_review_fk FOREIGN KEY (org_id, review_id) REFERENCES reviews(org_id, id)
);
CREATE INDEX review_groups_approver_email_index ON public.review_groups USING btree (org_id, approver_email, session_start, session_id) WHERE (approver_email IS NOT NULL);
CREATE INDEX review_groups_approver_index ON public.review_groups USING btree (org_id, approver_id, session_start, session_id) WHERE (approver_id IS NOT NULL);
CREATE UNIQUE INDEX review_groups_group_index ON public.review_groups USING btree (review_id, group_name, COALESCE((reviewed_by ->> 'id'::text), ''::text));
CREATE INDEX review_groups_list_index ON public.review_groups USING btree (org_id, group_name, session_start, session_id);
CREATE INDEX review_groups_session_index ON public.review_groups USING btree (org_id, session_id);
CREATE TRIGGER review_groups_place BEFORE INSERT ON review_groups FOR EACH ROW EXECUTE FUNCTION place_review_group();
CREATE TRIGGER review_groups_tell AFTER INSERT OR DELETE OR UPDATE ON review_groups FOR EACH ROW EXECUTE FUNCTION tell_gateways('review_id');
CREATE TRIGGER review_groups_tell_past_insert AFTER INSERT ON review_groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
CREATE TRIGGER review_groups_tell_past_update AFTER UPDATE ON review_groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();

CREATE TABLE review_votes (
  org_id uuid NOT NULL,
  review_id uuid NOT NULL,
  user_id uuid NOT NULL,
  verdict text NOT NULL,
  groups text[] NOT NULL,
  forced boolean NOT NULL,
  time_window jsonb,
  voted_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT review_votes_pk PRIMARY KEY (review_id, user_id),
  CONSTRAINT review_votes_review_fk FOREIGN KEY (org_id, review_id) REFERENCES reviews(org_id, id),
  CONSTRAINT review_votes_verdict_check CHECK ((verdict = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])))
);

CREATE TABLE reviews (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  session_id uuid,
  type text NOT NULL,
  status text NOT NULL,
  access_duration integer NOT NULL DEFAULT 0,
  access_request_rule_name text NOT NULL,
  min_approvals integer NOT NULL,
  force_approval_groups text[] NOT NULL DEFAULT '{}'::text[],
  input_hash bytea,
  time_window jsonb,
  rejection_reason text,
  revoke_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  session_start timestamp with time zone NOT NULL,
  connection_id uuid,
  connection_name text NOT NULL DEFAULT ''::text,
  connection_subtype text NOT NULL DEFAULT ''::text,
  requester_id uuid,
  requester_type text NOT NULL DEFAULT 'user'::text,
  requester_subject text NOT NULL DEFAULT ''::text,
  requester_email text NOT NULL DEFAULT ''::text,
  requester_name text NOT NULL DEFAULT ''::text,
  person_behind text NOT NULL DEFAULT ''::text,
  rules jsonb NOT NULL DEFAULT '[]'::jsonb,
  approved_at timestamp with time zone,
  taken_at timestamp with time zone,
  ended_at timestamp with time zone,
  reason text,
  call jsonb,
  call_session_id uuid,
  force_reason text,
  after_review text,
  sign_off jsonb,
  emergency boolean NOT NULL DEFAULT false,
  script_start text,
  CONSTRAINT reviews_pk PRIMARY KEY (id),
  CONSTRAINT reviews_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT reviews_session_unique UNIQUE (session_id),
  CONSTRAINT reviews_call_session_fk FOREIGN KEY (org_id, call_session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT reviews_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id),
  CONSTRAINT reviews_after_review_check CHECK ((after_review = ANY (ARRAY['open'::text, 'signed_off'::text]))),
  CONSTRAINT reviews_call_check CHECK (((call IS NULL) = (call_session_id IS NULL))),
  CONSTRAINT reviews_emergency_check CHECK (((NOT emergency) OR ((after_review IS NOT NULL) AND (force_reason IS NOT NULL)))),
  CONSTRAINT reviews_input_check CHECK (((type = 'jit'::text) OR ((input_hash IS NOT NULL) AND ((session_id IS NULL) <> (call_session_id IS NULL))))),
  CONSTRAINT reviews_requester_check CHECK ((requester_type = ANY (ARRAY['user'::text, 'machine'::text]))),
  CONSTRAINT reviews_sign_off_check CHECK (((sign_off IS NOT NULL) = (NOT (after_review IS DISTINCT FROM 'signed_off'::text)))),
  CONSTRAINT reviews_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'REVOKED'::text, 'PROCESSING'::text, 'EXECUTED'::text, 'EXPIRED'::text, 'UNKNOWN'::text]))),
  CONSTRAINT reviews_type_check CHECK ((type = ANY (ARRAY['onetime'::text, 'jit'::text])))
);
CREATE INDEX reviews_after_index ON public.reviews USING btree (org_id, after_review, created_at, id) WHERE (after_review IS NOT NULL);
CREATE INDEX reviews_approved_index ON public.reviews USING btree (org_id, requester_type, requester_id, connection_id, created_at DESC, id DESC) WHERE (approved_at IS NOT NULL);
CREATE INDEX reviews_call_index ON public.reviews USING btree (org_id, requester_type, requester_id, connection_id, input_hash, created_at) WHERE (call_session_id IS NOT NULL);
CREATE INDEX reviews_emergency_index ON public.reviews USING btree (org_id, id) WHERE (emergency AND (status = 'APPROVED'::text));
CREATE INDEX reviews_list_index ON public.reviews USING btree (org_id, status, session_start, session_id);
CREATE INDEX reviews_open_index ON public.reviews USING btree (org_id, expires_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text]));
CREATE INDEX reviews_page_index ON public.reviews USING btree (org_id, created_at, id);
CREATE INDEX reviews_processing_index ON public.reviews USING btree (org_id, taken_at) WHERE (status = 'PROCESSING'::text);
CREATE INDEX reviews_requester_index ON public.reviews USING btree (org_id, requester_type, requester_id, created_at, id);
CREATE INDEX reviews_status_index ON public.reviews USING btree (org_id, status, created_at, id);
CREATE CONSTRAINT TRIGGER reviews_grant_at_commit AFTER UPDATE OF status ON reviews DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.type = 'jit'::text AND new.status <> old.status) EXECUTE FUNCTION follow_grant();
CREATE TRIGGER reviews_place BEFORE INSERT ON reviews FOR EACH ROW EXECUTE FUNCTION place_review();
CREATE TRIGGER reviews_states BEFORE UPDATE OF status ON reviews FOR EACH ROW WHEN (new.status <> old.status) EXECUTE FUNCTION keep_review_states();
CREATE TRIGGER reviews_tell AFTER INSERT OR UPDATE ON reviews FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER reviews_tell_past_insert AFTER INSERT ON reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
CREATE TRIGGER reviews_tell_past_update AFTER UPDATE ON reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
CREATE TRIGGER reviews_total_delete AFTER DELETE ON reviews REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER reviews_total_insert AFTER INSERT ON reviews REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER reviews_total_truncate AFTER TRUNCATE ON reviews FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE row_totals (
  org_id uuid NOT NULL,
  table_name text NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT row_totals_pk PRIMARY KEY (org_id, table_name),
  CONSTRAINT row_totals_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);

CREATE TABLE schema_migrations (
  id integer NOT NULL DEFAULT nextval('schema_migrations_id_seq'::regclass),
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_62441bec32630ced9e4cccae336" PRIMARY KEY (id)
);

CREATE TABLE scim_group_members (
  org_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT scim_group_members_pk PRIMARY KEY (group_id, user_id),
  CONSTRAINT scim_group_members_group_fk FOREIGN KEY (org_id, group_id) REFERENCES scim_groups(org_id, id) ON DELETE CASCADE,
  CONSTRAINT scim_group_members_user_fk FOREIGN KEY (org_id, user_id) REFERENCES scim_users(org_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_group_members_user_index ON public.scim_group_members USING btree (user_id);

CREATE TABLE scim_groups (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  display_name text NOT NULL,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT scim_groups_pk PRIMARY KEY (id),
  CONSTRAINT scim_groups_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT scim_groups_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX scim_groups_name_index ON public.scim_groups USING btree (org_id, lower((display_name COLLATE "C")));
CREATE INDEX scim_groups_page_index ON public.scim_groups USING btree (org_id, created_at, id);

CREATE TABLE scim_tokens (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  token_hash bytea NOT NULL,
  created_by text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT scim_tokens_pk PRIMARY KEY (id),
  CONSTRAINT scim_tokens_hash_unique UNIQUE (token_hash),
  CONSTRAINT scim_tokens_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX scim_tokens_name_index ON public.scim_tokens USING btree (org_id, name) WHERE (revoked_at IS NULL);
CREATE INDEX scim_tokens_page_index ON public.scim_tokens USING btree (org_id, created_at DESC, id DESC);
CREATE TRIGGER scim_tokens_total_delete AFTER DELETE ON scim_tokens REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER scim_tokens_total_insert AFTER INSERT ON scim_tokens REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER scim_tokens_total_truncate AFTER TRUNCATE ON scim_tokens FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE scim_users (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  user_name text NOT NULL,
  external_id text,
  active boolean NOT NULL,
  attributes jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  deleted_at timestamp with time zone,
  active_assigned boolean NOT NULL DEFAULT true,
  CONSTRAINT scim_users_pk PRIMARY KEY (id),
  CONSTRAINT scim_users_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT scim_users_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id)
);
CREATE INDEX scim_users_deleted_index ON public.scim_users USING btree (org_id, external_id) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX scim_users_external_index ON public.scim_users USING btree (org_id, external_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX scim_users_name_index ON public.scim_users USING btree (org_id, lower((user_name COLLATE "C"))) WHERE (deleted_at IS NULL);
CREATE INDEX scim_users_page_index ON public.scim_users USING btree (org_id, created_at, id) WHERE (deleted_at IS NULL);

CREATE TABLE session_archive_segments (
  session_id uuid NOT NULL,
  org_id uuid NOT NULL,
  first_seq integer NOT NULL,
  last_seq integer NOT NULL,
  object_key text NOT NULL,
  version_id text,
  size integer NOT NULL,
  sha256 bytea NOT NULL,
  index_seqs integer[] NOT NULL,
  index_offsets integer[] NOT NULL,
  CONSTRAINT session_archive_segments_pk PRIMARY KEY (session_id, first_seq)
);

CREATE TABLE session_archives (
  session_id uuid NOT NULL,
  org_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  noted_at timestamp with time zone NOT NULL DEFAULT now(),
  next_at timestamp with time zone NOT NULL DEFAULT now(),
  claim uuid,
  attempts integer NOT NULL DEFAULT 0,
  generation integer NOT NULL DEFAULT 1,
  last_seq integer NOT NULL DEFAULT 0,
  is_held boolean NOT NULL DEFAULT false,
  locked_until timestamp with time zone,
  archived_at timestamp with time zone,
  fault text,
  CONSTRAINT session_archives_pk PRIMARY KEY (session_id),
  CONSTRAINT session_archives_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'clearing'::text, 'archived'::text, 'refused'::text, 'removing'::text])))
);
CREATE INDEX session_archives_held_index ON public.session_archives USING btree (session_id) WHERE is_held;
CREATE INDEX session_archives_lock_index ON public.session_archives USING btree (locked_until);
CREATE INDEX session_archives_tried_index ON public.session_archives USING btree (noted_at) WHERE ((state = 'waiting'::text) AND (attempts > 0));
CREATE INDEX session_archives_work_index ON public.session_archives USING btree (state, next_at) WHERE (state <> 'archived'::text);

CREATE TABLE session_calls (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  name text,
  verdict text NOT NULL,
  review_id uuid,
  duration_ms bigint NOT NULL,
  result_bytes bigint NOT NULL,
  CONSTRAINT session_calls_pk PRIMARY KEY (session_id, at, id),
  CONSTRAINT session_calls_verdict_check CHECK ((verdict = ANY (ARRAY['forwarded'::text, 'refused'::text, 'pending'::text, 'blocked'::text, 'unknown'::text])))
);

CREATE TABLE session_chunks (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  seq integer NOT NULL,
  event_count integer NOT NULL,
  raw_size integer NOT NULL,
  payload bytea NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT session_chunks_pk PRIMARY KEY (session_id, seq)
) PARTITION BY RANGE (session_id);
CREATE TRIGGER session_chunks_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON session_chunks FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

CREATE TABLE session_guardrail_hits (
  org_id uuid NOT NULL,
  rule text NOT NULL,
  session_start timestamp with time zone NOT NULL,
  session_id uuid NOT NULL,
  CONSTRAINT session_guardrail_hits_pk PRIMARY KEY (org_id, rule, session_start, session_id),
  CONSTRAINT session_guardrail_hits_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions(org_id, id) ON DELETE CASCADE
);
CREATE INDEX session_guardrail_hits_session_index ON public.session_guardrail_hits USING btree (org_id, session_id);
CREATE TRIGGER session_guardrail_hits_tell_past AFTER INSERT ON session_guardrail_hits FOR EACH ROW WHEN (new.session_start < (clock_timestamp() - '00:01:00'::interval)) EXECUTE FUNCTION tell_of_past();

CREATE TABLE session_ledger (
  org_id uuid NOT NULL,
  seq bigint NOT NULL,
  session_id uuid NOT NULL,
  kind text NOT NULL,
  said text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  key_id text NOT NULL,
  signature bytea NOT NULL,
  CONSTRAINT session_ledger_pk PRIMARY KEY (org_id, seq),
  CONSTRAINT session_ledger_kind_check CHECK ((kind = ANY (ARRAY['opened'::text, 'closed'::text, 'adopted'::text, 'grown'::text, 'metadata'::text, 'hold'::text, 'removed'::text, 'missing'::text])))
);
CREATE INDEX session_ledger_session_index ON public.session_ledger USING btree (session_id, seq);
CREATE TRIGGER session_ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON session_ledger FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE session_ledger_queue (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  is_adopted boolean NOT NULL DEFAULT false,
  CONSTRAINT session_ledger_queue_pk PRIMARY KEY (id)
);
CREATE INDEX session_ledger_queue_session_index ON public.session_ledger_queue USING btree (session_id);

CREATE TABLE session_removals (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  CONSTRAINT session_removals_pk PRIMARY KEY (session_id)
);

CREATE TABLE session_texts (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  seq integer NOT NULL,
  part integer NOT NULL,
  session_start timestamp with time zone NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT session_texts_pk PRIMARY KEY (session_id, seq, part)
) PARTITION BY RANGE (session_id);
CREATE INDEX session_texts_list_index ON ONLY public.session_texts USING btree (org_id, session_start, session_id);
CREATE INDEX session_texts_words_index ON ONLY public.session_texts USING gin (words);

CREATE TABLE sessions (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  gateway_id uuid,
  status text NOT NULL,
  verb text NOT NULL,
  type text NOT NULL,
  connection_id uuid NOT NULL,
  connection_name text NOT NULL,
  connection_subtype text NOT NULL,
  connection_tags jsonb NOT NULL DEFAULT '{}'::jsonb,
  resource_name text NOT NULL DEFAULT ''::text,
  identity_type text NOT NULL,
  user_subject text NOT NULL,
  user_email text NOT NULL,
  user_name text NOT NULL,
  start_date timestamp with time zone NOT NULL DEFAULT now(),
  end_date timestamp with time zone,
  exit_code integer,
  script text,
  script_size bigint NOT NULL DEFAULT 0,
  event_size bigint NOT NULL DEFAULT 0,
  events_received bigint NOT NULL DEFAULT 0,
  events_stored bigint NOT NULL DEFAULT 0,
  guardrails_checked integer NOT NULL DEFAULT 0,
  guardrails_blocked integer NOT NULL DEFAULT 0,
  guardrails_info jsonb NOT NULL DEFAULT '[]'::jsonb,
  session_batch_id text,
  correlation_id text,
  ai_analysis jsonb,
  integrations_metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  labels jsonb NOT NULL DEFAULT '{}'::jsonb,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  data_masking jsonb NOT NULL DEFAULT '{}'::jsonb,
  stop_reason text,
  chunk_count integer NOT NULL DEFAULT 0,
  chain_hash bytea NOT NULL DEFAULT decode(repeat('00'::text, 32), 'hex'::text),
  journaled bigint NOT NULL DEFAULT 0,
  seal bytea,
  retention_days integer,
  held_at timestamp with time zone,
  held_by text,
  hold_reason text,
  recording_purged_at timestamp with time zone,
  credential_id uuid,
  stopped_by jsonb,
  content_salt bytea DEFAULT uuid_send(gen_random_uuid()),
  reason text,
  CONSTRAINT sessions_pk PRIMARY KEY (id),
  CONSTRAINT sessions_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT sessions_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT sessions_done_has_end_check CHECK (((status = 'done'::text) = (end_date IS NOT NULL))),
  CONSTRAINT sessions_hold_check CHECK ((((held_at IS NULL) = (held_by IS NULL)) AND ((held_at IS NOT NULL) OR (hold_reason IS NULL)))) NOT VALID,
  CONSTRAINT sessions_identity_check CHECK ((identity_type = ANY (ARRAY['user'::text, 'machine'::text]))),
  CONSTRAINT sessions_purged_check CHECK (((recording_purged_at IS NULL) OR ((status = 'done'::text) AND (held_at IS NULL) AND (script IS NULL)))) NOT VALID,
  CONSTRAINT sessions_retention_check CHECK (((retention_days >= 1) AND (retention_days <= 36500))) NOT VALID,
  CONSTRAINT sessions_status_check CHECK ((status = ANY (ARRAY['open'::text, 'ready'::text, 'done'::text]))),
  CONSTRAINT sessions_verb_check CHECK ((verb = ANY (ARRAY['connect'::text, 'exec'::text])))
);
CREATE INDEX sessions_batch_index ON public.sessions USING btree (org_id, session_batch_id, start_date, id) WHERE (session_batch_id IS NOT NULL);
CREATE INDEX sessions_connection_index ON public.sessions USING btree (org_id, connection_name, start_date, id) INCLUDE (type, verb, status);
CREATE INDEX sessions_correlation_index ON public.sessions USING btree (org_id, correlation_id, start_date, id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX sessions_credential_index ON public.sessions USING btree (org_id, credential_id, start_date) WHERE (credential_id IS NOT NULL);
CREATE INDEX sessions_email_index ON public.sessions USING btree (org_id, user_email, start_date, id) INCLUDE (connection_name, type, verb, status);
CREATE INDEX sessions_held_index ON public.sessions USING btree (id) WHERE (held_at IS NOT NULL);
CREATE INDEX sessions_kept_index ON public.sessions USING btree (org_id, connection_id, COALESCE(retention_days, 0), end_date, id) WHERE ((status = 'done'::text) AND (recording_purged_at IS NULL));
CREATE INDEX sessions_page_index ON public.sessions USING btree (org_id, start_date DESC, id DESC);
CREATE INDEX sessions_recorded_index ON public.sessions USING btree (id) WHERE (recording_purged_at IS NULL);
CREATE INDEX sessions_status_index ON public.sessions USING btree (org_id, status, start_date, id) INCLUDE (type, verb);
CREATE INDEX sessions_stopped_index ON public.sessions USING btree (org_id, gateway_id) WHERE ((stop_reason IS NOT NULL) AND (status <> 'done'::text));
CREATE INDEX sessions_type_index ON public.sessions USING btree (org_id, type, start_date, id) INCLUDE (verb, status);
CREATE INDEX sessions_unfinished_index ON public.sessions USING btree (org_id, gateway_id) WHERE (status <> 'done'::text);
CREATE INDEX sessions_user_index ON public.sessions USING btree (org_id, user_subject, start_date, id) INCLUDE (identity_type, connection_name, type, verb, status);
CREATE INDEX sessions_verb_index ON public.sessions USING btree (org_id, verb, start_date, id) INCLUDE (type, status);
CREATE TRIGGER sessions_credential BEFORE INSERT ON sessions FOR EACH ROW WHEN (new.credential_id IS NOT NULL) EXECUTE FUNCTION require_credential();
CREATE TRIGGER sessions_granted_insert AFTER INSERT ON sessions FOR EACH ROW WHEN (new.credential_id IS NOT NULL) EXECUTE FUNCTION list_granted_session();
CREATE TRIGGER sessions_granted_moved AFTER UPDATE OF start_date ON sessions FOR EACH ROW WHEN (new.credential_id IS NOT NULL AND new.start_date IS DISTINCT FROM old.start_date) EXECUTE FUNCTION move_granted_session();
CREATE TRIGGER sessions_hit_insert AFTER INSERT ON sessions FOR EACH ROW WHEN (new.guardrails_info <> '[]'::jsonb) EXECUTE FUNCTION list_guardrail_hits();
CREATE TRIGGER sessions_hit_update AFTER UPDATE OF guardrails_info ON sessions FOR EACH ROW WHEN (new.guardrails_info IS DISTINCT FROM old.guardrails_info) EXECUTE FUNCTION list_guardrail_hits();
CREATE TRIGGER sessions_ledger_begun AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION queue_for_ledger();
CREATE TRIGGER sessions_ledger_over AFTER UPDATE OF status, chunk_count ON sessions FOR EACH ROW WHEN (new.status = 'done'::text AND (old.status <> 'done'::text OR new.chunk_count <> old.chunk_count)) EXECUTE FUNCTION queue_for_ledger();
CREATE TRIGGER sessions_start_moved AFTER UPDATE OF start_date ON sessions FOR EACH ROW WHEN (new.start_date IS DISTINCT FROM old.start_date) EXECUTE FUNCTION move_session_start();
CREATE TRIGGER sessions_stay BEFORE DELETE OR TRUNCATE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sessions_stop_tell AFTER UPDATE OF stop_reason ON sessions FOR EACH ROW WHEN (old.stop_reason IS DISTINCT FROM new.stop_reason) EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER sessions_tell_moved AFTER UPDATE OF status, guardrails_blocked ON sessions FOR EACH ROW WHEN (new.guardrails_blocked > old.guardrails_blocked OR new.status = 'done'::text AND old.status <> 'done'::text) EXECUTE FUNCTION tell_of_session();
CREATE TRIGGER sessions_tell_past_insert AFTER INSERT ON sessions FOR EACH ROW WHEN (new.start_date < (clock_timestamp() - '00:01:00'::interval)) EXECUTE FUNCTION tell_of_past();
CREATE TRIGGER sessions_tell_past_update AFTER UPDATE OF status, start_date, org_id, identity_type, user_subject, user_email, connection_name, type, verb, session_batch_id, correlation_id ON sessions FOR EACH ROW WHEN (old.status = 'done'::text AND (old.status IS DISTINCT FROM new.status OR old.start_date IS DISTINCT FROM new.start_date OR old.org_id IS DISTINCT FROM new.org_id OR old.identity_type IS DISTINCT FROM new.identity_type OR old.user_subject IS DISTINCT FROM new.user_subject OR old.user_email IS DISTINCT FROM new.user_email OR old.connection_name IS DISTINCT FROM new.connection_name OR old.type IS DISTINCT FROM new.type OR old.verb IS DISTINCT FROM new.verb OR old.session_batch_id IS DISTINCT FROM new.session_batch_id OR old.correlation_id IS DISTINCT FROM new.correlation_id)) EXECUTE FUNCTION tell_of_past();
CREATE TRIGGER sessions_tell_started AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION tell_of_session();

CREATE TABLE ssh_host_keys (
  id uuid NOT NULL,
  type text NOT NULL,
  secret bytea NOT NULL,
  public_key text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT ssh_host_keys_pk PRIMARY KEY (id),
  CONSTRAINT ssh_host_keys_type_unique UNIQUE (type)
);

CREATE TABLE ssh_public_keys (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT ssh_public_keys_pk PRIMARY KEY (id),
  CONSTRAINT ssh_public_keys_digest_unique UNIQUE (digest),
  CONSTRAINT ssh_public_keys_name_unique UNIQUE (org_id, user_id, name),
  CONSTRAINT ssh_public_keys_user_fk FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE,
  CONSTRAINT ssh_public_keys_digest_check CHECK ((digest = sha256(public_key)))
);
CREATE TRIGGER ssh_public_keys_tell AFTER DELETE ON ssh_public_keys FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER ssh_public_keys_tell_truncate AFTER TRUNCATE ON ssh_public_keys FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE ssh_user_ca_keys (
  id uuid NOT NULL,
  generation integer NOT NULL,
  type text NOT NULL,
  secret bytea NOT NULL,
  public_key text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT ssh_user_ca_keys_pk PRIMARY KEY (id),
  CONSTRAINT ssh_user_ca_keys_generation_unique UNIQUE (generation)
);

CREATE TABLE upstream_clients (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  secret bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT upstream_clients_pk PRIMARY KEY (id),
  CONSTRAINT upstream_clients_issuer_unique UNIQUE (org_id, issuer)
);

CREATE TABLE upstream_sign_in_visits (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  sign_in_id uuid NOT NULL,
  browser_hash bytea NOT NULL,
  user_id uuid,
  state_hash bytea,
  secret bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT upstream_sign_in_visits_pk PRIMARY KEY (id),
  CONSTRAINT upstream_sign_in_visits_state_unique UNIQUE (state_hash)
);
CREATE INDEX upstream_sign_in_visits_expires_index ON public.upstream_sign_in_visits USING btree (expires_at);

CREATE TABLE upstream_sign_ins (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  user_id uuid NOT NULL,
  scope text,
  expires_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  CONSTRAINT upstream_sign_ins_pk PRIMARY KEY (id),
  CONSTRAINT upstream_sign_ins_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE
);
CREATE INDEX upstream_sign_ins_expires_index ON public.upstream_sign_ins USING btree (expires_at);
CREATE INDEX upstream_sign_ins_owner_index ON public.upstream_sign_ins USING btree (org_id, connection_id, user_id);

CREATE TABLE upstream_tokens (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  subject_id uuid,
  secret bytea NOT NULL,
  status text NOT NULL,
  status_at timestamp with time zone NOT NULL,
  lease uuid,
  lease_until timestamp with time zone,
  keep_until timestamp with time zone NOT NULL DEFAULT (now() + '30 days'::interval),
  CONSTRAINT upstream_tokens_pk PRIMARY KEY (id),
  CONSTRAINT upstream_tokens_owner_unique UNIQUE NULLS NOT DISTINCT (org_id, connection_id, subject_id),
  CONSTRAINT upstream_tokens_connection_fk FOREIGN KEY (org_id, connection_id) REFERENCES connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT upstream_tokens_lease_check CHECK (((lease IS NULL) = (lease_until IS NULL))),
  CONSTRAINT upstream_tokens_status_check CHECK ((status = ANY (ARRAY['none'::text, 'ok'::text, 'needs_reauth'::text])))
);
CREATE INDEX upstream_tokens_keep_index ON public.upstream_tokens USING btree (keep_until);

CREATE TABLE user_groups (
  org_id uuid NOT NULL,
  user_id uuid NOT NULL,
  group_name text NOT NULL,
  source text NOT NULL,
  CONSTRAINT user_groups_pk PRIMARY KEY (user_id, group_name, source),
  CONSTRAINT user_groups_user_fk FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, id) ON DELETE CASCADE,
  CONSTRAINT user_groups_source_check CHECK ((source = ANY (ARRAY['idp'::text, 'manual'::text, 'scim'::text])))
);
CREATE INDEX user_groups_group_index ON public.user_groups USING btree (org_id, group_name);
CREATE TRIGGER user_groups_tell AFTER INSERT OR DELETE OR UPDATE ON user_groups FOR EACH ROW EXECUTE FUNCTION tell_gateways('user_id');
CREATE TRIGGER user_groups_tell_truncate AFTER TRUNCATE ON user_groups FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

CREATE TABLE users (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  subject text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  groups_synced_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  match_key text,
  CONSTRAINT users_pk PRIMARY KEY (id),
  CONSTRAINT users_org_id_unique UNIQUE (org_id, id),
  CONSTRAINT users_subject_unique UNIQUE (org_id, subject),
  CONSTRAINT users_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE INDEX users_email_index ON public.users USING btree (org_id, lower(email));
CREATE INDEX users_match_index ON public.users USING btree (org_id, match_key) WHERE (match_key IS NOT NULL);
CREATE INDEX users_page_index ON public.users USING btree (org_id, created_at DESC, id DESC);
CREATE TRIGGER users_end_portal_sessions AFTER UPDATE OF status ON users FOR EACH ROW WHEN (new.status = 'inactive'::text) EXECUTE FUNCTION end_portal_sessions();
CREATE TRIGGER users_tell AFTER DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER users_tell_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
CREATE TRIGGER users_tell_truncate AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
CREATE TRIGGER users_total_delete AFTER DELETE ON users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER users_total_insert AFTER INSERT ON users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();
CREATE TRIGGER users_total_truncate AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION keep_row_total();

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  subject uuid NOT NULL,
  "position" bigint NOT NULL,
  state text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  next_attempt_at timestamp with time zone,
  lease uuid,
  last_attempt_at timestamp with time zone,
  last_status integer,
  last_error text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamp with time zone,
  CONSTRAINT webhook_deliveries_pk PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_finished_check CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  CONSTRAINT webhook_deliveries_next_check CHECK (((state = 'pending'::text) OR ((next_attempt_at IS NULL) AND (lease IS NULL)))),
  CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
CREATE INDEX webhook_deliveries_due_index ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_event_index ON public.webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_page_index ON public.webhook_deliveries USING btree (org_id, webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_queue_index ON public.webhook_deliveries USING btree (webhook_id, subject, "position") WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_state_index ON public.webhook_deliveries USING btree (org_id, webhook_id, state, created_at, id);
CREATE TRIGGER webhook_deliveries_next AFTER UPDATE OF state ON webhook_deliveries FOR EACH ROW WHEN (old.state = 'pending'::text AND new.state <> 'pending'::text) EXECUTE FUNCTION call_next_delivery();

CREATE TABLE webhooks (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  org_id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  events text[] NOT NULL,
  format text NOT NULL DEFAULT 'standard'::text,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  secret bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhooks_pk PRIMARY KEY (id),
  CONSTRAINT webhooks_org_fk FOREIGN KEY (org_id) REFERENCES organizations(id),
  CONSTRAINT webhooks_disabled_check CHECK (((NOT enabled) OR (disabled_reason IS NULL))),
  CONSTRAINT webhooks_events_check CHECK ((cardinality(events) > 0)),
  CONSTRAINT webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'slack'::text, 'teams'::text])))
);
CREATE INDEX webhooks_page_index ON public.webhooks USING btree (org_id, created_at DESC, id DESC);

CREATE OR REPLACE FUNCTION public.append_audit_lines(org uuid, created timestamp with time zone, actor_ids text[], actor_emails text[], actor_types text[], actions text[], resource_types text[], resource_ids text[], outcomes text[], statuses integer[], client_addresses text[], request_ids text[], changed text[], contents_before text[], contents_after text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
      DECLARE
        place bigint;
        link  bytea;
        made  bytea;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('audit_log'), hashtext(org::text));
        SELECT seq, hash INTO place, link FROM audit_log WHERE org_id = org ORDER BY seq DESC LIMIT 1;
        IF NOT FOUND THEN
          place := 0;
          link := decode(repeat('00', 32), 'hex');
        END IF;
        FOR i IN 1 .. cardinality(actor_ids) LOOP
          place := place + 1;
          made := sha256(link || convert_to(contents_before[i] || place || contents_after[i], 'UTF8'));
          INSERT INTO audit_log (org_id, seq, created_at, actor_id, actor_email, actor_type, action, resource_type,
              resource_id, outcome, status, client_address, request_id, changes, previous, hash)
            VALUES (org, place, created, actor_ids[i], actor_emails[i], actor_types[i], actions[i], resource_types[i],
              resource_ids[i], outcomes[i], statuses[i], client_addresses[i], request_ids[i], changed[i]::jsonb, link, made);
          link := made;
        END LOOP;
      END $function$;

CREATE OR REPLACE FUNCTION public.call_next_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp()
          WHERE next_attempt_at IS NULL AND id = (
            SELECT id FROM webhook_deliveries
            WHERE webhook_id = OLD.webhook_id AND subject = OLD.subject AND state = 'pending'
            ORDER BY position LIMIT 1);
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.delivery_turn(webhook uuid, queue uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM FROM webhook_deliveries
          WHERE webhook_id = webhook AND subject = queue AND state = 'pending'
          ORDER BY position DESC LIMIT 1 FOR SHARE;
        RETURN CASE WHEN NOT FOUND THEN clock_timestamp() END;
      END $function$;

CREATE OR REPLACE FUNCTION public.end_portal_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        DELETE FROM portal_sessions WHERE org_id = NEW.org_id AND user_id = NEW.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.ensure_recording_month(moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
      DECLARE
        month timestamptz := date_trunc('month', moment, 'UTC');
        name  text        := to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
        least uuid        := first_session_id(month);
        bound uuid        := first_session_id((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('ensure_recording_month'));
        IF to_regclass('session_chunks_' || name) IS NULL THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF session_chunks FOR VALUES FROM (%L) TO (%L)',
            'session_chunks_' || name, least, bound);
          EXECUTE format('CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal()', 'session_chunks_' || name);
        END IF;
        IF to_regclass('session_texts_' || name) IS NULL THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF session_texts FOR VALUES FROM (%L) TO (%L)',
            'session_texts_' || name, least, bound);
        END IF;
      END $function$;

CREATE OR REPLACE FUNCTION public.event_time(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
        SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      $function$;

CREATE OR REPLACE FUNCTION public.event_wanted(org uuid, kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
      BEGIN
        RETURN EXISTS (SELECT FROM export_cursors)
          OR EXISTS (SELECT FROM webhooks WHERE org_id = org AND enabled AND kind = ANY (events));
      END $function$;

CREATE OR REPLACE FUNCTION public.first_session_id(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
        SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $function$;

CREATE OR REPLACE FUNCTION public.follow_grant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        UPDATE granted_sessions SET status = NEW.status
          WHERE org_id = NEW.org_id AND review_id = NEW.id AND status <> NEW.status;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.keep_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RAISE EXCEPTION 'a credential that was issued cannot be changed, only revoked, once'
          USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.keep_review_states()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF NEW.status <> ALL (CASE OLD.status
            WHEN 'PENDING' THEN ARRAY['APPROVED', 'REJECTED', 'REVOKED', 'EXPIRED']
            WHEN 'APPROVED' THEN ARRAY['PROCESSING', 'REVOKED', 'EXPIRED']
            WHEN 'PROCESSING' THEN ARRAY['EXECUTED', 'UNKNOWN']
            ELSE ARRAY[]::text[] END) THEN
          RAISE EXCEPTION 'a review that is % cannot become %', OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.keep_row_total()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP = 'TRUNCATE' THEN
          DELETE FROM row_totals WHERE table_name = TG_TABLE_NAME;
          RETURN NULL;
        END IF;
        INSERT INTO row_totals AS kept (org_id, table_name, total)
          SELECT org_id, TG_TABLE_NAME, CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
          FROM changed GROUP BY org_id
          ON CONFLICT ON CONSTRAINT row_totals_pk DO UPDATE SET total = kept.total + EXCLUDED.total;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.leave_audit_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF EXISTS (SELECT FROM export_cursors) THEN
          INSERT INTO outbox (org_id, type, subject, data)
            VALUES (NEW.org_id, 'audit.recorded', NEW.org_id, jsonb_build_object('seq', NEW.seq));
        END IF;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.leave_event(org uuid, kind text, about uuid, facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF event_wanted(org, kind) THEN
          INSERT INTO outbox (org_id, type, subject, data) VALUES (org, kind, about, facts);
        END IF;
      END $function$;

CREATE OR REPLACE FUNCTION public.list_granted_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        INSERT INTO granted_sessions (org_id, session_id, session_start, review_id, status)
          SELECT NEW.org_id, NEW.id, NEW.start_date, id, status FROM reviews
          WHERE org_id = NEW.org_id AND id = NEW.credential_id AND type = 'jit';
        IF FOUND THEN
          INSERT INTO granted_session_groups
              (org_id, session_id, session_start, review_group_id, group_name, approver_id, approver_email)
            SELECT NEW.org_id, NEW.id, NEW.start_date, id, group_name, approver_id, approver_email FROM review_groups
            WHERE org_id = NEW.org_id AND review_id = NEW.credential_id;
        END IF;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.list_guardrail_hits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        INSERT INTO session_guardrail_hits (org_id, rule, session_start, session_id)
          SELECT NEW.org_id, rule, NEW.start_date, NEW.id
          FROM jsonb_array_elements(NEW.guardrails_info) AS hit,
            LATERAL (VALUES (hit ->> 'rule_id'), (hit ->> 'rule_name')) AS named (rule)
          WHERE rule IS NOT NULL
          ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.move_granted_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        UPDATE granted_sessions SET session_start = NEW.start_date WHERE session_id = NEW.id;
        UPDATE granted_session_groups SET session_start = NEW.start_date WHERE session_id = NEW.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.move_session_start()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    BEGIN
      UPDATE reviews SET session_start = NEW.start_date WHERE session_id = NEW.id;
      UPDATE review_groups SET session_start = NEW.start_date WHERE org_id = NEW.org_id AND session_id = NEW.id;
      UPDATE session_guardrail_hits SET session_start = NEW.start_date
        WHERE org_id = NEW.org_id AND session_id = NEW.id;
      UPDATE session_texts SET session_start = NEW.start_date WHERE session_id = NEW.id;
      RETURN NULL;
    END $function$;

CREATE OR REPLACE FUNCTION public.place_review()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        NEW.session_start := coalesce(
          (SELECT start_date FROM sessions WHERE org_id = NEW.org_id AND id = NEW.session_id), now());
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.place_review_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        SELECT session_id, session_start INTO NEW.session_id, NEW.session_start
          FROM reviews WHERE org_id = NEW.org_id AND id = NEW.review_id;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.queue_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        INSERT INTO webhook_deliveries (org_id, webhook_id, event_id, event_type, subject, position, next_attempt_at)
          SELECT NEW.org_id, id, NEW.id, NEW.type, NEW.subject, NEW.position, delivery_turn(id, NEW.subject)
          FROM webhooks WHERE org_id = NEW.org_id AND enabled AND NEW.type = ANY (events);
        IF FOUND THEN PERFORM pg_notify('gateway_changes', 'webhook_deliveries:'); END IF;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.queue_for_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        INSERT INTO session_ledger_queue (org_id, session_id) VALUES (NEW.org_id, NEW.id);
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.refuse_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('access_gateway.purging', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.require_credential()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM FROM connection_credentials
          WHERE org_id = NEW.org_id AND id = NEW.credential_id AND connection_id = NEW.connection_id
            AND revoked_at IS NULL AND expire_at > clock_timestamp()
          FOR SHARE;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'the credential has ended'
            USING ERRCODE = 'check_violation', TABLE = 'sessions', CONSTRAINT = 'sessions_credential_check';
        END IF;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.rules_that_hit(info jsonb, known integer)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
        SELECT coalesce(jsonb_agg(rule), '[]') FROM (
          SELECT DISTINCT jsonb_build_object(
            'id', hit -> 'rule_id', 'name', hit -> 'rule_name', 'direction', hit -> 'direction') AS rule
          FROM jsonb_array_elements(info) WITH ORDINALITY AS hits (hit, place)
          WHERE place > known LIMIT 20) AS told
      $function$;

CREATE OR REPLACE FUNCTION public.session_inputs(words tsvector)
 RETURNS SETOF tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
        WITH ends AS (SELECT positions::int[] AS places FROM unnest(words) WHERE lexeme = 'inputends')
        SELECT words WHERE NOT EXISTS (SELECT FROM ends)
        UNION ALL
        SELECT string_agg(format('''%s'':%s', lexeme, place), ' ')::tsvector
        FROM ends, unnest(words) AS word, unnest(word.positions) AS place
        WHERE lexeme <> 'inputends'
        GROUP BY width_bucket(place::int, places)
      $function$;

CREATE OR REPLACE FUNCTION public.session_phrase(words text, goes_on boolean)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
        SELECT (phrase::text || CASE WHEN goes_on AND numnode(phrase) > 0 THEN ':*' ELSE '' END)::tsquery
        FROM phraseto_tsquery('pg_catalog.simple', regexp_replace(words, '[^[:alnum:]]+', ' ', 'g')) AS phrase
      $function$;

CREATE OR REPLACE FUNCTION public.session_words(input text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
        SELECT to_tsvector('pg_catalog.simple', regexp_replace(input, '[^[:alnum:]]+', ' ', 'g'))
      $function$;

CREATE OR REPLACE FUNCTION public.tell_gateways()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      DECLARE changed jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ':' || (changed ->> TG_ARGV[0]));
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.tell_gateways_of_table()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ':');
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.tell_of_past()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ' past:' || NEW.org_id);
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.tell_of_past_reviews()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        PERFORM pg_notify('gateway_changes', 'reviews past:' || org_id || ' ' || floor(extract(epoch FROM oldest) * 1000)::bigint)
          FROM (SELECT org_id, min(session_start) AS oldest FROM changed
                WHERE session_id IS NOT NULL AND session_start < clock_timestamp() - interval '1 minute' GROUP BY org_id) AS told;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.tell_of_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    DECLARE
      facts jsonb;
    BEGIN
      IF NOT EXISTS (SELECT FROM export_cursors) AND NOT EXISTS (SELECT FROM webhooks WHERE org_id = NEW.org_id AND enabled
  AND events && ARRAY['session.started', 'session.blocked', 'session.ended']) THEN
        RETURN NULL;
      END IF;
      facts := jsonb_build_object(
        'session_id', NEW.id,
        'connection', jsonb_build_object('id', NEW.connection_id, 'name', NEW.connection_name,
          'subtype', NEW.connection_subtype),
        'user', jsonb_build_object('id', NEW.user_subject, 'email', NEW.user_email, 'name', NEW.user_name,
          'identity_type', NEW.identity_type),
        'verb', NEW.verb,
        'credential_id', NEW.credential_id,
        'correlation_id', NEW.correlation_id,
        'reason', NEW.reason,
        'started_at', event_time(NEW.start_date));
      IF TG_OP = 'INSERT' THEN
        PERFORM leave_event(NEW.org_id, 'session.started', NEW.id, facts);
        RETURN NULL;
      END IF;
      -- What blocked a session comes before its end.
      IF NEW.guardrails_blocked > OLD.guardrails_blocked THEN
        PERFORM leave_event(NEW.org_id, 'session.blocked', NEW.id, facts || jsonb_build_object(
          'blocked', NEW.guardrails_blocked - OLD.guardrails_blocked,
          'rules', rules_that_hit(NEW.guardrails_info, jsonb_array_length(OLD.guardrails_info))));
      END IF;
      IF NEW.status = 'done' AND OLD.status <> 'done' THEN
        PERFORM leave_event(NEW.org_id, 'session.ended', NEW.id, facts || jsonb_build_object(
          'ended_at', event_time(NEW.end_date),
          'exit_code', NEW.exit_code,
          'guardrails', jsonb_build_object('checked', NEW.guardrails_checked, 'blocked', NEW.guardrails_blocked)));
      END IF;
      RETURN NULL;
    END $function$;

CREATE OR REPLACE FUNCTION public.visible_names(names text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
        SELECT coalesce(array_agg(btrim(normalize(
          regexp_replace(
            regexp_replace(normalize(name, NFC), '[\t\n\v\f\r\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]', ' ', 'g'),
            '[\u0001-\u001F\u007F-\u009F\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFFA0\uFFF0-\uFFFB\uE000-\uF8FF\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF\U000F0000-\U0010FFFD]', '', 'g'), NFC))), '{}')
        FROM unnest(names) AS name
      $function$;
