from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.session_view_identity_type import SessionViewIdentityType
from ..models.session_view_status import SessionViewStatus
from ..models.session_view_verb import SessionViewVerb
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.ai_analysis_view_type_0 import AiAnalysisViewType0
    from ..models.guardrail_info_view import GuardrailInfoView
    from ..models.hold_view_type_0 import HoldViewType0
    from ..models.review_view_type_0 import ReviewViewType0
    from ..models.script_view_type_0 import ScriptViewType0
    from ..models.session_metrics_view import SessionMetricsView
    from ..models.session_view_connection_tags import SessionViewConnectionTags
    from ..models.session_view_integrations_metadata import (
        SessionViewIntegrationsMetadata,
    )
    from ..models.session_view_labels import SessionViewLabels
    from ..models.session_view_metadata import SessionViewMetadata


T = TypeVar("T", bound="SessionView")


@_attrs_define
class SessionView:
    """
    Attributes:
        id (UUID):
        org_id (UUID):
        status (SessionViewStatus):
        verb (SessionViewVerb):
        type_ (str): Connection type of the session. Example: database.
        connection (str): Connection name; use `role_name`.
        role_name (str): Role name; same as the connection name. Example: pg-prod.
        resource_name (str): Resource name associated with the connection.
        connection_subtype (str): Subtype of the connection. Example: postgres.
        connection_tags (SessionViewConnectionTags):
        user (str): User e-mail of the session. Example: admin@example.com.
        user_id (str): Subject identifier of the user.
        user_name (str): Display name of the user.
        identity_type (SessionViewIdentityType):
        credential_id (None | UUID): The issued credential that the session came with; null: none.
        start_date (datetime.datetime): When the execution started.
        end_date (datetime.datetime | None): null while the session is running.
        exit_code (int | None): 0 clean, 254 blocked or internal, else the target’s own.
        script_size (int): Input size in bytes.
        event_size (int): Stored size in bytes; the parsed size when a parse was asked for.
        event_stream (list[Any]): What was recorded; empty unless expanded. Each element is an array `[<milliseconds
            since start>, "i"|"o"|"e", <base64>]`; with `event_stream=raw-queries` there is one for each client message,
            with the SQL text of the message in base64. With `event_stream=utf8` or `base64` there is one element, a string:
            the joined content.
        session_batch_id (None | str): Groups sessions executed simultaneously.
        correlation_id (None | str):
        reason (None | str): Reason for the session, in the words of the requester; null where none was given.
        recording_purged_at (datetime.datetime | None): When the recording was removed, with the input and what rules
            found in it, because its retention had ended; null: it is there.
        guardrails_info (list[GuardrailInfoView]):
        integrations_metadata (SessionViewIntegrationsMetadata):
        labels (SessionViewLabels): Use `metrics` and `metadata`.
        metadata (SessionViewMetadata):
        metrics (SessionMetricsView):
        script (None | ScriptViewType0 | Unset):
        ai_analysis (AiAnalysisViewType0 | None | Unset):
        review (None | ReviewViewType0 | Unset):
        hold (HoldViewType0 | None | Unset):
    """

    id: UUID
    org_id: UUID
    status: SessionViewStatus
    verb: SessionViewVerb
    type_: str
    connection: str
    role_name: str
    resource_name: str
    connection_subtype: str
    connection_tags: SessionViewConnectionTags
    user: str
    user_id: str
    user_name: str
    identity_type: SessionViewIdentityType
    credential_id: None | UUID
    start_date: datetime.datetime
    end_date: datetime.datetime | None
    exit_code: int | None
    script_size: int
    event_size: int
    event_stream: list[Any]
    session_batch_id: None | str
    correlation_id: None | str
    reason: None | str
    recording_purged_at: datetime.datetime | None
    guardrails_info: list[GuardrailInfoView]
    integrations_metadata: SessionViewIntegrationsMetadata
    labels: SessionViewLabels
    metadata: SessionViewMetadata
    metrics: SessionMetricsView
    script: None | ScriptViewType0 | Unset = UNSET
    ai_analysis: AiAnalysisViewType0 | None | Unset = UNSET
    review: None | ReviewViewType0 | Unset = UNSET
    hold: HoldViewType0 | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.ai_analysis_view_type_0 import AiAnalysisViewType0
        from ..models.hold_view_type_0 import HoldViewType0
        from ..models.review_view_type_0 import ReviewViewType0
        from ..models.script_view_type_0 import ScriptViewType0

        id = str(self.id)

        org_id = str(self.org_id)

        status = self.status.value

        verb = self.verb.value

        type_ = self.type_

        connection = self.connection

        role_name = self.role_name

        resource_name = self.resource_name

        connection_subtype = self.connection_subtype

        connection_tags = self.connection_tags.to_dict()

        user = self.user

        user_id = self.user_id

        user_name = self.user_name

        identity_type = self.identity_type.value

        credential_id: None | str
        if isinstance(self.credential_id, UUID):
            credential_id = str(self.credential_id)
        else:
            credential_id = self.credential_id

        start_date = self.start_date.isoformat()

        end_date: None | str
        if isinstance(self.end_date, datetime.datetime):
            end_date = self.end_date.isoformat()
        else:
            end_date = self.end_date

        exit_code: int | None
        exit_code = self.exit_code

        script_size = self.script_size

        event_size = self.event_size

        event_stream = self.event_stream

        session_batch_id: None | str
        session_batch_id = self.session_batch_id

        correlation_id: None | str
        correlation_id = self.correlation_id

        reason: None | str
        reason = self.reason

        recording_purged_at: None | str
        if isinstance(self.recording_purged_at, datetime.datetime):
            recording_purged_at = self.recording_purged_at.isoformat()
        else:
            recording_purged_at = self.recording_purged_at

        guardrails_info = []
        for guardrails_info_item_data in self.guardrails_info:
            guardrails_info_item = guardrails_info_item_data.to_dict()
            guardrails_info.append(guardrails_info_item)

        integrations_metadata = self.integrations_metadata.to_dict()

        labels = self.labels.to_dict()

        metadata = self.metadata.to_dict()

        metrics = self.metrics.to_dict()

        script: dict[str, Any] | None | Unset
        if isinstance(self.script, Unset):
            script = UNSET
        elif isinstance(self.script, ScriptViewType0):
            script = self.script.to_dict()
        else:
            script = self.script

        ai_analysis: dict[str, Any] | None | Unset
        if isinstance(self.ai_analysis, Unset):
            ai_analysis = UNSET
        elif isinstance(self.ai_analysis, AiAnalysisViewType0):
            ai_analysis = self.ai_analysis.to_dict()
        else:
            ai_analysis = self.ai_analysis

        review: dict[str, Any] | None | Unset
        if isinstance(self.review, Unset):
            review = UNSET
        elif isinstance(self.review, ReviewViewType0):
            review = self.review.to_dict()
        else:
            review = self.review

        hold: dict[str, Any] | None | Unset
        if isinstance(self.hold, Unset):
            hold = UNSET
        elif isinstance(self.hold, HoldViewType0):
            hold = self.hold.to_dict()
        else:
            hold = self.hold

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "org_id": org_id,
                "status": status,
                "verb": verb,
                "type": type_,
                "connection": connection,
                "role_name": role_name,
                "resource_name": resource_name,
                "connection_subtype": connection_subtype,
                "connection_tags": connection_tags,
                "user": user,
                "user_id": user_id,
                "user_name": user_name,
                "identity_type": identity_type,
                "credential_id": credential_id,
                "start_date": start_date,
                "end_date": end_date,
                "exit_code": exit_code,
                "script_size": script_size,
                "event_size": event_size,
                "event_stream": event_stream,
                "session_batch_id": session_batch_id,
                "correlation_id": correlation_id,
                "reason": reason,
                "recording_purged_at": recording_purged_at,
                "guardrails_info": guardrails_info,
                "integrations_metadata": integrations_metadata,
                "labels": labels,
                "metadata": metadata,
                "metrics": metrics,
            }
        )
        if script is not UNSET:
            field_dict["script"] = script
        if ai_analysis is not UNSET:
            field_dict["ai_analysis"] = ai_analysis
        if review is not UNSET:
            field_dict["review"] = review
        if hold is not UNSET:
            field_dict["hold"] = hold

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ai_analysis_view_type_0 import AiAnalysisViewType0
        from ..models.guardrail_info_view import GuardrailInfoView
        from ..models.hold_view_type_0 import HoldViewType0
        from ..models.review_view_type_0 import ReviewViewType0
        from ..models.script_view_type_0 import ScriptViewType0
        from ..models.session_metrics_view import SessionMetricsView
        from ..models.session_view_connection_tags import SessionViewConnectionTags
        from ..models.session_view_integrations_metadata import (
            SessionViewIntegrationsMetadata,
        )
        from ..models.session_view_labels import SessionViewLabels
        from ..models.session_view_metadata import SessionViewMetadata

        d = dict(src_dict)
        id = UUID(d.pop("id"))

        org_id = UUID(d.pop("org_id"))

        status = SessionViewStatus(d.pop("status"))

        verb = SessionViewVerb(d.pop("verb"))

        type_ = d.pop("type")

        connection = d.pop("connection")

        role_name = d.pop("role_name")

        resource_name = d.pop("resource_name")

        connection_subtype = d.pop("connection_subtype")

        connection_tags = SessionViewConnectionTags.from_dict(d.pop("connection_tags"))

        user = d.pop("user")

        user_id = d.pop("user_id")

        user_name = d.pop("user_name")

        identity_type = SessionViewIdentityType(d.pop("identity_type"))

        def _parse_credential_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                credential_id_type_0 = UUID(data)

                return credential_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        credential_id = _parse_credential_id(d.pop("credential_id"))

        start_date = datetime.datetime.fromisoformat(d.pop("start_date"))

        def _parse_end_date(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_date_type_0 = datetime.datetime.fromisoformat(data)

                return end_date_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        end_date = _parse_end_date(d.pop("end_date"))

        def _parse_exit_code(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        exit_code = _parse_exit_code(d.pop("exit_code"))

        script_size = d.pop("script_size")

        event_size = d.pop("event_size")

        event_stream = cast(list[Any], d.pop("event_stream"))

        def _parse_session_batch_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        session_batch_id = _parse_session_batch_id(d.pop("session_batch_id"))

        def _parse_correlation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        correlation_id = _parse_correlation_id(d.pop("correlation_id"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_recording_purged_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                recording_purged_at_type_0 = datetime.datetime.fromisoformat(data)

                return recording_purged_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        recording_purged_at = _parse_recording_purged_at(d.pop("recording_purged_at"))

        guardrails_info = []
        _guardrails_info = d.pop("guardrails_info")
        for guardrails_info_item_data in _guardrails_info:
            guardrails_info_item = GuardrailInfoView.from_dict(guardrails_info_item_data)

            guardrails_info.append(guardrails_info_item)

        integrations_metadata = SessionViewIntegrationsMetadata.from_dict(d.pop("integrations_metadata"))

        labels = SessionViewLabels.from_dict(d.pop("labels"))

        metadata = SessionViewMetadata.from_dict(d.pop("metadata"))

        metrics = SessionMetricsView.from_dict(d.pop("metrics"))

        def _parse_script(data: object) -> None | ScriptViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_script_view_type_0 = ScriptViewType0.from_dict(data)

                return componentsschemas_script_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ScriptViewType0 | Unset, data)

        script = _parse_script(d.pop("script", UNSET))

        def _parse_ai_analysis(data: object) -> AiAnalysisViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_ai_analysis_view_type_0 = AiAnalysisViewType0.from_dict(data)

                return componentsschemas_ai_analysis_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AiAnalysisViewType0 | None | Unset, data)

        ai_analysis = _parse_ai_analysis(d.pop("ai_analysis", UNSET))

        def _parse_review(data: object) -> None | ReviewViewType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_review_view_type_0 = ReviewViewType0.from_dict(data)

                return componentsschemas_review_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ReviewViewType0 | Unset, data)

        review = _parse_review(d.pop("review", UNSET))

        def _parse_hold(data: object) -> HoldViewType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_hold_view_type_0 = HoldViewType0.from_dict(data)

                return componentsschemas_hold_view_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(HoldViewType0 | None | Unset, data)

        hold = _parse_hold(d.pop("hold", UNSET))

        session_view = cls(
            id=id,
            org_id=org_id,
            status=status,
            verb=verb,
            type_=type_,
            connection=connection,
            role_name=role_name,
            resource_name=resource_name,
            connection_subtype=connection_subtype,
            connection_tags=connection_tags,
            user=user,
            user_id=user_id,
            user_name=user_name,
            identity_type=identity_type,
            credential_id=credential_id,
            start_date=start_date,
            end_date=end_date,
            exit_code=exit_code,
            script_size=script_size,
            event_size=event_size,
            event_stream=event_stream,
            session_batch_id=session_batch_id,
            correlation_id=correlation_id,
            reason=reason,
            recording_purged_at=recording_purged_at,
            guardrails_info=guardrails_info,
            integrations_metadata=integrations_metadata,
            labels=labels,
            metadata=metadata,
            metrics=metrics,
            script=script,
            ai_analysis=ai_analysis,
            review=review,
            hold=hold,
        )

        session_view.additional_properties = d
        return session_view

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
