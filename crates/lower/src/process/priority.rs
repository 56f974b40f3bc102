//! Channel priorities.

use crate::data::value::Value;
use crate::naming::scope::Env;
use crate::run::lowerer::Lowerer;
use merkhet_syntax::tree::{ChannelPriority, ChannelPriorityItem};

impl Lowerer<'_> {
    /// Gives the channels of a `chan priority` declaration their priorities, relative to the default.
    ///
    /// Without `default` in the list, all that is not named has the priority of the lowest group.
    pub fn channel_priorities(&mut self, env: &mut Env, declaration: &ChannelPriority) {
        let default = declaration
            .groups
            .iter()
            .position(|group| {
                (group.iter()).any(|item| matches!(item, ChannelPriorityItem::Default(_)))
            })
            .unwrap_or(0);
        for (level, group) in declaration.groups.iter().enumerate() {
            for item in group {
                let ChannelPriorityItem::Channel(expr) = item else {
                    continue;
                };
                let Ok(value) = self.expression(env, expr) else {
                    continue;
                };
                let channels = match value {
                    Value::Object(object)
                        if object.indices.is_empty() && object.ty.counts().channels > 0 =>
                    {
                        let count = object.ty.counts().channels as usize;
                        object.channel as usize..object.channel as usize + count
                    }
                    _ => {
                        let message = "a channel or array of channels is expected here";
                        self.error::<()>("type", message, expr.span).ok();
                        continue;
                    }
                };
                if let Some(channels) = self.network.channels.get_mut(channels) {
                    for channel in channels {
                        channel.priority = level as i32 - default as i32;
                    }
                }
            }
        }
    }
}
