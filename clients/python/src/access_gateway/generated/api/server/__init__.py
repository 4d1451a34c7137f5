from contextlib import AbstractAsyncContextManager, AbstractContextManager

import httpx

from ....calls import Answer, AsyncOperations, Operations
from ...models.evidence_keys_view import EvidenceKeysView
from ...models.health_view import HealthView
from ...models.readiness_view import ReadinessView
from ...models.ssh_host_keys_view import SshHostKeysView
from . import get_health as _get_health
from . import get_readiness as _get_readiness
from . import get_ssh_user_ca as _get_ssh_user_ca
from . import list_evidence_keys as _list_evidence_keys
from . import list_ssh_host_keys as _list_ssh_host_keys


class Server(Operations):
    def get_health(
        self,
    ) -> Answer[HealthView]:
        """Check that the process answers.

        Public: needs no credential.
        """

        return self._call(
            _get_health.request(),
            _get_health.read,
        )

    def get_readiness(
        self,
    ) -> Answer[ReadinessView]:
        """Check that requests can be served: database, migrations, and the journal of recordings.

        Each of them is tested. After SIGTERM, 503 for `SHUTDOWN_DELAY_SECONDS`, while requests are still
        accepted.

        Public: needs no credential.
        """

        return self._call(
            _get_readiness.request(),
            _get_readiness.read,
        )

    def list_evidence_keys(
        self,
    ) -> Answer[EvidenceKeysView]:
        """List the public keys that verify evidence.

        A JSON Web Key Set. Save it to a file and run `npm run verify-recording -- <file> --public-keys
        <keys>`; no secret is needed. Keys stay in the set after the secret key was rotated.

        Public: needs no credential.
        """

        return self._call(
            _list_evidence_keys.request(),
            _list_evidence_keys.read,
        )

    def list_ssh_host_keys(
        self,
    ) -> Answer[SshHostKeysView]:
        """List the host keys by which SSH clients recognize the gateway.

        Add `known_hosts` to the file of that name, so that `ssh` asks nothing at its first connection. All
        gateways of one database have the same keys.

        Public: needs no credential.
        """

        return self._call(
            _list_ssh_host_keys.request(),
            _list_ssh_host_keys.read,
        )

    def get_ssh_user_ca(
        self,
    ) -> AbstractContextManager[httpx.Response]:
        """Read the keys with which the gateway signs certificates for its sign-ins at SSH servers.

        A line for each key, for the file that `TrustedUserCAKeys` in `sshd_config` of a server names; two
        lines while the key is being replaced. Connections with `AUTH: certificate` need it.

        Public: needs no credential.
        """

        return self._open(_get_ssh_user_ca.request())


class AsyncServer(AsyncOperations):
    async def get_health(
        self,
    ) -> Answer[HealthView]:
        """Check that the process answers.

        Public: needs no credential.
        """

        return await self._call(
            _get_health.request(),
            _get_health.read,
        )

    async def get_readiness(
        self,
    ) -> Answer[ReadinessView]:
        """Check that requests can be served: database, migrations, and the journal of recordings.

        Each of them is tested. After SIGTERM, 503 for `SHUTDOWN_DELAY_SECONDS`, while requests are still
        accepted.

        Public: needs no credential.
        """

        return await self._call(
            _get_readiness.request(),
            _get_readiness.read,
        )

    async def list_evidence_keys(
        self,
    ) -> Answer[EvidenceKeysView]:
        """List the public keys that verify evidence.

        A JSON Web Key Set. Save it to a file and run `npm run verify-recording -- <file> --public-keys
        <keys>`; no secret is needed. Keys stay in the set after the secret key was rotated.

        Public: needs no credential.
        """

        return await self._call(
            _list_evidence_keys.request(),
            _list_evidence_keys.read,
        )

    async def list_ssh_host_keys(
        self,
    ) -> Answer[SshHostKeysView]:
        """List the host keys by which SSH clients recognize the gateway.

        Add `known_hosts` to the file of that name, so that `ssh` asks nothing at its first connection. All
        gateways of one database have the same keys.

        Public: needs no credential.
        """

        return await self._call(
            _list_ssh_host_keys.request(),
            _list_ssh_host_keys.read,
        )

    def get_ssh_user_ca(
        self,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Read the keys with which the gateway signs certificates for its sign-ins at SSH servers.

        A line for each key, for the file that `TrustedUserCAKeys` in `sshd_config` of a server names; two
        lines while the key is being replaced. Connections with `AUTH: certificate` need it.

        Public: needs no credential.
        """

        return self._open(_get_ssh_user_ca.request())
