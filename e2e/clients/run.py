"""Runs every generated client against one real server and compares what each got with what curl got.

Each client prints lines of a name and what it got under that name; run.py makes the same lines with curl from cases.json.
The last line is "N passed, N failed"; the exit code is 1 when any failed.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JAVA_PACKAGES = (
    "hideGenerationTimestamp=true,groupId=mxrest,artifactId=mxrest-client,"
    "invokerPackage=mxrest.client,apiPackage=mxrest.client.api,modelPackage=mxrest.client.model"
)


class Failed(Exception):
    """A step that a client cannot do without has failed."""


def run(args, cwd, timeout=600, env=None, capture=False):
    """Runs a command; on failure raises with the end of what it said."""
    done = subprocess.run(
        [str(a) for a in args],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if capture else subprocess.STDOUT,
        timeout=timeout,
        check=False,
    )
    out = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        said = out + (done.stderr.decode("utf-8", "replace") if capture else "")
        raise Failed(f"{args[0]} ended with {done.returncode}:\n" + "\n".join(said.splitlines()[-25:]))
    return out


class Server:
    """mxrest on a free port of 127.0.0.1, with one API key or with none."""

    def __init__(self, build, with_key):
        self.binary = build / "mxrest"
        self.key, flags = "", []
        if with_key:
            run(["go", "build", "-o", self.binary, "./cmd/mxrest"], ROOT)
            keys = build / "keys.txt"
            keys.unlink(missing_ok=True)
            self.key = run([self.binary, "key", "new", "e2e", "--file", keys], ROOT, capture=True).strip()
            flags = ["--api-keys", keys]
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(build / "server.log", "ab")
        self.process = subprocess.Popen(
            [self.binary, "serve", "--listen", f"127.0.0.1:{port}", *flags], stdout=self.log, stderr=self.log
        )
        for _ in range(100):
            ready = subprocess.run(["curl", "-sf", self.url + "/readyz"], stdout=subprocess.DEVNULL, check=False)
            if ready.returncode == 0:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise Failed("the server did not get ready; see build/e2e-clients/server.log")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def curl(self, path, body=None, media="application/json"):
        """Gives the status and the bytes."""
        args = ["curl", "-s", "-w", "%{stderr}%{http_code}", "-H", "Authorization: Bearer " + self.key, self.url + path]
        if body is not None:
            args += ["-H", "Content-Type: " + media, "--data-binary", "@-"]
        done = subprocess.run(args, input=body or b"", capture_output=True, timeout=60, check=True)
        return int(done.stderr), done.stdout

    def post(self, path, value):
        return self.curl(path, json.dumps(value, ensure_ascii=False).encode())


def snippets():
    """The examples of docs/clients.md, by client: the code, and what the page says it prints."""
    page = (ROOT / "docs" / "clients.md").read_text("utf-8")
    found = {}
    pattern = r"^<!-- example: client (\w+) -->\n```\w+\n(.*?)^```\n\n```text\n(.*?)^```"
    for name, code, output in re.findall(pattern, page, re.MULTILINE | re.DOTALL):
        found.setdefault(name, []).append((code, output))
    return found


def expected(server):
    """What curl gets, in the lines that the clients print."""
    cases = json.loads((HERE / "cases.json").read_text("utf-8"))
    lines = {}
    for case in cases["writes"]:
        body = {"handle": cases["handle"], **{k: v for k, v in case.items() if k != "name"}}
        status, octets = server.post("/v1/write", body)
        if status != 200:
            raise Failed(f"curl: {case['name']} is {status}: {octets.decode()}")
        lines["write." + case["name"]] = octets.hex()

    def item(id_, value, **more):
        return {"id": id_, "handleBytes": cases["handleBytes"], "type": "Int32", "value": value, **more}

    _, octets = server.post("/v1/write/batch", [item("a", 1), item("b", 2), item("c", 3)])
    lines["batch"] = octets.hex()

    status, text = server.post(
        "/v1/write/batch/results", [item("a", 1), item("b", 2, handle=cases["handle"]), item("c", 3)]
    )
    rs = json.loads(text)
    first, bad, last = rs["results"]
    lines["results"] = (
        f"{status} {rs['count']} {rs['succeeded']} {rs['failed']} {first['base64']} {bad['status']} "
        f"{bad['errors'][0]['pointer']} {bad['id']} {last['base64']}"
    )
    if status != 207 or base64.b64decode(first["base64"]).hex() not in lines["batch"]:
        raise Failed(f"curl: the results are not those of the batch: {status} {text.decode()}")

    one = {"handle": cases["handle"], "type": "Int32", "value": 305419896}
    _, text = server.post("/v1/write/explain", one)
    e = json.loads(text)
    _, octets = server.post("/v1/write", one)
    if e["hex"] != octets.hex():
        raise Failed("curl: the explained bytes are not the written ones")
    lines["explain"] = (
        f"{e['message']} {e['length']} {e['hex']} {e['signatures']['object']['hex']} {len(e['fields'])} "
        f"{e['fields'][0]['standing']}"
    )
    _, text = server.post("/v1/decode/text", {"hex": e["hex"], "attribute": "TestInt"})
    d = json.loads(text)
    lines["decode"] = " ".join(
        [d["message"], json.dumps(d["exact"]), str(d["write"]["value"]), json.dumps(d["names"]["attribute"]["matches"])]
    )
    _, text = server.curl("/v1/decode", octets, "application/octet-stream")
    d = json.loads(text)
    lines["decode.octets"] = f"{d['message']} {json.dumps(d['exact'])}"

    status, text = server.post("/v1/write", {"type": "Int32", "value": 1})
    p = json.loads(text)
    kind = p["type"].removeprefix("urn:mxrest:problem:")
    lines["error"] = f"{status} {p['status']} {kind} {p['errors'][0]['pointer']}"
    return lines


class Clients:
    """How each client is generated, compiled and run; each method gives what the client printed."""

    def __init__(self, build, server, open_server):
        self.build, self.server = build, server
        self.snippets = {
            name: [code.replace("http://127.0.0.1:8080", open_server.url) for code, _ in examples]
            for name, examples in snippets().items()
        }
        self.document = build / "openapi.yaml"
        self.env = {"MXREST_KEY": server.key}
        self.bin = build / "venv" / "bin"

    def fresh(self, name):
        work = self.build / name
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        return work

    def openapi_generator(self, generator, out, properties="", *more):
        jar = next(self.build.glob("venv/lib/python3*/site-packages/openapi_generator_cli/openapi-generator.jar"))
        args = ["java", "-jar", jar, "generate", "-i", self.document, "-g", generator, "-o", out, *more]
        args += ["--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"]
        if properties:
            args += ["--additional-properties", properties]
        run(args, self.build)

    def go(self):
        work = self.fresh("go")
        shutil.copytree(HERE / "go", work, dirs_exist_ok=True)
        (work / "mxrest").mkdir()
        tool = ["go", "tool", "-modfile", ROOT / "tools" / "go.mod", "oapi-codegen"]
        run([*tool, "-config", "codegen.yaml", self.document], work)
        return run(["go", "run", ".", self.server.url], work, env=self.env, capture=True)

    def _typescript(self):
        """Both TypeScript clients share one folder, its locked packages and one run of the compiler."""
        work = self.build / "ts"
        lock = HERE / "ts" / "package-lock.json"
        pins = hashlib.sha256(lock.read_bytes()).hexdigest()
        stamp = work / "node_modules" / ".pins"
        if not stamp.exists() or stamp.read_text() != pins:
            work = self.fresh("ts")
            shutil.copytree(HERE / "ts", work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
            run(["npm", "ci", "--no-audit", "--no-fund"], work)
            stamp.write_text(pins)
        for name in ("fetch.ts", "oag.ts", "tsconfig.json"):
            shutil.copy(HERE / "ts" / name, work)
        for old in work.glob("typescript_*.ts"):
            old.unlink()
        for name, examples in self.snippets.items():
            for i, code in enumerate(examples):
                if name.startswith("typescript"):
                    (work / f"{name}{i}.ts").write_text(code, "utf-8")
        for name in ("out", "oag"):
            shutil.rmtree(work / name, ignore_errors=True)
        run(["npx", "--no-install", "openapi-typescript", self.document, "-o", "schema.d.ts"], work)
        self.openapi_generator("typescript-fetch", work / "oag", "importFileExtension=.js")
        run(["npx", "--no-install", "tsc", "-p", "."], work)
        return work

    def typescript_openapi_fetch(self):
        return run(["node", "out/fetch.js", self.server.url], self._typescript(), env=self.env, capture=True)

    def typescript_fetch(self):
        return run(["node", "out/oag.js", self.server.url], self.build / "ts", env=self.env, capture=True)

    def python_openapi_python_client(self):
        work = self.fresh("python-opc")
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"  # it wants ruff there
        generate = [self.bin / "openapi-python-client", "generate", "--path", self.document, "--output-path", work / "c"]
        run(generate, work, env={"PATH": path})
        env = {**self.env, "PYTHONPATH": str(work / "c")}
        return run([self.bin / "python", HERE / "python" / "opc.py", self.server.url], work, env=env, capture=True)

    def python_openapi_generator(self):
        work = self.fresh("python-oag")
        # Without the lookup its unions try every type in turn, and a number stops it at the first list.
        self.openapi_generator("python", work, "packageName=mxrest_oag,useOneOfDiscriminatorLookup=true")
        env = {**self.env, "PYTHONPATH": str(work)}
        return run([self.bin / "python", HERE / "python" / "oag.py", self.server.url], work, env=env, capture=True)

    def _java(self, library, folder):
        work = self.fresh("java-" + folder)
        self.openapi_generator("java", work, JAVA_PACKAGES, "--library", library)
        ours = work / "src" / "main" / "java" / "mxrest" / "e2e"
        ours.mkdir()
        shutil.copy(HERE / "java" / "Main.java", ours)
        shutil.copy(HERE / "java" / folder / "Client.java", ours)
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
        run(["mvn", "-q", "-B", "compile", goal, "-Dmdep.outputFile=classpath.txt"], work)
        classpath = "target/classes" + os.pathsep + (work / "classpath.txt").read_text().strip()
        return run(["java", "-cp", classpath, "mxrest.e2e.Main", self.server.url], work, env=self.env, capture=True)

    def java_okhttp(self):
        return self._java("okhttp-gson", "okhttp")

    def java_native(self):
        return self._java("native", "native")


    def example(self, name, i):
        """Runs an example of docs/clients.md where its client was generated before."""
        code = self.snippets[name][i]
        if name == "go":
            main = self.build / "go" / f"example{i}" / "main.go"
            main.parent.mkdir(exist_ok=True)
            main.write_text(code, "utf-8")
            return run(["go", "run", f"./example{i}"], self.build / "go", capture=True)
        if name.startswith("typescript"):
            return run(["node", f"out/{name}{i}.js"], self.build / "ts", capture=True)
        if name.startswith("python"):
            work = self.build / {"python_openapi_generator": "python-oag"}.get(name, "python-opc")
            path = work / ("c" if name.endswith("python_client") else "")
            return run([self.bin / "python", "-c", code], work, env={"PYTHONPATH": str(path)}, capture=True)
        work = self.build / name.replace("_", "-")
        (work / "Example.java").write_text(code, "utf-8")
        classpath = "target/classes" + os.pathsep + (work / "classpath.txt").read_text().strip()
        return run(["java", "-cp", classpath, "Example.java"], work, capture=True)


# What each client cannot do, as docs/clients.md says; everything else it must.
CANNOT = {"java_native": {"decode.octets"}}
ORDER = [
    "go",
    "typescript_openapi_fetch",
    "typescript_fetch",
    "python_openapi_python_client",
    "python_openapi_generator",
    "java_okhttp",
    "java_native",
]


def csharp(clients):
    """Generates the C# client; compiles it only where there is a .NET SDK. Gives what to say of it."""
    work = clients.fresh("csharp")
    clients.openapi_generator("csharp", work, "packageName=Mxrest.Client")
    sources = list(work.glob("src/Mxrest.Client/**/*.cs"))
    if not sources:
        raise Failed("no C# sources")
    if shutil.which("dotnet") is None:
        return f"{len(sources)} files generated; not compiled, since there is no .NET SDK here"
    run(["dotnet", "build", "src/Mxrest.Client"], work, timeout=900)
    return f"{len(sources)} files generated and compiled"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", help="names of clients, separated by commas")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else [*ORDER, "csharp"]
    passed = failed = 0
    servers = []
    try:
        servers.append(Server(args.build, with_key=True))
        servers.append(Server(args.build, with_key=False))
        server = servers[0]
        want = expected(server)
        shown = snippets()
        clients = Clients(args.build, *servers)
        clients.document.write_bytes(server.curl("/openapi.yaml")[1])
        for name in [n for n in ORDER if n in only]:
            start = time.monotonic()
            try:
                got = dict(line.split(" ", 1) for line in getattr(clients, name)().splitlines() if " " in line)
            except (Failed, subprocess.TimeoutExpired) as why:
                print(f"FAIL {name}: {why}")
                failed += 1
                continue
            good = 0
            for key, value in want.items():
                if key in CANNOT.get(name, ()):
                    continue
                if got.get(key) == value:
                    good += 1
                else:
                    print(f"FAIL {name} {key}\n  curl:   {value}\n  client: {got.get(key)}")
                    failed += 1
            for i, (_, output) in enumerate(shown.get(name, [])):
                try:
                    printed = clients.example(name, i)
                except (Failed, subprocess.TimeoutExpired) as why:
                    printed = str(why)
                if printed.strip() == output.strip():
                    passed += 1
                else:
                    print(f"FAIL {name}, example {i + 1} of docs/clients.md\n  it says:   {output}\n  it prints: {printed}")
                    failed += 1
            passed += good
            print(f"{'ok  ' if good == len(want) - len(CANNOT.get(name, ())) else 'FAIL'} {name}: "
                  f"{good} of {len(want) - len(CANNOT.get(name, ()))} the same as curl's, "
                  f"{time.monotonic() - start:.0f} s", flush=True)  # fmt: skip
        if "csharp" in only:
            try:
                print("ok   csharp:", csharp(clients), flush=True)
                passed += 1
            except (Failed, subprocess.TimeoutExpired) as why:
                print(f"FAIL csharp: {why}")
                failed += 1
    except Failed as why:
        print("FAIL", why)
        failed += 1
    finally:
        for server in servers:
            server.stop()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
