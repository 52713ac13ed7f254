"""A PyTorch trainer that keeps Muster's contract of stop and resume; docs/life.md explains it.

It saves its work now and then, and at once when it is told that it will be stopped. It says so on its own pod, so that the stop
need not wait any longer. Told to end before its work is complete, it ends with an error: exit code 0 would say that it is done.

Environment: CHECKPOINTS (a folder that outlives the pod), ANNOTATIONS (the downward API file with the pod's annotations), STEPS,
SAVE_EVERY (steps), MUSTER_ATTEMPT (given by Muster). To say that it has saved, it needs POD_NAME, POD_NAMESPACE and an account
that may patch pods; without them it only saves.
"""

import json
import os
import pathlib
import signal
import ssl
import sys
import time
import urllib.request
from datetime import datetime, timezone

import torch

ACCOUNT = pathlib.Path("/var/run/secrets/kubernetes.io/serviceaccount")
SAVED = pathlib.Path(os.environ.get("CHECKPOINTS", "/checkpoints")) / "last.pt"
ANNOTATIONS = pathlib.Path(os.environ.get("ANNOTATIONS", "/etc/muster/annotations"))


def stop_at():
    """The time at which Muster will stop this job, as text; empty while it will not."""
    try:
        lines = ANNOTATIONS.read_text().splitlines()
    except FileNotFoundError:
        return ""
    marks = dict(line.split("=", 1) for line in lines if "=" in line)
    return json.loads(marks.get("muster.dev/stop-at", '""'))


def save(step, model, optimizer):
    """A checkpoint is there whole or not at all, also when the pod is killed while it writes."""
    unfinished = SAVED.with_suffix(".new")
    torch.save({"step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, unfinished)
    os.replace(unfinished, SAVED)
    tell_saved()


def tell_saved():
    """Notes on the own pod that the work is saved up to now."""
    name, namespace = os.environ.get("POD_NAME"), os.environ.get("POD_NAMESPACE")
    if not name or not namespace or not (ACCOUNT / "token").exists():
        return
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    request = urllib.request.Request(
        f"https://kubernetes.default.svc/api/v1/namespaces/{namespace}/pods/{name}",
        data=json.dumps({"metadata": {"annotations": {"muster.dev/last-checkpoint": now}}}).encode(),
        method="PATCH",
        headers={
            "Authorization": "Bearer " + (ACCOUNT / "token").read_text(),
            "Content-Type": "application/merge-patch+json",
        },
    )
    try:
        urllib.request.urlopen(request, context=ssl.create_default_context(cafile=ACCOUNT / "ca.crt"), timeout=5)
    except OSError as error:  # the work is saved all the same; the stop only waits for its whole grace
        print("could not tell that the work is saved:", error, flush=True)


def main():
    torch.manual_seed(0)
    model = torch.nn.Linear(64, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    step = 0
    if SAVED.exists():
        state = torch.load(SAVED)
        step = state["step"]
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
    print(f"attempt {os.environ.get('MUSTER_ATTEMPT', '1')} begins at step {step}", flush=True)

    ending = []
    signal.signal(signal.SIGTERM, lambda number, frame: ending.append(number))
    told = ""
    steps, every = int(os.environ.get("STEPS", "10000")), int(os.environ.get("SAVE_EVERY", "500"))
    while step < steps:
        inputs = torch.randn(256, 64)
        loss = (model(inputs) - inputs.sum(dim=1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        time.sleep(float(os.environ.get("PAUSE", "0")))
        if ending:
            save(step, model, optimizer)
            print(f"ended at step {step} of {steps}", flush=True)
            sys.exit(128 + ending[0])
        notice = stop_at()
        if notice and notice != told:
            told = notice
            save(step, model, optimizer)
            print(f"told that it will be stopped at {notice}; saved at step {step}", flush=True)
        elif step % every == 0:
            save(step, model, optimizer)
    save(step, model, optimizer)
    print(f"complete after {step} steps", flush=True)


if __name__ == "__main__":
    main()
