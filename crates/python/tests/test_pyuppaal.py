"""What others' packages write is read and checked: no module of compatibility is needed."""

import merkhet
import pytest


def test_a_model_that_pyuppaal_wrote(examples, tmp_path):
    pyuppaal = pytest.importorskip("pyuppaal")
    source = tmp_path / "fischer.xml"
    source.write_bytes((examples / "fischer.xml").read_bytes())
    theirs = pyuppaal.UModel(str(source))
    theirs.queries = ["E<> Process(1).Critical", "A[] not (Process(1).Critical && Process(2).Critical)"]
    theirs.save_as(str(tmp_path / "saved.xml"))
    model = merkhet.load(tmp_path / "saved.xml")
    assert [query.text for query in model.queries] == theirs.queries
    assert [result.verdict for result in model.check_all()] == ["satisfied", "satisfied"]
    assert [one.name for one in model.processes] == [one.name for one in merkhet.load(source).processes]


def test_a_model_that_uppaalpy_wrote(examples, tmp_path):
    uppaalpy = pytest.importorskip("uppaalpy", reason="uppaalpy is on no package index that is reached from here")
    nta = uppaalpy.NTA.from_xml(path=str(examples / "fischer.xml"))
    nta.to_file(path=str(tmp_path / "saved.xml"))
    model = merkhet.load(tmp_path / "saved.xml")
    assert [result.verdict for result in model.check_all()] == [
        result.verdict for result in merkhet.load(examples / "fischer.xml").check_all()
    ]
