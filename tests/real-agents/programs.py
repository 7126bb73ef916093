"""The agent programs: how each is installed, pointed at the scripted model, kept from telling others what it does, and started."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from apis import Call


def write(path: Path, content: str | dict):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")


def read(path: Path) -> dict:
    return json.loads(path.read_text())


# Lines that start a program unattended, in the order of the hosts there.
DOCS = Path(__file__).resolve().parents[2] / "docs/agents.md"


@dataclass(frozen=True)
class Program:
    """What all programs have: the package and the version that was tried, the program's file, and the name for `aw setup`."""

    package: str
    version: str
    binary: str
    host: str
    # The first of its words, where it has such commands.
    subcommand: tuple[str, ...] = ()
    # What only a scripted model needs.
    extra: tuple[str, ...] = ()

    def configure(self, home: Path, project: Path, url: str) -> dict[str, str]:
        """Writes the settings, and returns the variables that the program is started with."""
        raise NotImplementedError

    def command(self, prompt: str, with_tools: bool = False) -> list[str]:
        """The words after the program's name that make it do what the prompt says, unattended: as docs/agents.md has them, with `aw` or
        with the server of tools."""
        lines = [shlex.split(line) for line in DOCS.read_text().splitlines() if line.startswith(f"    {self.binary} ")]
        if len(lines) != 2:
            raise ValueError(f"docs/agents.md has not two command lines of {self.binary}, but {lines}")
        words = lines[with_tools][1 + len(self.subcommand) : -1]
        return [*self.subcommand, *self.extra, *words, prompt]

    def skill_prompt(self, skill: str) -> str:
        """The prompt by which a person calls a skill by its name."""
        return f"/{skill} go"

    def trust_tools(self, home: Path, project: Path):
        """What is the user's to set before the program uses a server of tools that `aw setup --mcp` entered."""

    def trust_folder(self, home: Path, project: Path):
        """What is the user's to set before settings of the project count."""

    def loads_skill(self, skill: str) -> Call | None:
        """The call by which the model loads a skill; None where the program puts the skill beside the prompt."""
        return None


class Codex(Program):
    def configure(self, home, project, url):
        # Its settings are also those that `aw setup --mcp` changes, later.
        provider = {"name": "scripted", "base_url": f"{url}/v1", "wire_api": "responses", "env_key": "SCRIPTED_KEY"}
        lines = ['model = "gpt-5.4"', 'model_provider = "scripted"', "check_for_update_on_startup = false"]
        lines += ["[analytics]", "enabled = false", "[feedback]", "enabled = false", "[otel]", 'exporter = "none"']
        lines += ["[model_providers.scripted]"] + [f"{name} = {json.dumps(value)}" for name, value in provider.items()]
        lines += [f"[projects.{json.dumps(str(project))}]", 'trust_level = "trusted"']
        write(home / ".codex/config.toml", "\n".join(lines) + "\n")
        return {"SCRIPTED_KEY": "none"}

    def skill_prompt(self, skill):
        return f"${skill} go"


class ClaudeCode(Program):
    def configure(self, home, project, url):
        off = ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER"]
        return {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none"} | dict.fromkeys(off, "1")

    def trust_folder(self, home, project):
        path = home / ".claude.json"
        settings = read(path) if path.exists() else {}
        settings.setdefault("projects", {}).setdefault(str(project), {})["hasTrustDialogAccepted"] = True
        write(path, settings)

    def loads_skill(self, skill):
        return Call("Skill", {"skill": skill, "args": ""})


# As in docs/agents.md.
GEMINI_POLICY = """\
[[rule]]
toolName = "run_shell_command"
commandPrefix = "aw"
decision = "allow"
priority = 100

[[rule]]
toolName = ["activate_skill", "write_file"]
decision = "allow"
priority = 100
"""


class Gemini(Program):
    def configure(self, home, project, url):
        settings = {
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        }
        write(home / ".gemini/settings.json", settings)
        write(home / ".gemini/policies/aweave-debate.toml", GEMINI_POLICY)
        return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "none"}

    def trust_tools(self, home, project):
        for path in (home / ".gemini/settings.json", project / ".gemini/settings.json"):
            settings = read(path) if path.exists() else {}
            if "mcpServers" in settings:
                settings["mcpServers"]["aweave-debate"]["trust"] = True
                write(path, settings)

    def loads_skill(self, skill):
        return Call("activate_skill", {"name": skill})


class Opencode(Program):
    def configure(self, home, project, url):
        model = {"name": "scripted", "tool_call": True, "limit": {"context": 200000, "output": 8000}}
        provider = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{url}/v1", "apiKey": "none"}, "models": {"scripted": model}}
        settings = {"provider": {"scripted": provider}, "model": "scripted/scripted", "autoupdate": False, "share": "disabled"}
        # As in docs/agents.md.
        settings["permission"] = {"bash": {"*": "ask", "aw *": "allow"}}
        write(home / "opencode-model.json", settings)
        return {"OPENCODE_CONFIG": str(home / "opencode-model.json"), "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}

    def loads_skill(self, skill):
        return Call("skill", {"name": skill})


class Copilot(Program):
    def configure(self, home, project, url):
        off = {"COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
        return off | {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "gpt-5.4"}

    def trust_folder(self, home, project):
        write(home / ".copilot/config.json", {"trustedFolders": [str(project)]})

    def loads_skill(self, skill):
        return Call("skill", {"skill": skill})


PROGRAMS = {
    "codex": Codex("@openai/codex", "0.169.0", "codex", "codex", subcommand=("exec",), extra=("--skip-git-repo-check",)),
    "claude-code": ClaudeCode("@anthropic-ai/claude-code", "2.1.331", "claude", "claude-code"),
    "gemini": Gemini("@google/gemini-cli", "0.61.0", "gemini", "gemini", extra=("--model", "gemini-2.5-pro")),
    "opencode": Opencode("opencode-ai", "1.18.33", "opencode", "opencode", subcommand=("run",), extra=("--model", "scripted/scripted")),
    "copilot": Copilot("@github/copilot", "1.0.102", "copilot", "copilot"),
}
