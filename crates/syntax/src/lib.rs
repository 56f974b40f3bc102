//! Reads model and query text into trees with spans; knows nothing of types or files.
