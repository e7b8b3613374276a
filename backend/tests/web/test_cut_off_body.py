"""A body that breaks off.

SPDX-License-Identifier: Apache-2.0
"""

from starlette.types import Message, Receive, Scope, Send

from thinlab.web.security import Guard

WHOLE = b'{"password": "letmein"}'


async def test_a_body_that_breaks_off_reaches_no_route_though_it_could_be_read() -> None:
    news: list[Message] = [
        {"type": "http.request", "body": WHOLE, "more_body": True},
        {"type": "http.disconnect"},
    ]
    reached: list[Scope] = []
    sent: list[Message] = []

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        reached.append(scope)

    async def receive() -> Message:
        return news.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    length = str(len(WHOLE) + 1).encode()
    scope = {"type": "http", "method": "POST", "headers": [(b"content-length", length)]}
    await Guard(route)(scope, receive, send)
    assert (reached, sent, news) == ([], [], [])
