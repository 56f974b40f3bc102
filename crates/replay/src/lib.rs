//! The independent judge: replays traces and checks certificates with plain, exact code.
