from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.dry_run_view_verdict import DryRunViewVerdict
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.dry_run_hit_view import DryRunHitView
    from ..models.replay_view import ReplayView


T = TypeVar("T", bound="DryRunView")


@_attrs_define
class DryRunView:
    """
    Attributes:
        verdict (DryRunViewVerdict):
        hits (list[DryRunHitView]):
        replay (ReplayView | Unset):
    """

    verdict: DryRunViewVerdict
    hits: list[DryRunHitView]
    replay: ReplayView | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        verdict = self.verdict.value

        hits = []
        for hits_item_data in self.hits:
            hits_item = hits_item_data.to_dict()
            hits.append(hits_item)

        replay: dict[str, Any] | Unset = UNSET
        if not isinstance(self.replay, Unset):
            replay = self.replay.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "verdict": verdict,
                "hits": hits,
            }
        )
        if replay is not UNSET:
            field_dict["replay"] = replay

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.dry_run_hit_view import DryRunHitView
        from ..models.replay_view import ReplayView

        d = dict(src_dict)
        verdict = DryRunViewVerdict(d.pop("verdict"))

        hits = []
        _hits = d.pop("hits")
        for hits_item_data in _hits:
            hits_item = DryRunHitView.from_dict(hits_item_data)

            hits.append(hits_item)

        _replay = d.pop("replay", UNSET)
        replay: ReplayView | Unset
        if isinstance(_replay, Unset):
            replay = UNSET
        else:
            replay = ReplayView.from_dict(_replay)

        dry_run_view = cls(
            verdict=verdict,
            hits=hits,
            replay=replay,
        )

        dry_run_view.additional_properties = d
        return dry_run_view

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
