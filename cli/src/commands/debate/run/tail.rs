//! The end of what a program prints.

/// How much of it is kept, in bytes.
const LENGTH: usize = 64 * 1024;

/// Keeps the end of what is added.
#[derive(Debug, Default)]
pub struct Tail(Vec<u8>);

impl Tail {
    /// Adds some bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&bytes[bytes.len().saturating_sub(LENGTH)..]);
        if self.0.len() > 2 * LENGTH {
            self.0.drain(..self.0.len() - LENGTH);
        }
    }

    /// The end.
    pub fn bytes(&self) -> Vec<u8> {
        Self::of(&self.0)
    }

    /// The end of a text.
    pub fn of(text: &[u8]) -> Vec<u8> {
        text[text.len().saturating_sub(LENGTH)..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept() {
        let mut tail = Tail::default();
        for number in 0..1_000_000_u32 {
            tail.add(&number.to_be_bytes());
        }
        let kept = tail.bytes();
        assert_eq!((kept.len(), &kept[LENGTH - 4..]), (LENGTH, &999_999_u32.to_be_bytes()[..]));
        tail.add(&vec![7; 3 * LENGTH]);
        assert_eq!(tail.bytes(), vec![7; LENGTH]);
    }
}
