"""All operations, in one class for programs with asyncio and one for those without."""

from .access_requests import AccessRequests, AsyncAccessRequests
from .attributes import AsyncAttributes, Attributes
from .audit import AsyncAudit, Audit
from .authentication import AsyncAuthentication, Authentication
from .connection_credentials import AsyncConnectionCredentials, ConnectionCredentials
from .connections import AsyncConnections, Connections
from .guard_rails import AsyncGuardRails, GuardRails
from .machine_identities import AsyncMachineIdentities, MachineIdentities
from .organization_management import AsyncOrganizationManagement, OrganizationManagement
from .reviews import AsyncReviews, Reviews
from .server import AsyncServer, Server
from .sessions import AsyncSessions, Sessions
from .user_management import AsyncUserManagement, UserManagement
from .webhooks import AsyncWebhooks, Webhooks


class AllOperations(
    AccessRequests,
    Attributes,
    Audit,
    Authentication,
    ConnectionCredentials,
    Connections,
    GuardRails,
    MachineIdentities,
    OrganizationManagement,
    Reviews,
    Server,
    Sessions,
    UserManagement,
    Webhooks,
):
    pass


class AsyncAllOperations(
    AsyncAccessRequests,
    AsyncAttributes,
    AsyncAudit,
    AsyncAuthentication,
    AsyncConnectionCredentials,
    AsyncConnections,
    AsyncGuardRails,
    AsyncMachineIdentities,
    AsyncOrganizationManagement,
    AsyncReviews,
    AsyncServer,
    AsyncSessions,
    AsyncUserManagement,
    AsyncWebhooks,
):
    pass
