"""Builds the package for pip (PEP 517, PEP 660), with nothing but Python and make.

`python3 python/backend.py FOLDER` writes a wheel there. CONFIG (portable) and
JOBS are those of the Makefile.
"""

import base64
import hashlib
import io
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = "tideline"
TAG = "cp39-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
DATE = (2026, 1, 1, 0, 0, 0)  # of all files: the same wheel from the same source


def _read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


VERSION = _read("VERSION").strip()


def _metadata():
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {NAME}\n"
        f"Version: {VERSION}\n"
        "Summary: Visits every reachable state of a Petri net and answers questions\n"
        "License: MIT\n"
        "Requires-Python: >=3.9\n"
        "Classifier: Typing :: Typed\n"
        "Description-Content-Type: text/markdown\n"
        "\n" + _read("docs/python.md")
    )


def _wheel_file():
    return (
        "Wheel-Version: 1.0\n"
        "Generator: tideline\n"
        "Root-Is-Purelib: false\n"
        f"Tag: {TAG}\n"
    )


def _build():
    """Runs make; the folder of what was built."""
    config = os.environ.get("CONFIG", "portable")
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    # Make's own variables are those of another run.
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
    subprocess.run(
        ["make", "-s", "-j" + jobs, "CONFIG=" + config, "PYTHON=" + sys.executable,
         "python", "program"],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    return os.path.join(ROOT, "build", *([] if config == "release" else [config]))


class _Wheel:
    """A zip file that lists what is in it."""

    def __init__(self, folder, tag=TAG):
        self.name = f"{NAME}-{VERSION}-{tag}.whl"
        self.info = f"{NAME}-{VERSION}.dist-info"
        self.zip = zipfile.ZipFile(os.path.join(folder, self.name), "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, path, data, mode=0o644):
        entry = zipfile.ZipInfo(path, DATE)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{path},sha256={digest},{len(data)}\n")

    def add_file(self, path, source, mode=0o644):
        with open(source, "rb") as file:
            self.add(path, file.read(), mode)

    def close(self):
        self.add(self.info + "/METADATA", _metadata().encode())
        self.add(self.info + "/WHEEL", _wheel_file().encode())
        self.add(self.info + "/LICENSE", _read("LICENSE").encode())
        self.record.append(self.info + "/RECORD,,\n")
        self.zip.writestr(zipfile.ZipInfo(self.info + "/RECORD", DATE), "".join(self.record))
        self.zip.close()
        return self.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    built = _build()
    package = os.path.join(built, "python", NAME)
    wheel = _Wheel(wheel_directory)
    for name in sorted(os.listdir(package)):
        path = os.path.join(package, name)
        if os.path.isfile(path):
            wheel.add_file(f"{NAME}/{name}", path, 0o755 if name.endswith(".so") else 0o644)
    wheel.add_file(f"{NAME}-{VERSION}.data/scripts/tideline", os.path.join(built, NAME), 0o755)
    return wheel.close()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel that names the folder which `make python` writes to."""
    wheel = _Wheel(wheel_directory)
    wheel.add(f"__editable__.{NAME}.pth", (os.path.join(_build(), "python") + "\n").encode())
    return wheel.close()


def _sources():
    """What git knows; without git all but what was built."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        return sorted(path for path in listed.decode().split("\0") if path)
    except (OSError, subprocess.CalledProcessError):
        pass
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in ("build", ".git", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files]
    return sorted(found)


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    name = base + ".tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as tar:
        for path in _sources():
            tar.add(os.path.join(ROOT, path), f"{base}/{path}", recursive=False)
        data = _metadata().encode()
        entry = tarfile.TarInfo(base + "/PKG-INFO")
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
    return name


def _nothing(config_settings=None):
    return []


get_requires_for_build_wheel = _nothing
get_requires_for_build_sdist = _nothing
get_requires_for_build_editable = _nothing


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
