from ....calls import Request


def request() -> Request:
    return Request(
        "GET",
        "/ssh/user-ca.pub",
    )
