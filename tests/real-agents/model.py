"""The scripted model: a server on 127.0.0.1 that answers as a script says, and keeps what it was asked.

A script is a function from a `Conversation` to an answer. It gets the whole conversation with each request and keeps nothing, so a
request that is repeated is answered alike. Each script has its own base URL; what a program asks there is in its `Session`.
"""

from __future__ import annotations

import gzip
import json
import threading
import traceback
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from apis import Conversation, Refuse, Say, Shell, api_of, as_call


class Session:
    """One script, and the conversations of the programs that ask it."""

    def __init__(self, url: str, script: Callable[[Conversation], object]):
        self.url = url
        self.script = script
        self.asked: list[Conversation] = []
        # What the script itself did wrong.
        self.errors: list[str] = []


class Model:
    """The server. It is used as a context."""

    def __init__(self):
        self.sessions: dict[str, Session] = {}
        self.count = 0
        self.lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                names = ["scripted", "gemini-2.5-pro", "claude-sonnet-4-5", "gpt-5.4"]
                models = [{"id": name, "object": "model", "created": 1, "owned_by": "script"} for name in names]
                self.reply(200, json.dumps({"object": "list", "data": models, "models": []}))

            def do_HEAD(self):
                self.reply(200, "")

            def do_POST(self):
                text = self.body()
                try:
                    model.answer(self, text)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def body(self) -> bytes:
                if self.headers.get("transfer-encoding", "").lower() == "chunked":
                    text = b""
                    while size := int(self.rfile.readline().strip() or b"0", 16):
                        text += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    text = self.rfile.read(int(self.headers.get("content-length") or 0))
                return gzip.decompress(text) if self.headers.get("content-encoding") == "gzip" else text

            def reply(self, status: int, text: str, kind: str = "application/json"):
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def session(self, script: Callable[[Conversation], object]) -> Session:
        """A base URL where this script answers."""
        name = f"s{len(self.sessions)}"
        self.sessions[name] = Session(f"http://127.0.0.1:{self.server.server_port}/{name}", script)
        return self.sessions[name]

    def answer(self, request, text: bytes):
        with self.lock:
            self.count += 1
            number = self.count
        session = self.sessions.get(request.path.split("/")[1])
        api = api_of(request.path)
        if session is None or api is None:
            # Counts of tokens, telemetry and the like.
            return request.reply(200, json.dumps({"input_tokens": 1000, "totalTokens": 1000}))
        body = json.loads(text)
        conversation = api.read(body)
        answer = self.decide(session, conversation, body, request.headers.get("user-agent", ""))
        if isinstance(answer, Refuse):
            told = {"type": "error", "error": {"type": "api_error", "message": "scripted", "code": answer.status}}
            return request.reply(answer.status, answer.text if answer.text is not None else json.dumps(told))
        chunks = api.write(number, body, answer)
        if not (body.get("stream") or "streamGenerateContent" in request.path):
            return request.reply(200, json.dumps(next(chunks)[1]))
        events = "".join(
            (f"event: {event}\n" if event else "") + f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n"
            for event, chunk in chunks
        )
        return request.reply(200, events, "text/event-stream")

    @staticmethod
    def decide(session: Session, conversation: Conversation, body: dict, agent: str):
        if not conversation.tools:
            # Titles, topics, summaries; a program that asks for JSON gets an object without what it asks for.
            wants_json = (body.get("generationConfig") or {}).get("responseMimeType") == "application/json"
            return Say('{"complexity_score": 1, "complexity_reasoning": "x"}' if wants_json else "A title")
        session.asked.append(conversation)
        try:
            answer = session.script(conversation)
        except Exception:
            session.errors.append(traceback.format_exc())
            answer = Say("the script failed")
        if isinstance(answer, Shell):
            is_copilot = "copilot" in (agent + conversation.system[:2000]).lower()
            answer = as_call(answer, conversation.tools, is_copilot)
        return answer
