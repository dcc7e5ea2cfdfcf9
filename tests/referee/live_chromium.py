"""Chromium driven by the DevTools protocol, with files as its camera and microphone."""

import asyncio
import base64
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import aiohttp
from live_helpers import PATIENCE_S

PROGRAM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


def told(path, patience_s=PATIENCE_S):
    """The port and the path that a fresh browser writes down."""
    for _ in range(round(patience_s / 0.05)):
        if path.exists() and len(said := path.read_text().splitlines()) > 1:
            return said[:2]
        time.sleep(0.05)
    raise AssertionError("Chromium does not start")


class Chromium:
    """A headless browser; `async with` starts and ends it."""

    def __init__(self, *flags):
        self.flags = flags
        self.faults = []

    async def __aenter__(self):
        self.folder = tempfile.mkdtemp(prefix="referee-chromium-")
        base = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
        base += [
            "--autoplay-policy=no-user-gesture-required",
            "--window-size=1280,720",
            f"--user-data-dir={self.folder}",
        ]
        command = [PROGRAM, *base, *self.flags, "about:blank"]
        self.process = await asyncio.to_thread(
            subprocess.Popen, command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        port, path = await asyncio.to_thread(told, Path(self.folder, "DevToolsActivePort"))
        self.http = aiohttp.ClientSession()
        self.socket = await self.http.ws_connect(f"ws://127.0.0.1:{port}{path}", max_msg_size=0)
        self.asked, self.count = {}, 0
        self.reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_):
        self.reading.cancel()
        await self.http.close()
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)
        shutil.rmtree(self.folder, ignore_errors=True)

    async def _read(self):
        async for message in self.socket:
            given = json.loads(message.data)
            if "id" in given:
                self.asked.pop(given["id"]).set_result(given)
            elif given["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.faults.append(given["params"])

    async def call(self, method, session=None, **params):
        """One call of the protocol."""
        self.count += 1
        answer = self.asked[self.count] = asyncio.get_running_loop().create_future()
        to = {"sessionId": session} if session else {}
        await self.socket.send_str(json.dumps({"id": self.count, "method": method, "params": params, **to}))
        given = await asyncio.wait_for(answer, PATIENCE_S)
        assert "error" not in given, given
        return given["result"]

    async def page(self, address, *, size=None):
        """Open a page in a tab of its own."""
        tab = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=tab, flatten=True))["sessionId"]
        for domain in ("Runtime", "Page", "Log"):
            await self.call(f"{domain}.enable", session)
        if size:
            wide, high, scale = size
            await self.call(
                "Emulation.setDeviceMetricsOverride",
                session,
                width=wide,
                height=high,
                deviceScaleFactor=scale,
                mobile=wide < high,
            )
        await self.call("Page.navigate", session, url=address)
        return session

    async def js(self, session, code):
        """The value of an expression in a page, as after a tap."""
        given = await self.call(
            "Runtime.evaluate", session, expression=code, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in given, given["exceptionDetails"]
        return given["result"].get("value")

    async def until(self, session, code):
        """Wait until an expression is true in a page; gives its value."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    if value := await self.js(session, code):
                        return value
                except AssertionError:  # the page is being changed for another
                    pass
                await asyncio.sleep(0.1)

    async def picture(self, session, path):
        """A screenshot."""
        await self.call("Page.bringToFront", session)
        given = await self.call("Page.captureScreenshot", session, format="png")
        path.write_bytes(base64.b64decode(given["data"]))
