"""pytest-lsp drives the server, with the capabilities of an editor that we did not write."""

import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROGRAM = os.environ["MERKHET_PROGRAM"]
MODEL = """<?xml version="1.0" encoding="utf-8"?>
<nta><declaration>const int N = 2 + 1; chan go;</declaration>
<template><name>P</name><parameter>const int[1,N] id</parameter><declaration>clock x;</declaration>
<location id="id0"><name>A</name><label kind="invariant">x &lt;= N</label></location>
<location id="id1"><name>B</name></location><init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard">/* \U0001d11e */ x &gt;= 1 &amp;&amp; id &lt; M</label></transition>
</template><system>system P;</system>
<queries><query><formula>E&lt;&gt; P(1).B</formula><comment></comment></query></queries></nta>
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[PROGRAM, "lsp"]))
async def client(lsp_client: LanguageClient):
    capabilities = client_capabilities("visual-studio-code")
    # The editor's answers, which the library leaves to its users.
    for method in ("workspace/codeLens/refresh", "workspace/inlayHint/refresh"):
        lsp_client.feature(method)(lambda *_: None)
    lsp_client.feature("merkhet/verdict")(lambda *_: None)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


def place(text, needle, skip=0):
    """A place in lines and units of UTF-16, as the protocol counts."""
    before = text[: text.index(needle) + skip]
    line = before.rsplit("\n", 1)[-1]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def open_text(client, uri, text, language="xml", version=1):
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version, text))
    )


async def messages(client, uri, wanted):
    """Waits for messages that fulfil a condition."""
    for _ in range(400):
        found = client.diagnostics.get(uri)
        if found is not None and wanted(found):
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"no such messages: {client.diagnostics.get(uri)}")


def change(client, uri, version, start, end, text):
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, uri),
            [types.TextDocumentContentChangePartial(types.Range(start, end), text)],
        )
    )


@pytest.mark.asyncio
async def test_labels_of_xml(client, tmp_path):
    uri = (tmp_path / "model.xml").as_uri()
    open_text(client, uri, MODEL)
    document = types.TextDocumentIdentifier(uri)
    # Behind a letter of two units and three entities.
    found = await messages(client, uri, lambda found: any("M" in one.message for one in found))
    start = place(MODEL, "lt; M</label>", 4)
    error = next(one for one in found if one.severity == types.DiagnosticSeverity.Error)
    assert error.range.start == start, error
    change(client, uri, 2, start, types.Position(start.line, start.character + 1), "N")
    text = MODEL.replace("lt; M</label>", "lt; N</label>")
    await messages(
        client, uri, lambda found: not any(one.severity == types.DiagnosticSeverity.Error for one in found)
    )
    hover = await client.text_document_hover_async(
        types.HoverParams(document, place(text, "lt; N</label>", 4))
    )
    assert "= 3" in hover.contents.value, hover
    places = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, place(text, "int N", 4))
    )
    assert len(places) == 4, places
    edit = await client.text_document_rename_async(
        types.RenameParams(document, place(text, "<name>B", 6), "Done")
    )
    assert [one.new_text for one in edit.changes[uri]] == ["Done", "Done"]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    template = next(one for one in symbols if one.name == "P")
    assert {"id", "x", "A", "B"} <= {one.name for one in template.children}
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(99, 0)))
    )
    assert any("3 processes" in str(one.label) for one in hints), hints


@pytest.mark.asyncio
async def test_queries_beside_a_model(client, tmp_path):
    model = tmp_path / "lamp.xta"
    text = "process P() { clock x; state A, B; init A; trans A -> B { guard x > 2; }; } system P;\n"
    model.write_text(text)
    uri = (tmp_path / "lamp.q").as_uri()
    queries = "// can it end?\nE<> P.B\nA[] P.C\n"
    open_text(client, uri, queries, "q")
    document = types.TextDocumentIdentifier(uri)
    found = await messages(client, uri, lambda found: len(found) > 0)
    assert found[0].range.start.line == 2, found
    # The model is a file that is not open.
    [target] = await client.text_document_definition_async(
        types.DefinitionParams(document, place(queries, "P.B", 2))
    )
    assert target.uri == model.as_uri() and target.range.start == place(text, "B;")
    offered = await client.text_document_completion_async(
        types.CompletionParams(document, place(queries, "P.B", 2))
    )
    items = offered if isinstance(offered, list) else offered.items
    assert {"A", "B", "x"} <= {item.label for item in items}
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    first = lenses[0].command
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(first.command, first.arguments)
    )
    for _ in range(400):
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        if lenses[0].command.command == "merkhet.showRun":
            break
        await asyncio.sleep(0.05)
    assert "satisfied" in lenses[0].command.title, lenses


@pytest.mark.asyncio
async def test_broken_closed_and_unknown(client, tmp_path):
    uri = (tmp_path / "broken.smv").as_uri()
    open_text(client, uri, "MODULE main\nVAR x : {a, b\nASSIGN next(x) := case", "smv")
    document = types.TextDocumentIdentifier(uri)
    await messages(client, uri, lambda found: len(found) > 0)
    await client.text_document_hover_async(types.HoverParams(document, types.Position(1, 4)))
    with pytest.raises(Exception, match="cannot be read"):
        options = types.FormattingOptions(4, True)
        await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    await messages(client, uri, lambda found: len(found) == 0)
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0)))
    assert hover is None
    text = "MODULE main\nVAR x : {a, b};\nASSIGN next(x) := b;\n"
    renamed = (tmp_path / "renamed.smv").as_uri()
    open_text(client, renamed, text, "smv")
    [target] = await client.text_document_definition_async(
        types.DefinitionParams(types.TextDocumentIdentifier(renamed), place(text, "next(x)", 5))
    )
    assert target.range.start == place(text, "x :")


def test_the_program_is_there():
    assert pathlib.Path(PROGRAM).exists()
