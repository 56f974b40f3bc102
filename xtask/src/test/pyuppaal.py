"""Points PyUPPAAL, a client of verifyta that others wrote, at our program: verdicts and traces must come through."""

import os
import shutil
import stat
import sys
import tempfile

import pyuppaal
from pyuppaal import UModel


def expect(condition, what):
    if not condition:
        sys.exit(f"PyUPPAAL: {what}")
    print(f"ok: {what}")


def main(verifyta, examples):
    # The package carries a reader of trace files without the permission to run it.
    reader = os.path.join(os.path.dirname(pyuppaal.__file__), "utap", "tracer_linux")
    if sys.platform.startswith("linux"):
        os.chmod(reader, os.stat(reader).st_mode | stat.S_IXUSR)

    pyuppaal.set_verifyta_path(verifyta)
    folder = tempfile.mkdtemp()
    try:
        check_lamp(os.path.join(examples, "lamp.xml"), folder)
        check_fischer(os.path.join(examples, "fischer-flawed.xml"), folder)
    finally:
        shutil.rmtree(folder)


def model(path, folder, queries):
    copy = os.path.join(folder, os.path.basename(path))
    shutil.copy(path, copy)
    loaded = UModel(copy)
    loaded.queries = queries
    loaded.save()
    return loaded


def check_lamp(path, folder):
    lamp = model(path, folder, ["E<> Lamp.Steady"])
    expect("is satisfied" in lamp.verify(), "a satisfied query is read as satisfied")
    trace = lamp.easy_verify()
    expect(trace is not None, "the trace of the lamp is loaded")
    expect(trace.actions == ["press", "press"], f"its actions are two presses: {trace.actions}")
    expect(trace.states[-1] == ["Lamp.Steady", "Person.Walking"], f"it ends where asked: {trace.states[-1]}")


def check_fischer(path, folder):
    query = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j"
    fischer = model(path, folder, [query])
    answer = fischer.verify()
    expect("NOT satisfied" in answer, "a violated query is read as violated")
    trace = fischer.easy_verify()
    expect(trace is not None, "the counter-example is loaded")
    expect(len(trace.transitions) == 6, f"it has 6 transitions: {len(trace.transitions)}")
    critical = [place for place in trace.states[-1] if place.endswith(".Critical")]
    expect(len(critical) == 2, f"two processes are critical at its end: {trace.states[-1]}")
    turn = trace.global_variables[-1]
    expect("turn=2" in str(turn), f"variables come along: {turn}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
