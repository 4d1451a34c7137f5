from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.exec_view_output_status import ExecViewOutputStatus

if TYPE_CHECKING:
    from ..models.script_result_view import ScriptResultView


T = TypeVar("T", bound="ExecView")


@_attrs_define
class ExecView:
    """
    Attributes:
        session_id (UUID):
        output (str): Output and error output, up to 1 MiB; the recording has everything.
        output_status (ExecViewOutputStatus):
        exit_code (int | None): 0 clean, 1 a statement failed, 2 the target could not be reached or was lost, 254
            blocked or internal; null while running. Of a script on a server, the exit code of the script; 128 and the
            number of the signal that ended it.
        execution_time (int): Milliseconds.
        truncated (bool): Whether `output` was truncated.
        results (list[ScriptResultView]): The same output by statement, in the order in which they ran, up to 1 MiB
            together. Messages stand where they came. Output behind 1000 results is one more, of kind `text`, and so are
            results that one mask joins.
        has_review (bool): Whether the script waits for a review.
        review_id (None | UUID): Review that the script waits for, or that approved it.
    """

    session_id: UUID
    output: str
    output_status: ExecViewOutputStatus
    exit_code: int | None
    execution_time: int
    truncated: bool
    results: list[ScriptResultView]
    has_review: bool
    review_id: None | UUID
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        session_id = str(self.session_id)

        output = self.output

        output_status = self.output_status.value

        exit_code: int | None
        exit_code = self.exit_code

        execution_time = self.execution_time

        truncated = self.truncated

        results = []
        for results_item_data in self.results:
            results_item = results_item_data.to_dict()
            results.append(results_item)

        has_review = self.has_review

        review_id: None | str
        if isinstance(self.review_id, UUID):
            review_id = str(self.review_id)
        else:
            review_id = self.review_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "session_id": session_id,
                "output": output,
                "output_status": output_status,
                "exit_code": exit_code,
                "execution_time": execution_time,
                "truncated": truncated,
                "results": results,
                "has_review": has_review,
                "review_id": review_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.script_result_view import ScriptResultView

        d = dict(src_dict)
        session_id = UUID(d.pop("session_id"))

        output = d.pop("output")

        output_status = ExecViewOutputStatus(d.pop("output_status"))

        def _parse_exit_code(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        exit_code = _parse_exit_code(d.pop("exit_code"))

        execution_time = d.pop("execution_time")

        truncated = d.pop("truncated")

        results = []
        _results = d.pop("results")
        for results_item_data in _results:
            results_item = ScriptResultView.from_dict(results_item_data)

            results.append(results_item)

        has_review = d.pop("has_review")

        def _parse_review_id(data: object) -> None | UUID:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                review_id_type_0 = UUID(data)

                return review_id_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UUID, data)

        review_id = _parse_review_id(d.pop("review_id"))

        exec_view = cls(
            session_id=session_id,
            output=output,
            output_status=output_status,
            exit_code=exit_code,
            execution_time=execution_time,
            truncated=truncated,
            results=results,
            has_review=has_review,
            review_id=review_id,
        )

        exec_view.additional_properties = d
        return exec_view

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
