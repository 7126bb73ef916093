#!/usr/bin/env python3
"""Plays a debate with the client that openapi-python-client generates from openapi.json.

    tests/python_client.py AWEAVE_SERVER

The generator is installed into a temporary folder, for which the network is needed. A warning of the generator is a failure.
"""

import os
import re
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
GENERATOR = ["openapi-python-client==0.29.1", "ruff==0.17.6"]


def main(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        tools = folder / "venv/bin"
        subprocess.run([tools / "pip", "install", "--quiet", *GENERATOR], check=True)
        generate = [tools / "openapi-python-client", "generate", "--fail-on-warning"]
        generate += ["--path", REPOSITORY / "openapi.json", "--output-path", folder / "client"]
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(generate, check=True, env={**os.environ, "PATH": path})
        settings = {"HOME": str(folder), "DEBATE_DB_PATH": str(folder / "debate.db"), "RUST_LOG": "warn"}
        running = subprocess.Popen([server, "--port", "0"], env=settings, stdout=subprocess.PIPE, text=True)
        try:
            url = re.match(r"listening on (\S+)", running.stdout.readline()).group(1)
            env = {**os.environ, "PYTHONPATH": str(folder / "client")}
            subprocess.run([tools / "python", __file__, "--play", url], check=True, env=env)
        finally:
            running.terminate()
            running.wait()


def play(url):
    from aweave_debate_client import Client
    from aweave_debate_client import models
    from aweave_debate_client.api.default import (
        debate_appeal,
        debate_create,
        debate_get_context,
        debate_issues,
        debate_list,
        debate_record,
        debate_request_completion,
        debate_ruling,
        debate_submit,
        debate_wait,
        document_create,
        document_get,
        info,
        ruling_wait,
    )

    client = Client(base_url=url)
    fresh = lambda: str(uuid.uuid4())

    def data(answer):
        assert not isinstance(answer, models.Failed), answer
        assert answer.success, answer
        return answer.data

    limits = data(info.sync(client=client)).limits
    assert limits.max_issues == 500, limits
    plan = models.DocumentSubmit(summary="Plan", content="Keep the price list in memory.\n")
    document = data(document_create.sync(client=client, body=plan)).document
    cited = f"doc_id={document.id} v1"
    debate_id = uuid.uuid4()
    motion = models.DebateCreate(
        debate_id=debate_id,
        title="Cache the price list",
        debate_type=models.DebateType.CODING_PLAN_DEBATE,
        motion_content=f"See {cited}.",
        client_request_id=fresh(),
    )
    opened = data(debate_create.sync(client=client, body=motion))
    assert opened.debate.state == "AWAITING_OPPONENT", opened
    assert opened.argument.citations[0].document_id == document.id, opened

    def claim(role, target, text, changes):
        body = models.ArgumentSubmit(
            role=role, target_id=target, content=text, client_request_id=fresh(), issue_changes=changes
        )
        return data(debate_submit.sync(debate_id, client=client, body=body))

    seen = data(debate_wait.sync(debate_id, client=client, role=models.Role.OPPONENT, timeout=5))
    assert seen.action == "respond", seen
    raised = models.IssueChangeSubmit(change="raise", severity="high", title="Lost on restart")
    answered = claim(models.Side.OPPONENT, seen.argument.id, "One point.", [raised])
    assert answered.changed_issues[0].id == "I1", answered
    seen = data(
        debate_wait.sync(
            debate_id, client=client, role=models.Role.PROPOSER, argument_id=opened.argument.id, timeout=5
        )
    )
    assert [issue.status for issue in seen.issues] == ["open"], seen

    # A refusal has its code and what belongs to it.
    finish = models.ResolutionSubmit(target_id=seen.argument.id, content="All is agreed.", client_request_id=fresh())
    refused = debate_request_completion.sync(debate_id, client=client, body=finish)
    assert isinstance(refused, models.Failed) and refused.error.code == "ISSUES_OPEN", refused
    assert refused.error.issues[0].id == "I1", refused

    appeal = models.AppealSubmit(
        target_id=seen.argument.id,
        content="Does it matter?",
        client_request_id=fresh(),
        options=[models.AppealOptionSubmit(label="Yes"), models.AppealOptionSubmit(label="No", detail="rare")],
        issue_changes=[models.IssueChangeSubmit(change="refer", issue="I1")],
    )
    appealed = data(debate_appeal.sync(debate_id, client=client, body=appeal))
    assert [option.label for option in appealed.argument.options] == ["Yes", "No", "Something else"], appealed
    due = data(ruling_wait.sync(client=client, role=models.RulingWaitRole.ARBITRATOR, timeout=5))
    assert due.debates[0].id == debate_id, due
    dismissed = models.IssueChangeSubmit(change="dismiss", issue="I1")
    ruling = models.RulingSubmit(content="No.", chosen_option=1, issue_changes=[dismissed])
    ruled = data(debate_ruling.sync(debate_id, client=client, body=ruling))
    assert ruled.debate_state == "AWAITING_PROPOSER", ruled
    finish = models.ResolutionSubmit(
        target_id=ruled.argument.id, content=f"Agreed: {cited}.", client_request_id=fresh()
    )
    data(debate_request_completion.sync(debate_id, client=client, body=finish))
    closing = models.RulingSubmit(content="Closed.", close=True)
    closed = data(debate_ruling.sync(debate_id, client=client, body=closing))
    assert closed.action == "debate_closed", closed

    context = data(debate_get_context.sync(debate_id, client=client))
    assert [argument.seq for argument in context.arguments] == [2, 3, 4, 5, 6], context
    ledger = data(debate_issues.sync(debate_id, client=client, history=True))
    assert [entry.change for entry in ledger.issues[0].history] == ["raise", "refer", "dismiss"], ledger
    record = data(debate_record.sync(debate_id, client=client)).record
    assert record.outcome == "agreed" and record.plan.document_id == document.id, record
    assert data(debate_list.sync(client=client, q="price")).total == 1
    assert data(document_get.sync(document.id, client=client)).version.content == plan.content
    print(f"{context.debate.last_seq} arguments, {context.debate.state}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(sys.argv[2])
    else:
        main(*sys.argv[1:])
