//! XML files: structure, places of faults, encodings.

mod common;

use common::{check_model, outline, show};
use merkhet_syntax::tree::{Outcome, Point, TemplateKind};
use merkhet_syntax::{FileId, SourceMap, read_model};

/// A file with one template around some elements.
fn around(elements: &str) -> String {
    format!("<nta><template><name>P</name>{elements}</template><system>system P;</system></nta>")
}

#[test]
fn a_whole_file() {
    check_model(
        "m.xml",
        r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
  <declaration>chan c; clock x;</declaration>
  <template>
    <name x="5" y="5">P</name>
    <parameter>int &amp;n, const int k</parameter>
    <declaration>int i;</declaration>
    <location id="id0" x="1" y="-2" color="red"><name x="0" y="0">Idle</name><label kind="invariant" x="3" y="4">x &lt;= k</label></location>
    <location id="id1" x="0" y="0"><committed/></location>
    <location id="id2"><name></name><label kind="exponentialrate">1:2</label><urgent/></location>
    <branchpoint id="id3" x="7" y="8"/>
    <init ref="id0"/>
    <transition id="t"><source ref="id0"/><target ref="id3"/><label kind="select">j : int[0,2]</label>
      <label kind="guard">x &gt; 1 &amp;&amp; n == j</label><label kind="synchronisation">c!</label>
      <label kind="assignment">x = 0, i++</label><label kind="comments">why &amp; how</label><nail x="1" y="2"/><nail x="3" y="4"/></transition>
    <transition controllable="false"><source ref="id3"/><target ref="id1"/><label kind="probability">3</label></transition>
    <transition><source ref="id3"/><target ref="id2"/><label kind="guard"></label><label kind="assignment"> // nothing
    </label></transition>
  </template>
  <system>Q = P(n, 3); int n; system Q;</system>
  <queries>
    <option key="--search-order" value="0"/>
    <query><formula>A[] not deadlock</formula><comment>safe &lt;3</comment><option key="a" value="b"/>
      <expect outcome="success" type="symbolic"/><result outcome="failure" type="quantity" value="12" timestamp="now"><details>x</details></result></query>
    <query><formula/><comment/></query>
    <query><formula>This is text</formula></query>
    <query><formula>Pr[&lt;=10](&lt;&gt; Q.Idle)</formula></query>
  </queries>
</nta>"#,
        "
        chan c
        clock x
        Automaton P(int &n, const int k)
          int i
          location Idle initial invariant (x <= k);
          location id1 committed
          location id2 urgent rate 1, 2;
          Idle -> id3 select j:int[0,2]; guard ((x > 1) && (n == j)); sync c!; assign (x = 0), (i++);
          id3 -u-> id1 probability 3;
          id3 -> id2
        Q() = P(n, 3)
        int n
        system Q@0
        query A[] (!DEADLOCK)
        query EMPTY
        query BROKEN
        query UNSUPPORTED a statistical query
        ",
        "27:21 `This is text` not-a-query: this is not a query (query 3)",
    );
}

#[test]
fn what_is_kept_besides_the_language() {
    let text = r#"<nta><template><name>P</name>
        <location id="a" x="1" y="-2"><label kind="comments">here</label></location><init ref="a"/>
        <transition><source ref="a"/><target ref="a"/><label kind="guard" x="9" y="8">x</label><label kind="comments">there</label>
        <nail x="3" y="4"/></transition></template><system>system P;</system><queries><query><formula>E&lt;&gt; P.a</formula>
        <comment>c</comment><option key="k" value="v"/><expect outcome="success"/>
        <result outcome="failure" type="quantity" value="1" timestamp="t"/></query></queries></nta>"#;
    let (model, diagnostics) = read_model("xml", text.as_bytes());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let template = &model.templates[0];
    assert_eq!(template.locations[0].position, Some(Point { x: 1, y: -2 }));
    assert_eq!(template.locations[0].comment.as_deref(), Some("here"));
    assert_eq!(template.edges[0].comment.as_deref(), Some("there"));
    assert_eq!(template.edges[0].nails, [Point { x: 3, y: 4 }]);
    assert_eq!(
        template.edges[0]
            .guard
            .as_ref()
            .and_then(|guard| guard.position),
        Some(Point { x: 9, y: 8 })
    );
    let query = &model.queries[0];
    assert_eq!(query.text, "E<> P.a");
    assert_eq!(query.comment.as_deref(), Some("c"));
    assert_eq!(query.options, [("k".to_string(), "v".to_string())]);
    let some = |text: &str| Some(text.to_string());
    assert_eq!(
        query.expectation,
        Some(Outcome {
            outcome: some("success"),
            ..Outcome::default()
        })
    );
    let result = Outcome {
        outcome: some("failure"),
        kind: some("quantity"),
        value: some("1"),
        timestamp: some("t"),
    };
    assert_eq!(query.result, Some(result));
}

/// Reads a file and shows its diagnostics with XPath and the line within the label, as verifyta counts.
fn places(text: &str) -> Vec<String> {
    let (model, diagnostics) = read_model("m.xml", text.as_bytes());
    let mut sources = SourceMap::new();
    sources.insert(FileId::MODEL, "m.xml", text.as_bytes());
    diagnostics
        .iter()
        .map(|d| {
            let context = model.sections.context(d.span).expect("a context");
            let line = sources
                .line_within(context.section.expect("a section"), d.span)
                .expect("a line");
            let position = sources.start(d.span).expect("a position");
            let text = sources.text(d.span).expect("a text");
            format!(
                "{}:{line} {}:{} {text}",
                context.xpath.unwrap_or_default(),
                position.line,
                position.column
            )
        })
        .collect()
}

#[test]
fn faults_lie_at_the_right_place_of_the_file() {
    let text = "<nta><declaration>int a;</declaration>
<template><name>P</name><location id='a'/><init ref='a'/></template>
<template><name>Q</name><location id='a'/><location id='b'><label kind='invariant'>x &lt;= 5 &amp;&amp; )</label></location><init ref='a'/>
<transition><source ref='a'/><target ref='b'/></transition>
<transition><source ref='b'/><target ref='a'/><label kind='comments'>c</label><label kind='guard'>x &gt; 1
  &amp;&amp; y &lt; ]
</label></transition></template>
<system>system P, Q</system><queries><query><formula>E&lt;&gt; P.a &amp;&amp; *</formula></query></queries></nta>";
    assert_eq!(
        places(text),
        [
            "/nta/template[2]/location[2]/label[1]:1 3:105 )",
            "/nta/template[2]/transition[2]/label[2]:2 6:21 ]",
            "/nta/system:1 8:19 Q",
            "/nta/queries/query[1]/formula:1 8:79 *",
        ]
    );
}

#[test]
fn cdata_and_references_keep_their_places() {
    let check = |label: &str, expected: &str| {
        let label = format!("<label kind='guard'>{label}</label>");
        let text = around(&format!(
            "<location id='a'/><init ref='a'/><transition><source ref='a'/><target ref='a'/>{label}</transition>"
        ));
        let (model, diagnostics) = read_model("xml", text.as_bytes());
        let guard = model.templates[0].edges[0].guard.as_ref().expect("a guard");
        let mut found = vec![outline::expr(&guard.value)];
        found.extend(
            diagnostics
                .iter()
                .map(|d| text[d.span.start as usize..d.span.end as usize].to_string()),
        );
        assert_eq!(found.join(" | "), expected, "{label}");
    };
    check("x &lt; 3", "(x < 3)");
    check(
        "<![CDATA[x < 3 && y]]>",
        "(x < 3)".replace("(x < 3)", "((x < 3) && y)").as_str(),
    );
    check("x <![CDATA[<]]>= 3 &amp;<![CDATA[& z]]>", "((x <= 3) && z)");
    check("x <!-- no --> &#60; &#x33;", "(x < 3)");
    check("x&nbsp;&lt;&#160;3", "(x < 3)");
    check("x &lt; &bomb;", "BROKEN | &bomb; | &lt;");
    check("<![CDATA[x < ]]> )", "BROKEN | )");
    check("&quot;a&quot; &lt;&lt; &apos;", "BROKEN | &apos;");
    check("x <b>&lt;</b> 3", "BROKEN | <b> | 3");
}

#[test]
fn broken_labels_leave_the_rest() {
    check_model(
        "m.xml",
        &around(
            "<parameter>int int</parameter><declaration>int a; in b = 3</declaration>
<location id='a'><name>Two words</name><label kind='invariant'>x &lt;</label></location><location id='b'/><location id='b'/><init ref='zz'/>
<transition><source ref='a'/><target ref='c'/><label kind='select'>i</label><label kind='guard'>a b</label>
<label kind='synchronisation'>c!?</label><label kind='assignment'>x = ,</label></transition>
<transition><target ref='a'/><label kind='guard'>a</label><label kind='guard'>b</label></transition>",
        ),
        "
        Automaton P() BROKEN
          int a
          BROKEN
          location Two words invariant BROKEN BROKEN;
          location b
          location b
          Two words -> UNKNOWN c select BROKEN ; guard BROKEN BROKEN; sync BROKEN BROKEN; assign BROKEN BROKEN;
          UNKNOWN  -> Two words guard BROKEN b;
        system P@0
        ",
        "
        1:45 `int` expected-token: expected the name of a parameter, found the reserved word `int` (template P, parameters)
        1:87 `3` expected-token: expected `;` after the declaration, but the text ends here (template P, declarations)
        2:24 `Two words` malformed-name: `Two words` cannot be the name of a location (template P, location Two words)
        2:66 `&lt;` expected-token: expected an expression, but the text ends here (template P, location Two words, invariant)
        3:68 `i` expected-token: expected `:` between the variable and its type, but the text ends here (template P, edge Two words → c, select)
        3:99 `b` expected-token: expected the end of the label, found `b` (template P, edge Two words → c, guard)
        4:33 `?` expected-token: expected the end of the label, found `?` (template P, edge Two words → c, synchronisation)
        4:71 `,` expected-token: expected an expression, found `,` (template P, edge Two words → c, update)
        5:79 `b` duplicate-label: there is more than one label of this kind; only one is allowed (template P, edge  → Two words, guard)
        2:107 `<location id='b'/>` duplicate-location: two locations have the id `b` (template P, location b)
        3:30 `<target ref='c'/>` unknown-location: there is no location with the id `c` in this template (template P, edge Two words → c)
        5:1 `<transition>` unknown-location: an end of this edge is missing (template P, edge  → Two words)
        2:125 `<init ref='zz'/>` unknown-location: there is no location with the id `zz` in this template (template P)
        ",
    );
}

#[test]
fn other_elements() {
    let text = "<project><imports>x</imports><template><location id='a'/></template><lsc><name>S</name><instance id='i'/></lsc>
        <instantiation>Q = P();</instantiation><simulator><a><b/></a></simulator><system>system Q;</system> oops </project>";
    let (model, diagnostics) = read_model("xml", text.as_bytes());
    let found: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(found, ["missing-name", "stray-text"]);
    assert_eq!(model.templates[1].kind, TemplateKind::SequenceChart);
    assert!(outline::model(&model).ends_with("Q() = P()\nsystem Q@0"));
}

#[test]
fn encodings() {
    let text = around(
        "<location id='a'><name>A</name><label kind='invariant'>x &lt; é</label></location><init ref='a'/>",
    );
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let (model, diagnostics) = read_model("xml", bytes);
        let found: Vec<String> = diagnostics.iter().map(|d| show(d, bytes)).collect();
        assert_eq!(found.join("\n"), expected, "{name}");
        assert_eq!(model.templates.len(), 1, "{name}");
    };
    let problem = |column: u32| {
        format!(
            "1:{column} `é` unexpected-character: unexpected character `é` (template P, location A, invariant)"
        )
    };
    let column = text.find('é').expect("there is one") as u32 + 1;
    check("UTF-8", text.as_bytes(), &problem(column));
    check(
        "UTF-8 with mark",
        format!("\u{feff}{text}").as_bytes(),
        &problem(column),
    );
    let little: Vec<u8> = [0xFEFF]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    check("UTF-16 LE", &little, &problem(column));
    let big: Vec<u8> = [0xFEFF]
        .into_iter()
        .chain(text.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    check("UTF-16 BE", &big, &problem(column));
    check("UTF-16 LE without mark", &little[2..], &problem(column));
    check("UTF-16 BE without mark", &big[2..], &problem(column));
    let head = "<?xml version='1.0' encoding='ISO-8859-1'?>";
    let latin: Vec<u8> = format!("{head}{text}").chars().map(|c| c as u8).collect();
    check("Latin-1", &latin, &problem(column + head.len() as u32));
    check(
        "CR LF",
        text.replace("<location", "\r\n<location").as_bytes(),
        &problem(column - 29).replace("1:", "2:"),
    );
}

#[test]
fn old_syntax_in_xml() {
    check_model(
        "m.xml",
        "<nta><declaration>const N 5;</declaration><template><name>P</name><parameter>clock x; const k</parameter>
        <location id='a'><label kind='invariant'>x =&lt; 5, y&lt;3</label></location><init ref='a'/></template><system>system P;</system></nta>",
        "
        const int N = 5
        Automaton P(clock &x, const int k)
          location a initial invariant ((x <= 5) && (y < 3));
        system P@0
        ",
        "",
    );
}
