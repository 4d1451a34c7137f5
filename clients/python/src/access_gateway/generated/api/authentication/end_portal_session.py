from ....calls import Request


def request() -> Request:
    return Request(
        "DELETE",
        "/portal-session",
    )
