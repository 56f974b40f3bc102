//! Newtype indices: a process is never mistaken for a clock.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for slices.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Networks are bounded far below `u32::MAX` by the front end.
            #[inline]
            fn from(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                $name(index as u32)
            }
        }
    };
}

id!(
    /// An automaton of the network: index into [`crate::Network::processes`].
    ProcessId
);
id!(
    /// A location of one process: index into [`crate::Process::locations`].
    LocationId
);
id!(
    /// An edge of one process: index into [`crate::Process::edges`].
    EdgeId
);
id!(
    /// A clock: index into [`crate::Network::clocks`]. In a DBM its row is one more (row 0 is the constant zero).
    ClockId
);
id!(
    /// A channel (one element of a channel array): index into [`crate::Network::channels`].
    ChannelId
);
id!(
    /// A synchronisation event of a flat model, for n-ary vectors: index into [`crate::Network::events`].
    EventId
);
id!(
    /// A function, specialised so that it has no reference parameters: index into [`crate::Network::functions`].
    FunctionId
);
id!(
    /// A declared variable, array or structure: index into [`crate::Network::variables`].
    VariableId
);
id!(
    /// Where in the source something that can fail stands: index into [`crate::Network::sites`].
    SiteId
);

impl SiteId {
    /// No source position is known (generated networks).
    pub const NONE: SiteId = SiteId(u32::MAX);
}
