//! Lists of ids in statements that read rows. Their lengths are powers of two, so that few different statements need to be
//! prepared.

/// The most ids in one statement that reads rows by id.
pub(super) const MAX_IDS: usize = 4096;

/// Repeats the last item until the length is a power of two. As a set it stays the same.
pub(super) fn padded<T: Clone>(mut set: Vec<T>) -> Vec<T> {
    if let Some(last) = set.last().cloned() {
        set.resize(set.len().next_power_of_two(), last);
    }
    set
}
