/**
 * The Python side of a kernel: it starts one with the user's own `jupyter_client` and speaks JSON lines over stdio.
 * Why not ZeroMQ in Node: a native addon would have to be shipped for every platform, and whoever has an ipykernel has
 * jupyter_client too. A string, so that it survives bundling. Python 3.7 and jupyter_client 6 are enough for it.
 */
export const BRIDGE_SCRIPT = String.raw`"""Runs one Jupyter kernel for the process that holds our stdin, and ends the kernel when that is closed."""
import collections
import importlib.util
import json
import os
import shutil
import signal
import sys
import threading
import time

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # whatever a library prints must not be taken for an answer

IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
TEXTS = ("image/svg+xml", "text/plain", "text/markdown", "text/latex", "text/html", "application/json")
END = b""
END_SECONDS = 8  # for the kernel to end by itself once our stdin is closed


def say(event, **fields):
    answers.write(json.dumps(dict(fields, event=event)).encode("ascii") + b"\n")
    answers.flush()


class Failed(Exception):
    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


class Kernel:
    def __init__(self, order):
        from jupyter_client.manager import KernelManager

        self.order = order
        self.pid = None
        self.log = collections.deque(maxlen=40)
        if order["kernel"] or not order["own"]:
            self.manager = KernelManager(kernel_name=installed(order["kernel"]))
        elif importlib.util.find_spec("ipykernel"):
            self.manager = KernelManager(kernel_name="python3", kernel_spec_manager=own_specs())
            if os.name == "posix" and len(order["folder"]) < 80:
                # Sockets in a folder of ours: a port could be read by every user of this machine.
                self.manager.transport = "ipc"
        else:
            raise Failed("no-kernel", "there is no ipykernel")
        self.manager.shutdown_wait_time = 4
        self.manager.connection_file = os.path.join(order["folder"], "kernel.json")

    def start(self):
        read, write = os.pipe()
        threading.Thread(target=self.keep_log, args=(read,), daemon=True).start()
        try:
            self.manager.start_kernel(cwd=self.order["cwd"], stdout=write, stderr=write)
        finally:
            os.close(write)
        process = getattr(self.manager, "provisioner", None) or getattr(self.manager, "kernel", None)
        self.pid = getattr(process, "pid", None)
        say("launched", pid=self.pid)

    def keep_log(self, fd):
        with os.fdopen(fd, "rb") as pipe:
            for line in iter(lambda: pipe.readline(1000), b""):
                self.log.append(line.decode("utf-8", "replace"))

    def connect(self, context, kind, channel):
        info = self.manager.get_connection_info()
        socket = context.socket(kind)
        socket.linger = 0
        socket.rcvhwm = 0  # nothing is dropped on our side, however fast it comes
        separator = ":" if info["transport"] == "tcp" else "-"
        socket.connect("%s://%s%s%s" % (info["transport"], info["ip"], separator, info[channel + "_port"]))
        return socket

    def end(self):
        try:
            self.manager.shutdown_kernel(now=False)
        except Exception as error:
            print(error, file=sys.stderr)
        self.kill()

    def kill(self):
        """The kernel, and what the code has started and left running."""
        if self.pid and hasattr(os, "killpg"):
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except OSError:
                pass


def own_specs():
    """This interpreter is the kernel's, whatever specs are installed; and code of agents stays out of the user's history."""
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

    class OwnSpecs(KernelSpecManager):
        def get_kernel_spec(self, kernel_name):
            options = ["-f", "{connection_file}", "--HistoryManager.enabled=False"]
            argv = [sys.executable, "-m", "ipykernel_launcher"] + options
            return KernelSpec(argv=argv, display_name="Python", language="python")

    return OwnSpecs()


def installed(wanted):
    """The name of a Python kernel among the specs in the standard places."""
    from jupyter_client.kernelspec import KernelSpecManager

    specs = KernelSpecManager()
    names = sorted(specs.find_kernel_specs(), key=lambda name: (name != "python3", name))
    if wanted:
        if wanted in names:
            return wanted
        raise Failed("no-kernel", "there is no kernel %r, only: %s" % (wanted, ", ".join(names) or "none"))
    for name in names:
        try:
            spec = specs.get_kernel_spec(name)
        except Exception:
            continue
        if spec.language.lower() == "python" and spec.argv and shutil.which(spec.argv[0]):
            return name
    raise Failed("no-kernel", "no kernel for Python is installed")


class Run:
    def __init__(self, id):
        self.id = id
        self.begun = False
        self.interrupt = False
        self.reply = None
        self.idle_at = None
        self.heard_at = time.monotonic()

    def over(self):
        now = time.monotonic()
        if self.idle_at is not None:
            # An interrupt at the wrong moment costs the reply; it would have been sent before the idle.
            return self.reply is not None or now - self.idle_at > 1
        # A flood may have cost the idle.
        return self.reply is not None and now - self.heard_at > 3


class Bridge:
    def __init__(self, kernel, context, inbox):
        import zmq

        self.zmq = zmq
        self.kernel = kernel
        self.session = kernel.manager.session
        self.inbox = inbox
        self.run = None
        self.shell = kernel.connect(context, zmq.DEALER, "shell")
        self.iopub = kernel.connect(context, zmq.SUB, "iopub")
        self.iopub.setsockopt(zmq.SUBSCRIBE, b"")
        self.poller = zmq.Poller()
        for socket in (inbox, self.shell, self.iopub):
            self.poller.register(socket, zmq.POLLIN)

    def messages(self, socket):
        for _ in range(100):  # then the parent is heard again
            try:
                _, message = self.session.recv(socket, self.zmq.NOBLOCK)
            except ValueError:  # not signed with our key
                continue
            if message is None:
                return
            yield message

    def alive(self):
        return self.kernel.manager.is_alive()

    def get_ready(self):
        """Until the kernel answers and is heard on iopub too, where a subscription takes a moment."""
        answered = heard = False
        asked = 0
        deadline = time.monotonic() + self.kernel.order["startSeconds"]
        while not (answered and heard):
            if time.monotonic() - asked > 0.5:
                asked = time.monotonic()
                self.session.send(self.shell, "kernel_info_request", content={})
            events = dict(self.poller.poll(100))
            if self.inbox in events and self.inbox.recv() == END:
                return False
            answered = any([True for _ in self.messages(self.shell)]) or answered
            heard = any([True for _ in self.messages(self.iopub)]) or heard
            if not self.alive():
                raise Failed("start", "it ended at once")
            if time.monotonic() > deadline:
                raise Failed("start", "it did not answer within %d s" % self.kernel.order["startSeconds"])
        return True

    def serve(self):
        while True:
            events = dict(self.poller.poll(250 if self.run else 2000))
            if self.inbox in events:
                line = self.inbox.recv()
                if line == END:
                    return
                if not self.obey(json.loads(line)):
                    return
            self.listen()
            if self.run and self.run.interrupt and self.run.begun:
                self.run.interrupt = False
                self.kernel.manager.interrupt_kernel()
            if self.run and self.run.over():
                self.finish()
            if not events and not self.alive():
                self.listen()
                say("died", begun=self.run is not None)
                return

    def obey(self, order):
        if order["op"] == "run":
            if not self.alive():  # it ended between two calls, and this one can still go to another
                say("died", begun=False)
                return False
            content = {
                "code": order["code"],
                "silent": False,
                "store_history": True,
                "user_expressions": {},
                "allow_stdin": False,
                "stop_on_error": False,
            }
            self.run = Run(self.session.send(self.shell, "execute_request", content=content)["header"]["msg_id"])
        elif order["op"] == "interrupt" and self.run:
            self.run.interrupt = True  # once the code has begun: an idle kernel ignores it
        return True

    def listen(self):
        for message in self.messages(self.iopub):
            if self.is_ours(message):
                self.run.heard_at = time.monotonic()
                self.publish(message["header"]["msg_type"], message["content"])
        for message in self.messages(self.shell):
            if self.is_ours(message):
                self.run.reply = message["content"]

    def is_ours(self, message):
        return self.run is not None and message["parent_header"].get("msg_id") == self.run.id

    def publish(self, kind, content):
        if kind == "status":
            if content["execution_state"] == "idle":
                self.run.idle_at = time.monotonic()
            return
        self.run.begun = True
        if kind == "stream":
            self.text(content["text"])
        elif kind in ("execute_result", "display_data", "update_display_data"):
            display = (content.get("transient") or {}).get("display_id")
            self.show(content["data"], {"display": display, "update": kind.startswith("update")} if display else {})
        elif kind == "error":
            text = "\n".join(content.get("traceback") or []) or "%s: %s" % (content["ename"], content["evalue"])
            say("error", text=text[-self.kernel.order["text"] :], name=content["ename"])
        elif kind == "clear_output":
            say("clear", wait=bool(content.get("wait")))

    def show(self, data, fields):
        for kind in IMAGES:
            if kind in data:
                image = "".join(data[kind].split())
                too_big = len(image) > self.kernel.order["image"]
                return say("image", mimeType=kind, **dict(fields, **({"cut": len(image)} if too_big else {"data": image})))
        for kind in TEXTS:
            if kind in data:
                value = data[kind]
                self.text(value if isinstance(value, str) else json.dumps(value), alone=True, **fields)
                return

    def text(self, text, **fields):
        limit = self.kernel.order["text"]
        say("text", text=text[:limit], cut=max(0, len(text) - limit), **fields)

    def finish(self):
        for payload in (self.run.reply or {}).get("payload") or []:
            if payload.get("source") == "page":  # what help? shows
                self.text(payload["data"].get("text/plain", ""), alone=True)
        self.run = None
        say("done")


def hear(context, kernel_of):
    """Passes lines on from stdin; when the parent is gone and the kernel does not end, it is killed."""
    import zmq

    outbox = context.socket(zmq.PAIR)
    outbox.connect("inproc://parent")
    parts = []
    while True:
        try:
            chunk = os.read(0, 65536)
        except OSError:
            chunk = b""
        if not chunk:
            break
        lines = chunk.split(b"\n")
        for line in lines[:-1]:
            outbox.send(b"".join(parts) + line)
            parts = []
        parts.append(lines[-1])
    outbox.send(END)
    time.sleep(END_SECONDS)
    kernel = kernel_of()
    leave(kernel.order["folder"] if kernel else None, kernel.kill if kernel else None)


def leave(folder, end):
    if end:
        end()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def stop(*_):
    raise SystemExit


def main():
    kernel = folder = None
    try:
        # Ctrl-C in a terminal is for our parent. A function, because a kernel would inherit SIG_IGN.
        signal.signal(signal.SIGINT, lambda *_: None)
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), stop)
        try:
            import jupyter_client.manager  # noqa: F401
            import zmq
        except ImportError as error:
            raise Failed("no-client", str(error))
        context = zmq.Context()
        inbox = context.socket(zmq.PAIR)
        inbox.bind("inproc://parent")
        threading.Thread(target=hear, args=(context, lambda: kernel), daemon=True).start()
        line = inbox.recv()
        if line == END:
            return
        order = json.loads(line)
        folder = order["folder"]
        kernel = Kernel(order)
        try:
            kernel.start()
        except Exception as error:
            raise Failed("start", str(error))
        bridge = Bridge(kernel, context, inbox)
        if bridge.get_ready():
            say("ready", python=sys.executable)
            bridge.serve()
    except Failed as error:
        log = "".join(kernel.log).strip() if kernel else ""
        say("failed", reason=error.reason, message=str(error), log=log[-2000:])
    except (SystemExit, BrokenPipeError):
        pass
    finally:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), lambda *_: None)
        leave(folder, kernel.end if kernel and kernel.pid else None)


main()
`;
