"""The four interfaces through which agent programs ask a model: how a request is read, and how an answer is written.

A request becomes a `Conversation`: what the program offers (tools) and what happened so far (calls with their output). An answer is
`Say`, `Call`, `Shell` or `Refuse`; `Shell` is a call of the program's own tool for commands, whatever its name there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field


@dataclass
class Made:
    """A call of a tool that the model made before, and what came of it."""

    name: str
    arguments: object
    output: str = ""


@dataclass
class Conversation:
    """What a request tells."""

    tools: list[str]
    calls: list[Made] = field(default_factory=list)
    user: list[str] = field(default_factory=list)
    system: str = ""
    body: dict = field(default_factory=dict)

    @property
    def output(self) -> str:
        """What came of the newest call."""
        return self.calls[-1].output if self.calls else ""

    def tool(self, end: str) -> str | None:
        """The tool whose name ends so: programs put the server's name before those of a server."""
        return next((tool for tool in self.tools if tool.replace("-", "_").endswith(end)), None)


@dataclass
class Say:
    """The model's last words of a turn."""

    text: str


@dataclass
class Call:
    """A call of a tool."""

    name: str
    arguments: object


@dataclass
class Shell:
    """A command, in the program's own tool for commands."""

    command: str
    # How long the program is asked to let it run; None asks for nothing.
    seconds: int | None = None


@dataclass
class Refuse:
    """No answer, but an HTTP error; with `text` that instead of JSON."""

    status: int
    text: str | None = None


def text_of(content) -> str:
    """The text in a message's content, which is a text, a part, or a list of parts."""
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "\n".join(text_of(part) for part in content)
        case {"text": str(text)} | {"output": str(text)}:
            return text
        case {"content": inner}:
            return text_of(inner)
    return json.dumps(content)


def arguments_of(text):
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


# Programs that have several tools for commands offer one of them at a time.
def as_call(answer: Shell, tools: list[str], is_copilot: bool) -> Call | Say:
    """The call of the program's own tool for a command."""
    seconds, command = answer.seconds, answer.command
    described = {"command": command, "description": "run aw"}
    with_timeout = described | ({"timeout": seconds * 1000} if seconds else {})
    if "exec_command" in tools:
        return Call("exec_command", {"cmd": command} | ({"yield_time_ms": seconds * 1000} if seconds else {}))
    if "Bash" in tools:
        return Call("Bash", with_timeout)
    if "run_shell_command" in tools:
        return Call("run_shell_command", described)
    if "bash" in tools and is_copilot:
        return Call("bash", described | {"mode": "sync"} | ({"initial_wait": seconds} if seconds else {}))
    if "bash" in tools:
        return Call("bash", with_timeout)
    return Say("there is no tool for commands among: " + " ".join(tools))


class Responses:
    """OpenAI Responses, for codex."""

    @staticmethod
    def read(body: dict) -> Conversation:
        found = Conversation(tools=[], system=body.get("instructions") or "", body=body)
        for tool in body.get("tools", []):
            if tool.get("type") == "namespace":
                found.tools += [tool["name"] + inner["name"] for inner in tool.get("tools", [])]
            else:
                found.tools.append(tool.get("name") or tool["type"])
        made = {}
        for item in body.get("input", []):
            match item.get("type", "message"):
                case "message" if item.get("role") == "user":
                    found.user.append(text_of(item.get("content")))
                case "message" if item.get("role") in ("developer", "system"):
                    found.system += "\n" + text_of(item.get("content"))
                case "function_call" | "custom_tool_call":
                    arguments = arguments_of(item.get("arguments", item.get("input")))
                    name = (item.get("namespace") or "") + item["name"]
                    made[item["call_id"]] = Made(name, arguments)
                case "function_call_output" | "custom_tool_call_output" if item.get("call_id") in made:
                    made[item["call_id"]].output = text_of(item.get("output"))
                    found.calls.append(made[item["call_id"]])
        return found

    @staticmethod
    def write(number: int, body: dict, answer: Say | Call):
        if isinstance(answer, Say):
            content = [{"type": "output_text", "text": answer.text, "annotations": []}]
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
        else:
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": answer.name}
            item["arguments"] = json.dumps(answer.arguments)
            for tool in body.get("tools", []):
                names = [tool["name"] + inner["name"] for inner in tool.get("tools", [])] if tool.get("type") == "namespace" else []
                if answer.name in names:
                    item |= {"name": answer.name.removeprefix(tool["name"]), "namespace": tool["name"]}
        item["status"] = "completed"
        usage = {"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 100}, "output_tokens": 50}
        usage |= {"output_tokens_details": {"reasoning_tokens": 10}, "total_tokens": 1050}
        response = {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": "completed"}
        response |= {"model": body.get("model"), "output": [item], "usage": usage}
        yield "response.created", {"type": "response.created", "response": response | {"status": "in_progress", "output": [], "usage": None}}
        yield "response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": item}
        yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield "response.completed", {"type": "response.completed", "response": response}


class Messages:
    """Anthropic Messages, for claude-code."""

    @staticmethod
    def read(body: dict) -> Conversation:
        found = Conversation([tool["name"] for tool in body.get("tools", [])], system=text_of(body.get("system")), body=body)
        made = {}
        for message in body.get("messages", []):
            content = message["content"] if isinstance(message["content"], list) else [{"type": "text", "text": message["content"]}]
            for part in content:
                match part.get("type"):
                    case "tool_use":
                        made[part["id"]] = Made(part["name"], part["input"])
                    case "tool_result" if part["tool_use_id"] in made:
                        made[part["tool_use_id"]].output = text_of(part.get("content"))
                        found.calls.append(made[part["tool_use_id"]])
                    case "text" if message["role"] == "user":
                        found.user.append(part["text"])
        return found

    @staticmethod
    def write(number: int, body: dict, answer: Say | Call):
        if isinstance(answer, Say):
            reason, block, empty = "end_turn", {"type": "text", "text": answer.text}, {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": answer.text}
        else:
            reason = "tool_use"
            block = {"type": "tool_use", "id": f"toolu_{number:024d}", "name": answer.name, "input": answer.arguments}
            empty, delta = block | {"input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
        usage = {"input_tokens": 1000, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 100, "output_tokens": 50}
        message = {"id": f"msg_{number:024d}", "type": "message", "role": "assistant", "model": body.get("model")}
        message |= {"stop_sequence": None, "usage": usage}
        if not body.get("stream"):
            yield None, message | {"content": [block], "stop_reason": reason}
            return
        yield "message_start", {"type": "message_start", "message": message | {"content": [], "stop_reason": None}}
        yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}
        yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": 0}
        yield "message_delta", {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 50}}
        yield "message_stop", {"type": "message_stop"}


class Gemini:
    """Gemini, for gemini."""

    @staticmethod
    def read(body: dict) -> Conversation:
        declared = [one["name"] for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])]
        found = Conversation(declared, system=text_of((body.get("systemInstruction") or {}).get("parts")), body=body)
        open_calls = []
        for content in body.get("contents", []):
            for part in content.get("parts", []):
                match part:
                    case {"functionCall": call}:
                        open_calls.append(Made(call["name"], call.get("args", {})))
                    case {"functionResponse": response}:
                        made = next(call for call in open_calls if call.name == response["name"])
                        open_calls.remove(made)
                        told = response.get("response", {})
                        made.output = told["output"] if isinstance(told.get("output"), str) else json.dumps(told)
                        found.calls.append(made)
                    case {"text": text} if content.get("role") == "user":
                        found.user.append(text)
        return found

    @staticmethod
    def write(number: int, body: dict, answer: Say | Call):
        part = {"text": answer.text} if isinstance(answer, Say) else {
            "functionCall": {"id": f"call_{number}", "name": answer.name, "args": answer.arguments}
        }
        usage = {"promptTokenCount": 1000, "candidatesTokenCount": 50, "totalTokenCount": 1050, "cachedContentTokenCount": 100}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        yield None, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-pro", "responseId": f"r{number}"}


class Chat:
    """OpenAI Chat Completions, for opencode and copilot."""

    @staticmethod
    def read(body: dict) -> Conversation:
        found = Conversation([tool[tool["type"]]["name"] for tool in body.get("tools", [])], body=body)
        made = {}
        for message in body.get("messages", []):
            text = text_of(message.get("content"))
            match message["role"]:
                case "system" | "developer":
                    found.system += text
                case "user":
                    found.user.append(text)
                case "assistant":
                    for call in message.get("tool_calls") or []:
                        called = call["function"]
                        made[call["id"]] = Made(called["name"], arguments_of(called["arguments"]))
                case "tool" if message["tool_call_id"] in made:
                    made[message["tool_call_id"]].output = text
                    found.calls.append(made[message["tool_call_id"]])
        return found

    @staticmethod
    def write(number: int, body: dict, answer: Say | Call):
        base = {"id": f"chatcmpl-{number}", "created": 1, "model": body.get("model")}
        usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
        if isinstance(answer, Say):
            message, reason = {"role": "assistant", "content": answer.text}, "stop"
        else:
            called = {"name": answer.name, "arguments": json.dumps(answer.arguments)}
            call = {"id": f"call_{number}", "type": "function", "function": called}
            message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            yield None, base | {"object": "chat.completion", "choices": [choice], "usage": usage}
            return
        delta = message | ({"tool_calls": [{"index": 0} | call for call in message["tool_calls"]]} if "tool_calls" in message else {})
        chunk = base | {"object": "chat.completion.chunk"}
        yield None, chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        yield None, chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        yield None, chunk | {"choices": [], "usage": usage}
        yield None, "[DONE]"


def api_of(path: str):
    """The interface that a path belongs to; None for another path."""
    path = path.split("?")[0]
    ends = {"/responses": Responses, "/messages": Messages, "/chat/completions": Chat}
    ends |= {":generateContent": Gemini, ":streamGenerateContent": Gemini}
    return next((api for end, api in ends.items() if path.endswith(end)), None)
