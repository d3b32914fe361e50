"""A headless Chromium that is spoken to over the DevTools protocol.

It is started with --remote-debugging-pipe: JSON messages that end with a zero
byte, on file descriptors 3 and 4.  Nothing but Python's own library is needed.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]


def program():
    """The browser that is installed here, or None."""
    return next((p for p in map(shutil.which, PROGRAMS) if p), None)


class Browser:
    def __init__(self, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="tideline-browser-")
        to_read, self.to = os.pipe()
        self.come, to_write = os.pipe()
        # The child has its ends as 3 and 4, whatever their numbers are here.
        command = [
            "sh", "-c", 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"', "sh",
            str(to_read), str(to_write), program(), "--headless=new",
            "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
            "--disable-background-networking", "--disable-extensions",
            "--disable-component-update", "--disable-sync",
            "--user-data-dir=" + self.folder, "--hide-scrollbars",
            f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(
            command, pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder})
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.rest = b""
        self.events = []
        self.session = None
        try:
            self.attach()
        except Exception:
            self.close()
            raise

    def attach(self):
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- Messages

    def receive(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.come], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.come, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        return self.number

    def call(self, method, seconds=60, **parameters):
        number = self.send(method, parameters)
        deadline = time.monotonic() + seconds
        while True:
            message = self.receive(deadline)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def wait_for(self, method, seconds=60):
        deadline = time.monotonic() + seconds
        while not any(e["method"] == method for e in self.events):
            message = self.receive(deadline)
            if "method" in message:
                self.events.append(message)

    # ---- Pages

    def open(self, path):
        """Opens a file; gives the seconds until it has been shown."""
        self.events.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("Page.loadEventFired")
        self.run("new Promise(r => requestAnimationFrame(() => setTimeout(r)))")
        return time.monotonic() - begin

    def run(self, script, seconds=60):
        """The value of an expression in the page; promises are awaited."""
        result = self.call("Runtime.evaluate", seconds, expression=script,
                           awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:600])
        return result["result"].get("value")

    def key(self, key, code=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      code=code or key,
                      **({"text": key} if len(key) == 1 else {}))

    def complaints(self):
        """What the console and the policy of the page have said, and what was
        asked of the network since the page was opened."""
        found = []
        for e in self.events:
            p = e["params"]
            if e["method"] == "Runtime.exceptionThrown":
                found.append(json.dumps(p["exceptionDetails"])[:600])
            elif e["method"] == "Runtime.consoleAPICalled":
                found.append("console: " + json.dumps(p["args"])[:600])
            elif e["method"] == "Log.entryAdded":
                found.append("log: " + json.dumps(p["entry"])[:600])
            elif e["method"] == "Network.requestWillBeSent":
                url = p["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    found.append("network: " + url[:200])
            elif e["method"] == "Page.javascriptDialogOpening":
                found.append("dialog: " + p["message"][:200])
        return found

    def prefer(self, scheme, width, height):
        """light or dark, and the size of the window."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path, whole=True):
        shot = self.call("Page.captureScreenshot", format="png",
                         captureBeyondViewport=whole)
        with open(path, "wb") as f:
            f.write(base64.b64decode(shot["data"]))
