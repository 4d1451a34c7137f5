"""Contains all the data models used in inputs/outputs"""

from .access_rule_body import AccessRuleBody
from .access_rule_body_access_type import AccessRuleBodyAccessType
from .access_rule_page import AccessRulePage
from .access_rule_view import AccessRuleView
from .access_rule_view_access_type import AccessRuleViewAccessType
from .ai_analysis_view_type_0 import AiAnalysisViewType0
from .ai_analysis_view_type_0_action import AiAnalysisViewType0Action
from .ai_analysis_view_type_0_risk_level import AiAnalysisViewType0RiskLevel
from .api_key_body import ApiKeyBody
from .api_key_page import ApiKeyPage
from .api_key_view import ApiKeyView
from .api_key_view_status import ApiKeyViewStatus
from .applied_access_rule_view import AppliedAccessRuleView
from .applied_access_rule_view_access_type import AppliedAccessRuleViewAccessType
from .applied_guardrail_view import AppliedGuardrailView
from .approved_exec_body import ApprovedExecBody
from .approved_exec_body_env_vars import ApprovedExecBodyEnvVars
from .attribute_body import AttributeBody
from .attribute_change_body import AttributeChangeBody
from .attribute_page import AttributePage
from .attribute_view import AttributeView
from .audit_actor_view import AuditActorView
from .audit_actor_view_type import AuditActorViewType
from .audit_line_view import AuditLineView
from .audit_line_view_action import AuditLineViewAction
from .audit_line_view_outcome import AuditLineViewOutcome
from .audit_page import AuditPage
from .audit_verification_view import AuditVerificationView
from .catalog_entry_view import CatalogEntryView
from .catalog_entry_view_auth import CatalogEntryViewAuth
from .catalog_entry_view_auth_modes_item import CatalogEntryViewAuthModesItem
from .catalog_entry_view_transport import CatalogEntryViewTransport
from .checked_access_rule_view import CheckedAccessRuleView
from .checked_access_rule_view_access_type import CheckedAccessRuleViewAccessType
from .checked_connection_view import CheckedConnectionView
from .checked_connection_view_access_mode_connect import (
    CheckedConnectionViewAccessModeConnect,
)
from .checked_connection_view_access_mode_exec import (
    CheckedConnectionViewAccessModeExec,
)
from .checked_connection_view_access_mode_runbooks import (
    CheckedConnectionViewAccessModeRunbooks,
)
from .checked_connection_view_access_schema import CheckedConnectionViewAccessSchema
from .checked_connection_view_connection_tags import CheckedConnectionViewConnectionTags
from .checked_connection_view_recording import CheckedConnectionViewRecording
from .checked_connection_view_recording_mode_type_1 import (
    CheckedConnectionViewRecordingModeType1,
)
from .checked_connection_view_recording_mode_type_2_type_1 import (
    CheckedConnectionViewRecordingModeType2Type1,
)
from .checked_connection_view_recording_mode_type_3_type_1 import (
    CheckedConnectionViewRecordingModeType3Type1,
)
from .checked_connection_view_secret import CheckedConnectionViewSecret
from .checked_connection_view_status import CheckedConnectionViewStatus
from .checked_connection_view_subtype import CheckedConnectionViewSubtype
from .checked_connection_view_type import CheckedConnectionViewType
from .checked_guardrail_view import CheckedGuardrailView
from .checked_guardrail_view_sidecar_spec import CheckedGuardrailViewSidecarSpec
from .checked_organization_view import CheckedOrganizationView
from .client_endpoint_view_type_0 import ClientEndpointViewType0
from .connection_body import ConnectionBody
from .connection_body_access_mode_connect import ConnectionBodyAccessModeConnect
from .connection_body_access_mode_exec import ConnectionBodyAccessModeExec
from .connection_body_access_mode_runbooks import ConnectionBodyAccessModeRunbooks
from .connection_body_access_schema import ConnectionBodyAccessSchema
from .connection_body_connection_tags import ConnectionBodyConnectionTags
from .connection_body_recording import ConnectionBodyRecording
from .connection_body_recording_mode_type_1 import ConnectionBodyRecordingModeType1
from .connection_body_recording_mode_type_2_type_1 import (
    ConnectionBodyRecordingModeType2Type1,
)
from .connection_body_recording_mode_type_3_type_1 import (
    ConnectionBodyRecordingModeType3Type1,
)
from .connection_body_secret import ConnectionBodySecret
from .connection_body_subtype import ConnectionBodySubtype
from .connection_body_type import ConnectionBodyType
from .connection_credentials_view_type_0 import ConnectionCredentialsViewType0
from .connection_kind_list import ConnectionKindList
from .connection_kind_view import ConnectionKindView
from .connection_kind_view_subtype import ConnectionKindViewSubtype
from .connection_kind_view_type import ConnectionKindViewType
from .connection_page import ConnectionPage
from .connection_patch_body import ConnectionPatchBody
from .connection_patch_body_access_mode_connect import (
    ConnectionPatchBodyAccessModeConnect,
)
from .connection_patch_body_access_mode_exec import ConnectionPatchBodyAccessModeExec
from .connection_patch_body_access_mode_runbooks import (
    ConnectionPatchBodyAccessModeRunbooks,
)
from .connection_patch_body_access_schema import ConnectionPatchBodyAccessSchema
from .connection_patch_body_connection_tags import ConnectionPatchBodyConnectionTags
from .connection_patch_body_recording import ConnectionPatchBodyRecording
from .connection_patch_body_recording_mode_type_1 import (
    ConnectionPatchBodyRecordingModeType1,
)
from .connection_patch_body_recording_mode_type_2_type_1 import (
    ConnectionPatchBodyRecordingModeType2Type1,
)
from .connection_patch_body_recording_mode_type_3_type_1 import (
    ConnectionPatchBodyRecordingModeType3Type1,
)
from .connection_patch_body_secret import ConnectionPatchBodySecret
from .connection_patch_body_subtype import ConnectionPatchBodySubtype
from .connection_patch_body_type import ConnectionPatchBodyType
from .connection_view import ConnectionView
from .connection_view_access_mode_connect import ConnectionViewAccessModeConnect
from .connection_view_access_mode_exec import ConnectionViewAccessModeExec
from .connection_view_access_mode_runbooks import ConnectionViewAccessModeRunbooks
from .connection_view_access_schema import ConnectionViewAccessSchema
from .connection_view_connection_tags import ConnectionViewConnectionTags
from .connection_view_recording import ConnectionViewRecording
from .connection_view_recording_mode_type_1 import ConnectionViewRecordingModeType1
from .connection_view_recording_mode_type_2_type_1 import (
    ConnectionViewRecordingModeType2Type1,
)
from .connection_view_recording_mode_type_3_type_1 import (
    ConnectionViewRecordingModeType3Type1,
)
from .connection_view_secret import ConnectionViewSecret
from .connection_view_status import ConnectionViewStatus
from .connection_view_subtype import ConnectionViewSubtype
from .connection_view_type import ConnectionViewType
from .created_api_key_view import CreatedApiKeyView
from .created_api_key_view_status import CreatedApiKeyViewStatus
from .created_scim_token_view import CreatedScimTokenView
from .created_scim_token_view_status import CreatedScimTokenViewStatus
from .created_webhook_view import CreatedWebhookView
from .created_webhook_view_events_item import CreatedWebhookViewEventsItem
from .created_webhook_view_format import CreatedWebhookViewFormat
from .credential_body import CredentialBody
from .credential_page import CredentialPage
from .credential_view import CredentialView
from .credential_view_status import CredentialViewStatus
from .data_masking_view import DataMaskingView
from .data_masking_view_info_types import DataMaskingViewInfoTypes
from .delivery_page import DeliveryPage
from .delivery_view import DeliveryView
from .delivery_view_state import DeliveryViewState
from .download_link_body import DownloadLinkBody
from .download_link_body_event_time import DownloadLinkBodyEventTime
from .download_link_body_events_item import DownloadLinkBodyEventsItem
from .download_link_body_new_line import DownloadLinkBodyNewLine
from .download_link_view import DownloadLinkView
from .dry_run_body import DryRunBody
from .dry_run_body_direction import DryRunBodyDirection
from .dry_run_body_language import DryRunBodyLanguage
from .dry_run_hit_view import DryRunHitView
from .dry_run_hit_view_action import DryRunHitViewAction
from .dry_run_view import DryRunView
from .dry_run_view_verdict import DryRunViewVerdict
from .effective_policy_view import EffectivePolicyView
from .effective_policy_view_outcome import EffectivePolicyViewOutcome
from .emergency_body import EmergencyBody
from .error_body import ErrorBody
from .evidence_key_view import EvidenceKeyView
from .evidence_key_view_alg import EvidenceKeyViewAlg
from .evidence_key_view_crv import EvidenceKeyViewCrv
from .evidence_key_view_kty import EvidenceKeyViewKty
from .evidence_key_view_use import EvidenceKeyViewUse
from .evidence_keys_view import EvidenceKeysView
from .exec_body import ExecBody
from .exec_body_env_vars import ExecBodyEnvVars
from .exec_body_labels import ExecBodyLabels
from .exec_body_metadata import ExecBodyMetadata
from .exec_view import ExecView
from .exec_view_output_status import ExecViewOutputStatus
from .features_body import FeaturesBody
from .features_view import FeaturesView
from .field_change_view import FieldChangeView
from .get_effective_policy_verb import GetEffectivePolicyVerb
from .get_session_event_stream import GetSessionEventStream
from .get_session_event_time import GetSessionEventTime
from .get_session_events_item import GetSessionEventsItem
from .get_session_expand_item import GetSessionExpandItem
from .get_session_new_line import GetSessionNewLine
from .group_body import GroupBody
from .group_page import GroupPage
from .group_view import GroupView
from .guardrail_body import GuardrailBody
from .guardrail_info_view import GuardrailInfoView
from .guardrail_info_view_direction import GuardrailInfoViewDirection
from .guardrail_info_view_rule import GuardrailInfoViewRule
from .guardrail_metrics_view import GuardrailMetricsView
from .guardrail_page import GuardrailPage
from .guardrail_stats_view import GuardrailStatsView
from .guardrail_view import GuardrailView
from .guardrail_view_sidecar_spec import GuardrailViewSidecarSpec
from .health_view import HealthView
from .health_view_status import HealthViewStatus
from .hold_view_type_0 import HoldViewType0
from .issued_credential_view import IssuedCredentialView
from .ledger_fault_view import LedgerFaultView
from .ledger_verification_view import LedgerVerificationView
from .ledger_verification_view_status import LedgerVerificationViewStatus
from .list_audit_logs_action import ListAuditLogsAction
from .list_audit_logs_outcome import ListAuditLogsOutcome
from .list_reviews_after_review import ListReviewsAfterReview
from .list_reviews_mine import ListReviewsMine
from .list_reviews_order import ListReviewsOrder
from .list_reviews_status import ListReviewsStatus
from .list_sessions_count import ListSessionsCount
from .list_sessions_review_after_review import ListSessionsReviewAfterReview
from .list_sessions_review_status import ListSessionsReviewStatus
from .list_sessions_status import ListSessionsStatus
from .list_sessions_verb import ListSessionsVerb
from .list_webhook_deliveries_state import ListWebhookDeliveriesState
from .login_portal import LoginPortal
from .login_view import LoginView
from .match_view import MatchView
from .mcp_auth_view_type_0 import McpAuthViewType0
from .mcp_auth_view_type_0_status import McpAuthViewType0Status
from .mcp_authorization_page import McpAuthorizationPage
from .mcp_authorization_view import McpAuthorizationView
from .mcp_connect_view import McpConnectView
from .mcp_connect_view_subject import McpConnectViewSubject
from .mcp_policy_body_type_0 import McpPolicyBodyType0
from .mcp_policy_body_type_0_new_tools import McpPolicyBodyType0NewTools
from .mcp_policy_body_type_0_server_requests_item import (
    McpPolicyBodyType0ServerRequestsItem,
)
from .mcp_policy_view_type_0 import McpPolicyViewType0
from .mcp_policy_view_type_0_new_tools import McpPolicyViewType0NewTools
from .mcp_policy_view_type_0_server_requests_item import (
    McpPolicyViewType0ServerRequestsItem,
)
from .mcp_tool_difference_view import McpToolDifferenceView
from .mcp_tool_page import McpToolPage
from .mcp_tool_view import McpToolView
from .mcp_tool_view_status import McpToolViewStatus
from .missing_approval_view import MissingApprovalView
from .name_patterns_body import NamePatternsBody
from .name_patterns_view import NamePatternsView
from .organization_body import OrganizationBody
from .organization_view import OrganizationView
from .origin_view import OriginView
from .origin_view_by import OriginViewBy
from .page_info import PageInfo
from .public_server_info_view import PublicServerInfoView
from .public_server_info_view_auth_method import PublicServerInfoViewAuthMethod
from .reach_view import ReachView
from .readiness_view import ReadinessView
from .readiness_view_status import ReadinessViewStatus
from .reason_view import ReasonView
from .reason_view_code import ReasonViewCode
from .recording_fault_view import RecordingFaultView
from .replay_view import ReplayView
from .request_view import RequestView
from .request_view_after_review_type_1 import RequestViewAfterReviewType1
from .request_view_after_review_type_2_type_1 import RequestViewAfterReviewType2Type1
from .request_view_after_review_type_3_type_1 import RequestViewAfterReviewType3Type1
from .request_view_status import RequestViewStatus
from .request_view_type import RequestViewType
from .retention_run_view import RetentionRunView
from .retention_run_view_outcome import RetentionRunViewOutcome
from .retention_view import RetentionView
from .review_body import ReviewBody
from .review_body_status import ReviewBodyStatus
from .review_context_view import ReviewContextView
from .review_group_view import ReviewGroupView
from .review_group_view_status import ReviewGroupViewStatus
from .review_page import ReviewPage
from .review_view_type_0 import ReviewViewType0
from .review_view_type_0_after_review_type_1 import ReviewViewType0AfterReviewType1
from .review_view_type_0_after_review_type_2_type_1 import (
    ReviewViewType0AfterReviewType2Type1,
)
from .review_view_type_0_after_review_type_3_type_1 import (
    ReviewViewType0AfterReviewType3Type1,
)
from .review_view_type_0_status import ReviewViewType0Status
from .review_view_type_0_type import ReviewViewType0Type
from .reviewed_call_view_type_0 import ReviewedCallViewType0
from .reviewed_connection_view import ReviewedConnectionView
from .reviewed_script_view_type_0 import ReviewedScriptViewType0
from .reviewed_session_view import ReviewedSessionView
from .reviewed_session_view_status import ReviewedSessionViewStatus
from .reviewed_session_view_verb import ReviewedSessionViewVerb
from .reviewed_statement_view import ReviewedStatementView
from .reviewed_table_view import ReviewedTableView
from .reviewer_view import ReviewerView
from .reviewer_view_or_null_type_0 import ReviewerViewOrNullType0
from .rule_entry_body import RuleEntryBody
from .rule_entry_body_action import RuleEntryBodyAction
from .rule_entry_body_detectors_item import RuleEntryBodyDetectorsItem
from .rule_entry_body_file_operations_item import RuleEntryBodyFileOperationsItem
from .rule_entry_body_hidden_commands import RuleEntryBodyHiddenCommands
from .rule_entry_body_kinds_item import RuleEntryBodyKindsItem
from .rule_entry_body_type import RuleEntryBodyType
from .rule_entry_body_unparseable import RuleEntryBodyUnparseable
from .rule_entry_view import RuleEntryView
from .rule_entry_view_action import RuleEntryViewAction
from .rule_entry_view_detectors_item import RuleEntryViewDetectorsItem
from .rule_entry_view_file_operations_item import RuleEntryViewFileOperationsItem
from .rule_entry_view_hidden_commands import RuleEntryViewHiddenCommands
from .rule_entry_view_kinds_item import RuleEntryViewKindsItem
from .rule_entry_view_type import RuleEntryViewType
from .rule_entry_view_unparseable import RuleEntryViewUnparseable
from .rule_set_body import RuleSetBody
from .rule_set_view import RuleSetView
from .schema_tables_view import SchemaTablesView
from .scim_token_body import ScimTokenBody
from .scim_token_page import ScimTokenPage
from .scim_token_view import ScimTokenView
from .scim_token_view_status import ScimTokenViewStatus
from .script_check_body import ScriptCheckBody
from .script_check_view import ScriptCheckView
from .script_check_view_verdict import ScriptCheckViewVerdict
from .script_finding_view import ScriptFindingView
from .script_result_view import ScriptResultView
from .script_result_view_kind import ScriptResultViewKind
from .script_view_type_0 import ScriptViewType0
from .secret_condition_view_type_0 import SecretConditionViewType0
from .secret_field_view import SecretFieldView
from .server_info_view import ServerInfoView
from .server_info_view_auth_method import ServerInfoViewAuthMethod
from .session_call_page import SessionCallPage
from .session_call_view import SessionCallView
from .session_call_view_verdict import SessionCallViewVerdict
from .session_entry_view import SessionEntryView
from .session_entry_view_kind import SessionEntryViewKind
from .session_hold_body import SessionHoldBody
from .session_metadata_body import SessionMetadataBody
from .session_metadata_body_metadata import SessionMetadataBodyMetadata
from .session_metrics_view import SessionMetricsView
from .session_page import SessionPage
from .session_verification_view import SessionVerificationView
from .session_verification_view_status import SessionVerificationViewStatus
from .session_view import SessionView
from .session_view_connection_tags import SessionViewConnectionTags
from .session_view_identity_type import SessionViewIdentityType
from .session_view_integrations_metadata import SessionViewIntegrationsMetadata
from .session_view_labels import SessionViewLabels
from .session_view_metadata import SessionViewMetadata
from .session_view_status import SessionViewStatus
from .session_view_verb import SessionViewVerb
from .sidecar_target_view import SidecarTargetView
from .sign_off_body import SignOffBody
from .sign_off_view_type_0 import SignOffViewType0
from .signer_view import SignerView
from .ssh_host_key_view import SshHostKeyView
from .ssh_host_keys_view import SshHostKeysView
from .ssh_public_key_body import SshPublicKeyBody
from .ssh_public_key_page import SshPublicKeyPage
from .ssh_public_key_view import SshPublicKeyView
from .ssh_public_key_view_status import SshPublicKeyViewStatus
from .ssh_public_key_view_type import SshPublicKeyViewType
from .table_column_view import TableColumnView
from .table_columns_view import TableColumnsView
from .table_condition_body import TableConditionBody
from .table_condition_body_access import TableConditionBodyAccess
from .table_condition_view import TableConditionView
from .table_condition_view_access import TableConditionViewAccess
from .tables_view import TablesView
from .time_window_body_type_0 import TimeWindowBodyType0
from .time_window_body_type_0_type import TimeWindowBodyType0Type
from .time_window_configuration_body import TimeWindowConfigurationBody
from .time_window_configuration_view import TimeWindowConfigurationView
from .time_window_view_type_0 import TimeWindowViewType0
from .time_window_view_type_0_type import TimeWindowViewType0Type
from .tool_patterns_body import ToolPatternsBody
from .tool_patterns_view import ToolPatternsView
from .user_body import UserBody
from .user_body_status import UserBodyStatus
from .user_change_body import UserChangeBody
from .user_change_body_status import UserChangeBodyStatus
from .user_info_view import UserInfoView
from .user_info_view_identity_type import UserInfoViewIdentityType
from .user_info_view_role import UserInfoViewRole
from .user_info_view_status import UserInfoViewStatus
from .user_page import UserPage
from .user_view import UserView
from .user_view_role import UserViewRole
from .user_view_status import UserViewStatus
from .webhook_change_body import WebhookChangeBody
from .webhook_change_body_events_item import WebhookChangeBodyEventsItem
from .webhook_change_body_format import WebhookChangeBodyFormat
from .webhook_creation_body import WebhookCreationBody
from .webhook_creation_body_events_item import WebhookCreationBodyEventsItem
from .webhook_creation_body_format import WebhookCreationBodyFormat
from .webhook_page import WebhookPage
from .webhook_secret_body import WebhookSecretBody
from .webhook_secret_view import WebhookSecretView
from .webhook_view import WebhookView
from .webhook_view_events_item import WebhookViewEventsItem
from .webhook_view_format import WebhookViewFormat

__all__ = (
    "AccessRuleBody",
    "AccessRuleBodyAccessType",
    "AccessRulePage",
    "AccessRuleView",
    "AccessRuleViewAccessType",
    "AiAnalysisViewType0",
    "AiAnalysisViewType0Action",
    "AiAnalysisViewType0RiskLevel",
    "ApiKeyBody",
    "ApiKeyPage",
    "ApiKeyView",
    "ApiKeyViewStatus",
    "AppliedAccessRuleView",
    "AppliedAccessRuleViewAccessType",
    "AppliedGuardrailView",
    "ApprovedExecBody",
    "ApprovedExecBodyEnvVars",
    "AttributeBody",
    "AttributeChangeBody",
    "AttributePage",
    "AttributeView",
    "AuditActorView",
    "AuditActorViewType",
    "AuditLineView",
    "AuditLineViewAction",
    "AuditLineViewOutcome",
    "AuditPage",
    "AuditVerificationView",
    "CatalogEntryView",
    "CatalogEntryViewAuth",
    "CatalogEntryViewAuthModesItem",
    "CatalogEntryViewTransport",
    "CheckedAccessRuleView",
    "CheckedAccessRuleViewAccessType",
    "CheckedConnectionView",
    "CheckedConnectionViewAccessModeConnect",
    "CheckedConnectionViewAccessModeExec",
    "CheckedConnectionViewAccessModeRunbooks",
    "CheckedConnectionViewAccessSchema",
    "CheckedConnectionViewConnectionTags",
    "CheckedConnectionViewRecording",
    "CheckedConnectionViewRecordingModeType1",
    "CheckedConnectionViewRecordingModeType2Type1",
    "CheckedConnectionViewRecordingModeType3Type1",
    "CheckedConnectionViewSecret",
    "CheckedConnectionViewStatus",
    "CheckedConnectionViewSubtype",
    "CheckedConnectionViewType",
    "CheckedGuardrailView",
    "CheckedGuardrailViewSidecarSpec",
    "CheckedOrganizationView",
    "ClientEndpointViewType0",
    "ConnectionBody",
    "ConnectionBodyAccessModeConnect",
    "ConnectionBodyAccessModeExec",
    "ConnectionBodyAccessModeRunbooks",
    "ConnectionBodyAccessSchema",
    "ConnectionBodyConnectionTags",
    "ConnectionBodyRecording",
    "ConnectionBodyRecordingModeType1",
    "ConnectionBodyRecordingModeType2Type1",
    "ConnectionBodyRecordingModeType3Type1",
    "ConnectionBodySecret",
    "ConnectionBodySubtype",
    "ConnectionBodyType",
    "ConnectionCredentialsViewType0",
    "ConnectionKindList",
    "ConnectionKindView",
    "ConnectionKindViewSubtype",
    "ConnectionKindViewType",
    "ConnectionPage",
    "ConnectionPatchBody",
    "ConnectionPatchBodyAccessModeConnect",
    "ConnectionPatchBodyAccessModeExec",
    "ConnectionPatchBodyAccessModeRunbooks",
    "ConnectionPatchBodyAccessSchema",
    "ConnectionPatchBodyConnectionTags",
    "ConnectionPatchBodyRecording",
    "ConnectionPatchBodyRecordingModeType1",
    "ConnectionPatchBodyRecordingModeType2Type1",
    "ConnectionPatchBodyRecordingModeType3Type1",
    "ConnectionPatchBodySecret",
    "ConnectionPatchBodySubtype",
    "ConnectionPatchBodyType",
    "ConnectionView",
    "ConnectionViewAccessModeConnect",
    "ConnectionViewAccessModeExec",
    "ConnectionViewAccessModeRunbooks",
    "ConnectionViewAccessSchema",
    "ConnectionViewConnectionTags",
    "ConnectionViewRecording",
    "ConnectionViewRecordingModeType1",
    "ConnectionViewRecordingModeType2Type1",
    "ConnectionViewRecordingModeType3Type1",
    "ConnectionViewSecret",
    "ConnectionViewStatus",
    "ConnectionViewSubtype",
    "ConnectionViewType",
    "CreatedApiKeyView",
    "CreatedApiKeyViewStatus",
    "CreatedScimTokenView",
    "CreatedScimTokenViewStatus",
    "CreatedWebhookView",
    "CreatedWebhookViewEventsItem",
    "CreatedWebhookViewFormat",
    "CredentialBody",
    "CredentialPage",
    "CredentialView",
    "CredentialViewStatus",
    "DataMaskingView",
    "DataMaskingViewInfoTypes",
    "DeliveryPage",
    "DeliveryView",
    "DeliveryViewState",
    "DownloadLinkBody",
    "DownloadLinkBodyEventTime",
    "DownloadLinkBodyEventsItem",
    "DownloadLinkBodyNewLine",
    "DownloadLinkView",
    "DryRunBody",
    "DryRunBodyDirection",
    "DryRunBodyLanguage",
    "DryRunHitView",
    "DryRunHitViewAction",
    "DryRunView",
    "DryRunViewVerdict",
    "EffectivePolicyView",
    "EffectivePolicyViewOutcome",
    "EmergencyBody",
    "ErrorBody",
    "EvidenceKeyView",
    "EvidenceKeyViewAlg",
    "EvidenceKeyViewCrv",
    "EvidenceKeyViewKty",
    "EvidenceKeyViewUse",
    "EvidenceKeysView",
    "ExecBody",
    "ExecBodyEnvVars",
    "ExecBodyLabels",
    "ExecBodyMetadata",
    "ExecView",
    "ExecViewOutputStatus",
    "FeaturesBody",
    "FeaturesView",
    "FieldChangeView",
    "GetEffectivePolicyVerb",
    "GetSessionEventStream",
    "GetSessionEventTime",
    "GetSessionEventsItem",
    "GetSessionExpandItem",
    "GetSessionNewLine",
    "GroupBody",
    "GroupPage",
    "GroupView",
    "GuardrailBody",
    "GuardrailInfoView",
    "GuardrailInfoViewDirection",
    "GuardrailInfoViewRule",
    "GuardrailMetricsView",
    "GuardrailPage",
    "GuardrailStatsView",
    "GuardrailView",
    "GuardrailViewSidecarSpec",
    "HealthView",
    "HealthViewStatus",
    "HoldViewType0",
    "IssuedCredentialView",
    "LedgerFaultView",
    "LedgerVerificationView",
    "LedgerVerificationViewStatus",
    "ListAuditLogsAction",
    "ListAuditLogsOutcome",
    "ListReviewsAfterReview",
    "ListReviewsMine",
    "ListReviewsOrder",
    "ListReviewsStatus",
    "ListSessionsCount",
    "ListSessionsReviewAfterReview",
    "ListSessionsReviewStatus",
    "ListSessionsStatus",
    "ListSessionsVerb",
    "ListWebhookDeliveriesState",
    "LoginPortal",
    "LoginView",
    "MatchView",
    "McpAuthViewType0",
    "McpAuthViewType0Status",
    "McpAuthorizationPage",
    "McpAuthorizationView",
    "McpConnectView",
    "McpConnectViewSubject",
    "McpPolicyBodyType0",
    "McpPolicyBodyType0NewTools",
    "McpPolicyBodyType0ServerRequestsItem",
    "McpPolicyViewType0",
    "McpPolicyViewType0NewTools",
    "McpPolicyViewType0ServerRequestsItem",
    "McpToolDifferenceView",
    "McpToolPage",
    "McpToolView",
    "McpToolViewStatus",
    "MissingApprovalView",
    "NamePatternsBody",
    "NamePatternsView",
    "OrganizationBody",
    "OrganizationView",
    "OriginView",
    "OriginViewBy",
    "PageInfo",
    "PublicServerInfoView",
    "PublicServerInfoViewAuthMethod",
    "ReachView",
    "ReadinessView",
    "ReadinessViewStatus",
    "ReasonView",
    "ReasonViewCode",
    "RecordingFaultView",
    "ReplayView",
    "RequestView",
    "RequestViewAfterReviewType1",
    "RequestViewAfterReviewType2Type1",
    "RequestViewAfterReviewType3Type1",
    "RequestViewStatus",
    "RequestViewType",
    "RetentionRunView",
    "RetentionRunViewOutcome",
    "RetentionView",
    "ReviewBody",
    "ReviewBodyStatus",
    "ReviewContextView",
    "ReviewGroupView",
    "ReviewGroupViewStatus",
    "ReviewPage",
    "ReviewViewType0",
    "ReviewViewType0AfterReviewType1",
    "ReviewViewType0AfterReviewType2Type1",
    "ReviewViewType0AfterReviewType3Type1",
    "ReviewViewType0Status",
    "ReviewViewType0Type",
    "ReviewedCallViewType0",
    "ReviewedConnectionView",
    "ReviewedScriptViewType0",
    "ReviewedSessionView",
    "ReviewedSessionViewStatus",
    "ReviewedSessionViewVerb",
    "ReviewedStatementView",
    "ReviewedTableView",
    "ReviewerView",
    "ReviewerViewOrNullType0",
    "RuleEntryBody",
    "RuleEntryBodyAction",
    "RuleEntryBodyDetectorsItem",
    "RuleEntryBodyFileOperationsItem",
    "RuleEntryBodyHiddenCommands",
    "RuleEntryBodyKindsItem",
    "RuleEntryBodyType",
    "RuleEntryBodyUnparseable",
    "RuleEntryView",
    "RuleEntryViewAction",
    "RuleEntryViewDetectorsItem",
    "RuleEntryViewFileOperationsItem",
    "RuleEntryViewHiddenCommands",
    "RuleEntryViewKindsItem",
    "RuleEntryViewType",
    "RuleEntryViewUnparseable",
    "RuleSetBody",
    "RuleSetView",
    "SchemaTablesView",
    "ScimTokenBody",
    "ScimTokenPage",
    "ScimTokenView",
    "ScimTokenViewStatus",
    "ScriptCheckBody",
    "ScriptCheckView",
    "ScriptCheckViewVerdict",
    "ScriptFindingView",
    "ScriptResultView",
    "ScriptResultViewKind",
    "ScriptViewType0",
    "SecretConditionViewType0",
    "SecretFieldView",
    "ServerInfoView",
    "ServerInfoViewAuthMethod",
    "SessionCallPage",
    "SessionCallView",
    "SessionCallViewVerdict",
    "SessionEntryView",
    "SessionEntryViewKind",
    "SessionHoldBody",
    "SessionMetadataBody",
    "SessionMetadataBodyMetadata",
    "SessionMetricsView",
    "SessionPage",
    "SessionVerificationView",
    "SessionVerificationViewStatus",
    "SessionView",
    "SessionViewConnectionTags",
    "SessionViewIdentityType",
    "SessionViewIntegrationsMetadata",
    "SessionViewLabels",
    "SessionViewMetadata",
    "SessionViewStatus",
    "SessionViewVerb",
    "SidecarTargetView",
    "SignOffBody",
    "SignOffViewType0",
    "SignerView",
    "SshHostKeyView",
    "SshHostKeysView",
    "SshPublicKeyBody",
    "SshPublicKeyPage",
    "SshPublicKeyView",
    "SshPublicKeyViewStatus",
    "SshPublicKeyViewType",
    "TableColumnView",
    "TableColumnsView",
    "TableConditionBody",
    "TableConditionBodyAccess",
    "TableConditionView",
    "TableConditionViewAccess",
    "TablesView",
    "TimeWindowBodyType0",
    "TimeWindowBodyType0Type",
    "TimeWindowConfigurationBody",
    "TimeWindowConfigurationView",
    "TimeWindowViewType0",
    "TimeWindowViewType0Type",
    "ToolPatternsBody",
    "ToolPatternsView",
    "UserBody",
    "UserBodyStatus",
    "UserChangeBody",
    "UserChangeBodyStatus",
    "UserInfoView",
    "UserInfoViewIdentityType",
    "UserInfoViewRole",
    "UserInfoViewStatus",
    "UserPage",
    "UserView",
    "UserViewRole",
    "UserViewStatus",
    "WebhookChangeBody",
    "WebhookChangeBodyEventsItem",
    "WebhookChangeBodyFormat",
    "WebhookCreationBody",
    "WebhookCreationBodyEventsItem",
    "WebhookCreationBodyFormat",
    "WebhookPage",
    "WebhookSecretBody",
    "WebhookSecretView",
    "WebhookView",
    "WebhookViewEventsItem",
    "WebhookViewFormat",
)
