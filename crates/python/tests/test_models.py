"""Looking at models, walking through them, building and editing them."""

import xml.etree.ElementTree as ET
from fractions import Fraction

import merkhet
import pytest

LAMP = """
    clock x;
    int[0,3] n;
    chan press;
    process Lamp() {
        state off, on { x <= 5 };
        init off;
        trans off -> on { sync press?; assign x = 0, n = n < 3 ? n + 1 : n; }, on -> off { guard x >= 2; };
    }
    process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
    system Lamp, User;
"""


@pytest.fixture
def lamp():
    return merkhet.loads(LAMP, "lamp.xta")


def test_what_a_model_has(lamp, examples):
    assert [one.name for one in lamp.processes] == ["Lamp", "User"] == lamp.templates
    assert lamp.variables == ["n"] and lamp.clocks == ["x"] and lamp.channels == ["press"]
    edges = lamp.processes[0].edges
    assert (edges[0]["source"], edges[0]["target"], edges[0]["sync"]) == ("off", "on", "press?")
    assert lamp.processes[0].locations[1] == {"name": "on", "kind": "normal", "invariant": "x <= 5"}
    handshake = merkhet.load(examples / "handshake.smv")
    assert "turn" in handshake.variables
    with pytest.raises(merkhet.UndecidableError):
        handshake.processes
    assert merkhet.load(examples / "fischer.xml").lint() == []


def test_a_symbolic_walk(lamp):
    walk = lamp.simulate()
    assert walk.state["Lamp"] == "off" and walk.state["n"] == 0
    step = walk.step(0)
    assert step.sync == "press" and [str(move) for move in step.moves] == ["User: idle -> idle", "Lamp: off -> on"]
    assert walk.state.zone == ["x <= 5"] and walk.state.bound("x") == (5, False) and walk.state.bound(None, "x") == (0, False)
    before = walk.state
    walk.step(walk.enabled()[0])
    assert walk.state["Lamp"] == "off" and len(walk.trace()) == 2
    walk.undo()
    assert walk.state == before and hash(walk.state) == hash(before)
    with pytest.raises(merkhet.Error):
        walk.step(7)
    with pytest.raises(merkhet.Error, match="concrete"):
        walk.delay(1)


def test_a_concrete_walk(lamp):
    walk = lamp.simulate(concrete=True)
    walk.delay(Fraction(1, 3))
    walk.step(0)
    assert walk.enabled() == [] and len(walk.possible()) == 1
    with pytest.raises(merkhet.Error, match="cannot be taken now"):
        walk.step(walk.possible()[0])
    with pytest.raises(merkhet.Error, match="no delay of 6"):
        walk.delay(6)
    walk.delay("5/2")
    assert walk.state["x"] == Fraction(5, 2) and walk.time == Fraction(17, 6)
    walk.step(0)
    assert walk.trace()[1].time == Fraction(17, 6)
    for _ in range(4):
        walk.undo()
    assert walk.time == 0 and walk.taken == []
    with pytest.raises(merkhet.Error, match="nothing"):
        walk.undo()


def test_states_and_their_graph(lamp):
    states = list(lamp.states())
    assert len(states) == len(set(states)) == 7
    graph = lamp.states().to_networkx()
    assert graph.number_of_nodes() == 7 and graph.graph["missing"] is None
    assert {graph.nodes[one]["state"] for one in graph} == set(states)
    assert [graph.nodes[one]["initial"] for one in graph].count(True) == 1
    labels = {data["label"] for _, _, data in graph.edges(data=True)}
    assert any("[press]" in label for label in labels)
    assert lamp.states().to_networkx(most=3).graph["missing"] == "states"


def test_a_model_is_edited_and_checked_again(examples):
    model = merkhet.load(examples / "fischer-flawed.xml")
    builder = model.edit()
    assert [query for query, _ in builder.queries] == [query.text for query in model.queries]
    process = builder["Process"]
    waiting = [edge for edge in process.edges if edge.target is process["Critical"]]
    waiting[0].guard = waiting[0].guard.replace(">=", ">")
    mended = builder.build()
    verdicts = [[one.verdict for one in which.check_all()] for which in (model, mended)]
    assert verdicts == [["satisfied", "violated", "satisfied"], ["satisfied", "satisfied", "satisfied"]]
    places = ET.fromstring(model.to_xml().split("?>", 1)[1]).iter("location")
    assert all(one.get("x") for one in places)


def test_a_model_is_built_in_code():
    net = merkhet.Builder("clock x; int n; broadcast chan go;")
    sender, receiver = net.template("Sender", "const int id"), net.template("Receiver")
    sender.location("s", invariant="x <= 2", initial=True)
    sender.edge("s", "s", guard="x >= 1", sync="go!", update="x = 0, n = n + id", select="i : int[0,1]")
    receiver.location("a", initial=True), receiver.location("b", committed=True)
    fork = receiver.branchpoint()
    receiver.edge("a", fork, sync="go?")
    receiver.edge(fork, "b", probability="1")
    receiver.edge("b", "a")
    net.system = "S = Sender(2); R = Receiver(); system S, R;"
    model = net.build("E<> n == 4")
    assert model.check().verdict == "satisfied"
    again = merkhet.parse(net.to_xml())
    assert again.build("E<> n == 4").check().verdict == "satisfied"


def test_mistakes_of_what_is_built_are_exceptions_with_places():
    net = merkhet.Builder()
    template = net.template("T")
    template.location("a", initial=True)
    edge = template.edge("a", "a", guard="y > 3 && < 2")
    with pytest.raises(merkhet.ModelError) as caught:
        net.build()
    first = caught.value.diagnostics[0]
    assert first.template == "T" and first.label == "guard" and first.xpath
    edge.guard = ""
    edge.target = merkhet.Location("elsewhere")
    with pytest.raises(merkhet.OptionError, match="elsewhere"):
        net.build()
    with pytest.raises(merkhet.OptionError, match="nowhere"):
        template.edge("a", "nowhere")


def test_languages(lamp, examples):
    assert merkhet.loads(lamp.to_xml()).check("E<> Lamp.on && n == 2").verdict == "satisfied"
    assert merkhet.loads(lamp.to_xta(), "l.xta").check("E<> Lamp.on && n == 2").verdict == "satisfied"
    assert merkhet.loads(lamp.to_tck(), "l.tck").check("explore").verdict
    with pytest.raises(merkhet.ConversionError):
        merkhet.load(examples / "handshake.smv").to_xml()


def test_explanations_and_reductions(lamp):
    seen = lamp.explain("E<> n == 3", heuristic="hu")
    assert seen.heuristic == "hu" and seen.start and seen.run[-1][1] == 0
    net = merkhet.loads(
        "int n, m; process P() { state A, B; init A; trans A -> B { assign m = 1; }; }"
        "process Q() { state A; init A; trans A -> A { guard n < 3; assign n++; }; } system P, Q;",
        "two.xta",
    )
    reduced = net.reduce("E<> n == 3", "coi")
    assert {one.name for one in reduced.removed} >= {"P", "m"}
    assert reduced.model.check("E<> n == 3").verdict == "satisfied"
    with pytest.raises(merkhet.OptionError):
        net.reduce("A<> n == 3")


def test_certificates(examples, tmp_path):
    model = merkhet.load(examples / "fischer.xml")
    proof = model.check(model.queries[0], certificate=True).certificate
    proof.save(tmp_path / "proof.cert")
    judged = merkhet.certify(examples / "fischer.xml", tmp_path / "proof.cert")
    assert judged and judged.verdict == "satisfied" and judged.query == model.queries[0].text
    flawed = merkhet.load(examples / "fischer-flawed.xml")
    refused = flawed.certify(proof)
    assert not refused and refused.why
    with pytest.raises(merkhet.CertificateError):
        model.certify(b"nonsense")
    with pytest.raises(merkhet.CertificateError):
        model.certify(proof.data[:-7])
    handshake = merkhet.load(examples / "handshake.smv")
    proof = handshake.check(handshake.queries[0], certificate=True).certificate
    assert handshake.certify(proof)


def test_pictures(lamp, examples):
    for picture in (
        lamp.draw(),
        lamp._repr_svg_(),
        lamp.draw("Lamp"),
        merkhet.load(examples / "train-gate.xml").draw(),
        lamp.check("E<> n == 3").trace.gantt(),
        lamp.check("E<> n == 3").trace._repr_svg_(),
    ):
        assert ET.fromstring(picture).tag.endswith("svg")
    assert ">off</title>" in lamp.draw("Lamp") and ">idle</title>" not in lamp.draw("Lamp")
    with pytest.raises(merkhet.ConversionError, match="nobody"):
        lamp.draw("nobody")
    html = lamp.check("E<> n == 3")._repr_html_()
    assert "satisfied" in html and html.count("<svg") == 2
    assert merkhet.load(examples / "handshake.smv")._repr_svg_() is None
