from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.server_info_view_auth_method import ServerInfoViewAuthMethod

if TYPE_CHECKING:
    from ..models.features_view import FeaturesView


T = TypeVar("T", bound="ServerInfoView")


@_attrs_define
class ServerInfoView:
    """
    Attributes:
        auth_method (ServerInfoViewAuthMethod): How people sign in.
        api_url (str): Base URL of the API. Example: http://127.0.0.1:8009/api.
        version (str): Version of the API description. Example: 1.180.0.
        program_version (str): Version of the program. Example: 0.1.0.
        schema_version (str): Schema that the program makes and uses: the name of its last migration. Example:
            PortalRequests1766995000000.
        database_schema_version (str): Schema of the database: the last migration that ran there, as it was seen within
            the last 10 seconds. It differs from `schema_version` while gateways are upgraded. Example:
            PortalRequests1766995000000.
        idp_issuer (str): OpenID Connect issuer.
        admin_group (str):  Example: admin.
        auditor_group (str):  Example: auditor.
        features (FeaturesView):
    """

    auth_method: ServerInfoViewAuthMethod
    api_url: str
    version: str
    program_version: str
    schema_version: str
    database_schema_version: str
    idp_issuer: str
    admin_group: str
    auditor_group: str
    features: FeaturesView
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        auth_method = self.auth_method.value

        api_url = self.api_url

        version = self.version

        program_version = self.program_version

        schema_version = self.schema_version

        database_schema_version = self.database_schema_version

        idp_issuer = self.idp_issuer

        admin_group = self.admin_group

        auditor_group = self.auditor_group

        features = self.features.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "auth_method": auth_method,
                "api_url": api_url,
                "version": version,
                "program_version": program_version,
                "schema_version": schema_version,
                "database_schema_version": database_schema_version,
                "idp_issuer": idp_issuer,
                "admin_group": admin_group,
                "auditor_group": auditor_group,
                "features": features,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.features_view import FeaturesView

        d = dict(src_dict)
        auth_method = ServerInfoViewAuthMethod(d.pop("auth_method"))

        api_url = d.pop("api_url")

        version = d.pop("version")

        program_version = d.pop("program_version")

        schema_version = d.pop("schema_version")

        database_schema_version = d.pop("database_schema_version")

        idp_issuer = d.pop("idp_issuer")

        admin_group = d.pop("admin_group")

        auditor_group = d.pop("auditor_group")

        features = FeaturesView.from_dict(d.pop("features"))

        server_info_view = cls(
            auth_method=auth_method,
            api_url=api_url,
            version=version,
            program_version=program_version,
            schema_version=schema_version,
            database_schema_version=database_schema_version,
            idp_issuer=idp_issuer,
            admin_group=admin_group,
            auditor_group=auditor_group,
            features=features,
        )

        server_info_view.additional_properties = d
        return server_info_view

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
