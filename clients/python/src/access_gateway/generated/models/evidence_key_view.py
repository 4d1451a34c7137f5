from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.evidence_key_view_alg import EvidenceKeyViewAlg
from ..models.evidence_key_view_crv import EvidenceKeyViewCrv
from ..models.evidence_key_view_kty import EvidenceKeyViewKty
from ..models.evidence_key_view_use import EvidenceKeyViewUse

T = TypeVar("T", bound="EvidenceKeyView")


@_attrs_define
class EvidenceKeyView:
    """
    Attributes:
        kty (EvidenceKeyViewKty):
        crv (EvidenceKeyViewCrv):
        kid (str): Id of the key, as in evidence files. Example: 9f86d081.
        x (str): The public key, base64url. Example: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo.
        use (EvidenceKeyViewUse):
        alg (EvidenceKeyViewAlg):
    """

    kty: EvidenceKeyViewKty
    crv: EvidenceKeyViewCrv
    kid: str
    x: str
    use: EvidenceKeyViewUse
    alg: EvidenceKeyViewAlg
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kty = self.kty.value

        crv = self.crv.value

        kid = self.kid

        x = self.x

        use = self.use.value

        alg = self.alg.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kty": kty,
                "crv": crv,
                "kid": kid,
                "x": x,
                "use": use,
                "alg": alg,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        kty = EvidenceKeyViewKty(d.pop("kty"))

        crv = EvidenceKeyViewCrv(d.pop("crv"))

        kid = d.pop("kid")

        x = d.pop("x")

        use = EvidenceKeyViewUse(d.pop("use"))

        alg = EvidenceKeyViewAlg(d.pop("alg"))

        evidence_key_view = cls(
            kty=kty,
            crv=crv,
            kid=kid,
            x=x,
            use=use,
            alg=alg,
        )

        evidence_key_view.additional_properties = d
        return evidence_key_view

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
