//! How much one batch of writes, which is one transaction, may hold.

/// The most writes in one batch.
pub const MAX_BATCH_WRITES: usize = 256;

/// A batch with this many bytes of content takes no further write, so that large documents neither fill the memory nor
/// delay short arguments.
pub const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;
