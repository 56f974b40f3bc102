//! Queries and their verdicts.

use super::check::{Ended, Key, State, Verdict, hash};
use super::{Server, convert, uri};
use crate::language::Language;
use lsp_types::NumberOrString::String as Token;
use lsp_types::{
    CodeLens, Command, MessageType, ProgressParams, ProgressParamsValue, ShowDocumentParams,
    ShowMessageParams, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd,
};
use serde_json::{Value, json};

impl Server {
    /// A line above each query: check it, or what came out.
    pub(super) fn lenses(&mut self, uri: &str) -> Option<Vec<CodeLens>> {
        let model = self.model_of(uri);
        let model = model.and_then(|model| self.text_of(&model));
        let model = model.as_deref().map(hash);
        let open = self.open.get(uri)?;
        // Queries that were found in an older text stand elsewhere now; they are soon found again.
        if open.read != Some(open.version) {
            return Some(Vec::new());
        }
        let mut lenses = Vec::new();
        for query in open.asked.iter().filter(|query| query.usable) {
            let key = Key {
                uri: uri.to_owned(),
                formula: self.formula(uri, &query.text, query.span),
            };
            let range = convert::range(&open.document.text, query.span);
            let arguments = vec![json!(uri), json!(key.formula)];
            let mut add = |title: String, command: &str| {
                lenses.push(CodeLens {
                    range,
                    command: Some(Command {
                        title,
                        command: command.into(),
                        arguments: Some(arguments.clone()),
                    }),
                    data: None,
                });
            };
            match self.checks.state(&key) {
                None => add("▶ check".into(), "merkhet.check"),
                Some(State::Running { .. }) => {
                    add("… checking (click to stop)".into(), "merkhet.cancel")
                }
                Some(State::Done {
                    verdict, model: of, ..
                }) => {
                    let (sign, word) = words(*verdict);
                    let older = if Some(*of) == model {
                        ""
                    } else {
                        " (of an older text)"
                    };
                    add(format!("{sign} {word}{older}"), "merkhet.showRun");
                    add("show the report".into(), "merkhet.showRun");
                    add("check again".into(), "merkhet.check");
                }
            }
        }
        Some(lenses)
    }

    /// A query as `check` takes it: one of SMV begins with its keyword.
    fn formula(&self, uri: &str, text: &str, span: merkhet_syntax::Span) -> String {
        let Some(open) = self.open.get(uri) else {
            return text.to_owned();
        };
        if open.document.language != Language::Smv {
            return text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let document = open.document.text.as_str();
        let before = document.get(..span.start as usize).unwrap_or("").trim_end();
        // A name may stand between: `SPEC NAME safe := …`.
        let mut words = before
            .rsplit(|c: char| c.is_whitespace() || c == ';')
            .take(8);
        let known = |word: &&str| {
            matches!(
                *word,
                "SPEC" | "CTLSPEC" | "INVARSPEC" | "LTLSPEC" | "COMPUTE"
            )
        };
        let keyword = words.find(known).unwrap_or("");
        format!("{keyword} {text}").trim().to_owned()
    }

    fn text_of(&mut self, uri: &str) -> Option<String> {
        if let Some(open) = self.open.get(uri) {
            return Some(open.document.text.as_str().to_owned());
        }
        Some(self.load(uri)?.text.as_str().to_owned())
    }

    /// Does what a command says; the answer is for clients that show it themselves.
    pub(super) fn command(&mut self, command: &str, arguments: &[Value]) -> Result<Value, String> {
        let text = |at: usize| {
            let argument: Option<&Value> = arguments.get(at);
            argument.and_then(Value::as_str).map(str::to_owned)
        };
        let uri = text(0).ok_or("the first argument is the address of a text")?;
        if command == "merkhet.checkAll" {
            let open = self.open.get(&uri).ok_or("this text is not open")?;
            let usable = open.asked.iter().filter(|query| query.usable);
            let formulas: Vec<String> = usable
                .map(|query| self.formula(&uri, &query.text, query.span))
                .collect();
            for formula in formulas {
                self.check(&uri, formula)?;
            }
            return Ok(Value::Null);
        }
        let formula = text(1).ok_or("the second argument is a query")?;
        let key = Key {
            uri: uri.clone(),
            formula: formula.clone(),
        };
        match command {
            "merkhet.check" => self.check(&uri, formula)?,
            "merkhet.cancel" => {
                if let Some(token) = self.checks.cancel(&key) {
                    self.progress_ends(token, "stopped");
                }
                self.refresh();
            }
            "merkhet.showRun" => {
                let Some(State::Done {
                    report, verdict, ..
                }) = self.checks.state(&key)
                else {
                    return Err("this query has not been checked".into());
                };
                let (report, verdict) = (report.clone(), words(*verdict).1);
                self.show(&report);
                return Ok(json!({ "verdict": verdict, "report": report }));
            }
            other => return Err(format!("there is no command `{other}`")),
        }
        Ok(Value::Null)
    }

    fn check(&mut self, uri: &str, formula: String) -> Result<(), String> {
        let model = self
            .model_of(uri)
            .ok_or("there is no model beside these queries")?;
        let language = self.open.get(&model).map(|open| open.document.language);
        let language = language
            .or(Language::of(&model))
            .ok_or("this is no model")?;
        let text = self.text_of(&model).ok_or("the model cannot be read")?;
        let key = Key {
            uri: uri.to_owned(),
            formula: formula.clone(),
        };
        let ending = language.extension();
        let program = self.options.program.clone();
        let token = self
            .checks
            .begin(key, &text, ending, &program, &self.events)?;
        if self.client.progress {
            let create = WorkDoneProgressCreateParams {
                token: Token(token.clone()),
            };
            self.ask("window/workDoneProgress/create", create);
            let begin = WorkDoneProgressBegin {
                title: "checking".into(),
                cancellable: Some(true),
                message: Some(formula),
                percentage: None,
            };
            self.progress(token, WorkDoneProgress::Begin(begin));
        }
        self.refresh();
        Ok(())
    }

    /// Takes in how a check ended.
    pub(super) fn was_checked(&mut self, ended: Ended) {
        let Some(token) = self.checks.end(&ended) else {
            return;
        };
        let (_, word) = words(ended.verdict);
        self.progress_ends(token, word);
        if ended.verdict == Verdict::Failed {
            self.message(MessageType::ERROR, ended.report.trim().to_owned());
        }
        self.notify(
            "merkhet/verdict",
            json!({ "uri": ended.key.uri, "query": ended.key.formula, "verdict": word, "report": ended.report }),
        );
        self.refresh();
    }

    fn progress(&self, token: String, value: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(value);
        let token = Token(token);
        self.notify("$/progress", ProgressParams { token, value });
    }

    fn progress_ends(&self, token: String, word: &str) {
        if self.client.progress {
            let message = Some(word.to_owned());
            self.progress(
                token,
                WorkDoneProgress::End(WorkDoneProgressEnd { message }),
            );
        }
    }

    fn message(&self, typ: MessageType, message: String) {
        self.notify("window/showMessage", ShowMessageParams { typ, message });
    }

    /// Shows a report as a text, or as a message where the client cannot.
    fn show(&mut self, report: &str) {
        let file = self.checks.write_report(report).map(|file| uri::of(&file));
        let address = file.and_then(|file| file.parse().ok());
        match address {
            Some(uri) if self.client.shows_documents => {
                let params = ShowDocumentParams {
                    uri,
                    external: None,
                    take_focus: Some(true),
                    selection: None,
                };
                self.ask("window/showDocument", params);
            }
            _ => self.message(MessageType::INFO, report.to_owned()),
        }
    }
}

fn words(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Satisfied => ("✓", "satisfied"),
        Verdict::Violated => ("✗", "violated"),
        Verdict::Unknown => ("?", "unknown"),
        Verdict::Failed => ("!", "not checked"),
    }
}
