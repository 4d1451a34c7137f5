from ....calls import Answer, AsyncOperations, Operations
from ...models.login_portal import LoginPortal
from ...models.login_view import LoginView
from ...models.public_server_info_view import PublicServerInfoView
from ...models.server_info_view import ServerInfoView
from ...models.user_info_view import UserInfoView
from ...types import UNSET, Unset
from . import callback as _callback
from . import end_portal_session as _end_portal_session
from . import get_public_server_info as _get_public_server_info
from . import get_server_info as _get_server_info
from . import get_user_info as _get_user_info
from . import login as _login


class Authentication(Operations):
    def login(
        self,
        *,
        redirect: str | Unset = UNSET,
        portal: LoginPortal | Unset = UNSET,
    ) -> Answer[LoginView]:
        """Start a sign-in at the identity provider.

        Public: needs no credential.
        """

        return self._call(
            _login.request(
                redirect=redirect,
                portal=portal,
            ),
            _login.read,
        )

    def callback(
        self,
        *,
        error: str | Unset = UNSET,
        code: str | Unset = UNSET,
        state: str,
    ) -> Answer[None]:
        """Complete a sign-in when the identity provider redirects the browser back.

        Public: needs no credential.
        """

        return self._call(
            _callback.request(
                error=error,
                code=code,
                state=state,
            ),
            lambda _: None,
        )

    def get_user_info(
        self,
    ) -> Answer[UserInfoView]:
        """Get the caller’s identity and role.

        For all signed-in callers.
        """

        return self._call(
            _get_user_info.request(),
            _get_user_info.read,
        )

    def get_server_info(
        self,
    ) -> Answer[ServerInfoView]:
        """Get the current server configuration.

        For all signed-in callers.
        """

        return self._call(
            _get_server_info.request(),
            _get_server_info.read,
        )

    def get_public_server_info(
        self,
    ) -> Answer[PublicServerInfoView]:
        """Get the public server configuration: how to sign in.

        Public: needs no credential.
        """

        return self._call(
            _get_public_server_info.request(),
            _get_public_server_info.read,
        )

    def end_portal_session(
        self,
    ) -> Answer[None]:
        """Sign out of the portal.

        Public: needs no credential.
        """

        return self._call(
            _end_portal_session.request(),
            lambda _: None,
        )


class AsyncAuthentication(AsyncOperations):
    async def login(
        self,
        *,
        redirect: str | Unset = UNSET,
        portal: LoginPortal | Unset = UNSET,
    ) -> Answer[LoginView]:
        """Start a sign-in at the identity provider.

        Public: needs no credential.
        """

        return await self._call(
            _login.request(
                redirect=redirect,
                portal=portal,
            ),
            _login.read,
        )

    async def callback(
        self,
        *,
        error: str | Unset = UNSET,
        code: str | Unset = UNSET,
        state: str,
    ) -> Answer[None]:
        """Complete a sign-in when the identity provider redirects the browser back.

        Public: needs no credential.
        """

        return await self._call(
            _callback.request(
                error=error,
                code=code,
                state=state,
            ),
            lambda _: None,
        )

    async def get_user_info(
        self,
    ) -> Answer[UserInfoView]:
        """Get the caller’s identity and role.

        For all signed-in callers.
        """

        return await self._call(
            _get_user_info.request(),
            _get_user_info.read,
        )

    async def get_server_info(
        self,
    ) -> Answer[ServerInfoView]:
        """Get the current server configuration.

        For all signed-in callers.
        """

        return await self._call(
            _get_server_info.request(),
            _get_server_info.read,
        )

    async def get_public_server_info(
        self,
    ) -> Answer[PublicServerInfoView]:
        """Get the public server configuration: how to sign in.

        Public: needs no credential.
        """

        return await self._call(
            _get_public_server_info.request(),
            _get_public_server_info.read,
        )

    async def end_portal_session(
        self,
    ) -> Answer[None]:
        """Sign out of the portal.

        Public: needs no credential.
        """

        return await self._call(
            _end_portal_session.request(),
            lambda _: None,
        )
