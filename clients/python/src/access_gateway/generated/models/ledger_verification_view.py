from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.ledger_verification_view_status import LedgerVerificationViewStatus

if TYPE_CHECKING:
    from ..models.ledger_fault_view import LedgerFaultView


T = TypeVar("T", bound="LedgerVerificationView")


@_attrs_define
class LedgerVerificationView:
    """
    Attributes:
        status (LedgerVerificationViewStatus): `valid`: no faults. `broken`: `faults` list what was edited, removed or
            moved. `unknown_key`: no faults found, but some entries were signed by keys that are neither in `SECRET_KEY` nor
            published, so they could not be checked.
        from_ (int): The first entry that was verified. Example: 1.
        to (int): The last entry that was verified; 0 where there is none.
        next_ (int | None): Value of `from` to continue; null when all requested entries were verified.
        head (int): Number of the last entry in the ledger; 0 for an empty ledger.
        head_hash (str): Hash of the last entry (SHA-256, hex). Keep number and hash elsewhere to detect later whether
            entries were removed from the end. Example: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae.
        anchored (int | None): The last entry whose hash is in the audit log. Only this gateway would notice the removal
            of later entries.
        waiting (int): Number of sessions whose entry is pending.
        unknown_keys (list[str]): Ids of unknown keys that signed entries.
        faults (list[LedgerFaultView]): The first 100.
    """

    status: LedgerVerificationViewStatus
    from_: int
    to: int
    next_: int | None
    head: int
    head_hash: str
    anchored: int | None
    waiting: int
    unknown_keys: list[str]
    faults: list[LedgerFaultView]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        from_ = self.from_

        to = self.to

        next_: int | None
        next_ = self.next_

        head = self.head

        head_hash = self.head_hash

        anchored: int | None
        anchored = self.anchored

        waiting = self.waiting

        unknown_keys = self.unknown_keys

        faults = []
        for faults_item_data in self.faults:
            faults_item = faults_item_data.to_dict()
            faults.append(faults_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "from": from_,
                "to": to,
                "next": next_,
                "head": head,
                "head_hash": head_hash,
                "anchored": anchored,
                "waiting": waiting,
                "unknown_keys": unknown_keys,
                "faults": faults,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.ledger_fault_view import LedgerFaultView

        d = dict(src_dict)
        status = LedgerVerificationViewStatus(d.pop("status"))

        from_ = d.pop("from")

        to = d.pop("to")

        def _parse_next_(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        next_ = _parse_next_(d.pop("next"))

        head = d.pop("head")

        head_hash = d.pop("head_hash")

        def _parse_anchored(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        anchored = _parse_anchored(d.pop("anchored"))

        waiting = d.pop("waiting")

        unknown_keys = cast(list[str], d.pop("unknown_keys"))

        faults = []
        _faults = d.pop("faults")
        for faults_item_data in _faults:
            faults_item = LedgerFaultView.from_dict(faults_item_data)

            faults.append(faults_item)

        ledger_verification_view = cls(
            status=status,
            from_=from_,
            to=to,
            next_=next_,
            head=head,
            head_hash=head_hash,
            anchored=anchored,
            waiting=waiting,
            unknown_keys=unknown_keys,
            faults=faults,
        )

        ledger_verification_view.additional_properties = d
        return ledger_verification_view

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
