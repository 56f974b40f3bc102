//! Messages that wait, and requests that are taken back before it is their turn.

use crossbeam_channel::{Receiver, Sender};
use lsp_server::{ErrorCode, Message, RequestId, Response};
use std::collections::VecDeque;

/// The messages that have come and not been answered.
#[derive(Default)]
pub(super) struct Queue {
    waiting: VecDeque<Message>,
}

impl Queue {
    pub(super) fn push(&mut self, message: Message) {
        self.waiting.push_back(message);
    }

    /// The next message; whatever else has come is looked at first, for requests that are taken back.
    pub(super) fn next(
        &mut self,
        receiver: &Receiver<Message>,
        sender: &Sender<Message>,
    ) -> Option<Message> {
        loop {
            self.waiting.extend(receiver.try_iter());
            let message = self.waiting.pop_front()?;
            let Message::Request(request) = &message else {
                return Some(message);
            };
            if !self.is_cancelled(&request.id) {
                return Some(message);
            }
            let code = ErrorCode::RequestCanceled as i32;
            let response = Response::new_err(request.id.clone(), code, "cancelled".into());
            let _ = sender.send(response.into());
        }
    }

    fn is_cancelled(&self, id: &RequestId) -> bool {
        let id = serde_json::to_value(id).ok();
        self.waiting.iter().any(|message| match message {
            Message::Notification(one) => {
                one.method == "$/cancelRequest" && one.params.get("id") == id.as_ref()
            }
            _ => false,
        })
    }
}
