//! The formatter: what it writes is the same model, and formatted already.

use merkhet_lsp::format::{Unformatted, format};
use merkhet_lsp::language::Language;
use std::path::{Path, PathBuf};

/// A tree without the places of its parts.
fn tree(language: Language, text: &str) -> String {
    let debug = match language {
        Language::Smv => format!("{:?}", merkhet_smv::read_smv(text).0.modules),
        _ => {
            let (mut model, _) = merkhet_syntax::read_model(language.extension(), text.as_bytes());
            model.sections = Default::default();
            model.query_blocks.clear();
            for query in &mut model.queries {
                // The words are compared by the formatter itself; blanks between them do not matter.
                query.text.clear();
            }
            format!("{model:?}")
        }
    };
    let mut plain = String::with_capacity(debug.len());
    let mut rest = debug.as_str();
    while let Some(start) = rest.find("Span { file") {
        plain.push_str(&rest[..start]);
        let end = rest[start..].find('}').expect("a span ends");
        rest = &rest[start + end + 1..];
    }
    plain + rest
}

#[track_caller]
fn check(language: Language, text: &str, expected: &str) {
    let written = format(language, text).expect("it can be read");
    assert_eq!(written, expected);
    assert_eq!(format(language, &written).as_deref(), Ok(expected), "twice");
    assert_eq!(tree(language, text), tree(language, &written));
}

#[test]
fn declarations() {
    check(
        Language::Xta,
        "const int N=5; // how many\nint[0,N]a[2]={1,-2}  ;\n\n\n\nclock x,y;chan\n go;typedef struct{int a;bool b;}s_t;\
         /* a\n * b */\nint f(int&x,const int y){int z=- -x;for(i:int[0,3]){z+=i<<2;}if(x>1)return!z?1:2;else if(y==3){return f(x,1);}else{z++;}\
         do{x--;}while(x>0);return 0;}system P;",
        "const int N = 5; // how many
int[0, N] a[2] = { 1, -2 };

clock x, y;
chan
    go;
typedef struct {
    int a;
    bool b;
} s_t; /* a
 * b */
int f(int &x, const int y) {
    int z = - -x;
    for (i : int[0, 3]) {
        z += i << 2;
    }
    if (x > 1) return !z ? 1 : 2;
    else if (y == 3) {
        return f(x, 1);
    } else {
        z++;
    }
    do {
        x--;
    } while (x > 0);
    return 0;
}
system P;
",
    );
}

#[test]
fn processes() {
    check(
        Language::Xta,
        "chan a;process P(const int i){clock x;state s{x<=5&&x'==1},t;init s;trans s->t{guard x>=2;sync a!;},\n// back\nt->s{};}\n\
         Q=P(1);system Q;query{A[]not deadlock;E<>Q.t}",
        "chan a;
process P(const int i) {
    clock x;
    state s { x <= 5 && x' == 1 }, t;
    init s;
    trans
        s -> t { guard x >= 2; sync a!; },
        // back
        t -> s { };
}
Q = P(1);
system Q;
query {
    A[] not deadlock;
    E<> Q.t
}
",
    );
}

#[test]
fn smv() {
    check(
        Language::Smv,
        "MODULE main(a,b) -- head\nVAR x:{p,q};y:0..5;\nASSIGN init(x):=p;next(x):=case x=p&!y>3:q;TRUE:{p,q};esac;\n\n\nSPEC AG(x=p->AF x=q)\n",
        "MODULE main(a, b) -- head
VAR
  x : {p, q};
  y : 0..5;
ASSIGN
  init(x) := p;
  next(x) := case
      x = p & !y > 3 : q;
      TRUE : {p, q};
  esac;

SPEC AG (x = p -> AF x = q)
",
    );
}

#[test]
fn xml_keeps_everything_but_declarations() {
    check(
        Language::Xml,
        "<?xml version=\"1.0\"?>\n<nta><declaration>int  a;\nbool b=a&lt;1 &amp;&amp; true;</declaration><template><name>P</name>\
         <location id=\"l\"><label kind=\"invariant\">a  &gt;  0</label></location><init ref=\"l\"/></template><system>system  P;</system></nta>",
        "<?xml version=\"1.0\"?>\n<nta><declaration>int a;\nbool b = a &lt; 1 &amp;&amp; true;</declaration><template><name>P</name>\
         <location id=\"l\"><label kind=\"invariant\">a  &gt;  0</label></location><init ref=\"l\"/></template><system>system P;</system></nta>",
    );
}

#[test]
fn broken_texts_stay() {
    let broken = format(Language::Xta, "int x");
    assert!(matches!(broken, Err(Unformatted::Broken(_))), "{broken:?}");
    assert_eq!(
        format(Language::Tck, "system:a"),
        Err(Unformatted::Language)
    );
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = path.path();
        if path.is_dir() {
            models(&path, found);
        } else if Language::of(&path.to_string_lossy()).is_some() {
            found.push(path);
        }
    }
}

/// Every model of the collections that can be read.
#[test]
fn the_collections() {
    let Some(shared) = merkhet_testing::shared("") else {
        return;
    };
    let mut files = Vec::new();
    models(&shared, &mut files);
    let (mut formatted, mut wrong) = (0, Vec::new());
    for file in files {
        let language = Language::of(&file.to_string_lossy()).expect("a model");
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let written = match format(language, &text) {
            Ok(written) => written,
            Err(Unformatted::Changed) => {
                wrong.push(format!("{}: changed", file.display()));
                continue;
            }
            Err(_) => continue,
        };
        formatted += 1;
        if format(language, &written).as_ref() != Ok(&written) {
            wrong.push(format!("{}: not idempotent", file.display()));
        }
        if tree(language, &text) != tree(language, &written) {
            wrong.push(format!("{}: another tree", file.display()));
        }
    }
    assert!(formatted > 500, "{formatted}");
    println!("{formatted} files");
    assert!(
        wrong.is_empty(),
        "{} of {formatted}: {wrong:#?}",
        wrong.len()
    );
}
