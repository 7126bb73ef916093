//! What has come of a further request by the time that one is answered.
//!
//! hyper reads as much as there is, and keeps what follows on a request to itself: whether that is nothing or half a head
//! shows only in the count of bytes.

/// What of the bytes that came belongs to the request that is being read or answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Surplus {
    /// Its head is on its way; so much of the blank line at its end was there last
    Head(usize),
    /// So many bytes came after its head
    Beyond(u64),
    /// That can no longer be told
    Lost,
}

impl Surplus {
    /// Before the first byte of a request.
    pub const NOTHING: Self = Self::Head(0);

    /// Takes note of what has come.
    pub fn read(&mut self, bytes: &[u8]) {
        match self {
            Self::Head(blank) => {
                let end = bytes.iter().position(|byte| {
                    *blank = match (*blank, byte) {
                        (0 | 2, b'\r') | (1 | 3, b'\n') => *blank + 1,
                        (_, b'\r') => 1,
                        _ => 0,
                    };
                    *blank == 4
                });
                if let Some(end) = end {
                    *self = Self::Beyond((bytes.len() - end - 1) as u64);
                }
            }
            Self::Beyond(count) => *count += bytes.len() as u64,
            Self::Lost => {}
        }
    }

    /// Whether something of a further request may have come, now that one with a body of that length is answered.
    pub fn answered(&mut self, body: Option<u64>) -> bool {
        let is_all = matches!((&*self, body), (Self::Beyond(count), Some(body)) if *count == body);
        *self = if is_all { Self::NOTHING } else { Self::Lost };
        !is_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"GET / HTTP/1.1\r\nA: \r\r\n\r\n";

    /// Whether something may be left of these bytes, in pieces of any size.
    fn surplus(bytes: &[u8], body: Option<u64>) -> bool {
        let left = |size| {
            let mut surplus = Surplus::NOTHING;
            bytes.chunks(size).for_each(|piece| surplus.read(piece));
            surplus.answered(body)
        };
        let whole = left(bytes.len());
        assert!((1..bytes.len()).all(|size| left(size) == whole), "it depends on the pieces");
        whole
    }

    #[test]
    fn a_request_that_came_alone_leaves_nothing() {
        assert!(!surplus(HEAD, Some(0)));
        assert!(!surplus(&[HEAD, b"\r\n\r\n"].concat(), Some(4)));
    }

    #[test]
    fn what_follows_on_a_request_is_left() {
        assert!(surplus(&[HEAD, b"G"].concat(), Some(0)));
        assert!(surplus(&[HEAD, b"{}GET /"].concat(), Some(2)));
        assert!(surplus(&[HEAD, b"2\r\n{}\r\n0\r\n\r\n"].concat(), None), "nobody has counted");
        assert!(surplus(b"\r\n\r\nGET / HTTP/1.1\r\n\r\n", Some(0)), "an odd beginning");
        assert!(surplus(b"GET / HTTP/1.1\n\n", Some(0)), "an odd end");
    }

    #[test]
    fn one_request_after_another_is_told_until_one_could_not_be() {
        let mut surplus = Surplus::NOTHING;
        for (bytes, expected) in [(HEAD, false), (HEAD, false), (&[HEAD, HEAD].concat(), true), (HEAD, true)] {
            surplus.read(bytes);
            assert_eq!(surplus.answered(Some(0)), expected);
        }
    }
}
