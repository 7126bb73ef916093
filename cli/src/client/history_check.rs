//! Detects a changed history by comparing hashes with those of earlier commands.
//!
//! The server sends a hash with every argument, which covers that argument and all before it. The newest one seen of each
//! debate is stored in `~/.aweave/heads`. If the server later sends another hash for the same argument, or fewer
//! arguments, the stored history was changed, and the output gets a warning.

use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{Mode, OFlags};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    files::{self, Lock, private},
    output::warning,
};

/// The fields of the server's answers that only this module reads.
const HASH_FIELDS: [&str; 4] = ["hash", "head", "last_seen_hash", "previous_hash"];

/// How many bytes of the file of a debate are read.
const MAX_BYTES: u64 = 4 * 1024;

/// How long another command may read or write the file meanwhile.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// The number of an argument and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub seq: u64,
    hash: String,
}

/// The hashes in one answer.
#[derive(Debug)]
struct Chain {
    debate: Uuid,
    newest: Link,
    links: Vec<Link>,
}

/// What answers have of hashes: each has some of these fields.
#[derive(Deserialize)]
struct Hashes {
    debate: Option<HashedDebate>,
    debate_id: Option<Uuid>,
    last_seq: Option<u64>,
    head: Option<String>,
    last_seen_seq: Option<u64>,
    last_seen_hash: Option<String>,
    previous_hash: Option<String>,
    motion: Option<HashedArgument>,
    argument: Option<HashedArgument>,
    #[serde(default)]
    earlier: Vec<HashedArgument>,
    #[serde(default)]
    arguments: Vec<HashedArgument>,
}

#[derive(Deserialize)]
struct HashedDebate {
    id: Uuid,
    last_seq: Option<u64>,
    head: Option<String>,
}

#[derive(Deserialize)]
struct HashedArgument {
    debate_id: Option<Uuid>,
    seq: u64,
    hash: Option<String>,
}

/// Compares an answer with the stored link, and stores the newest link of the answer. If they differ, returns the debate and
/// the stored link, for which the server has to be asked: the answer may be older than one that another command received
/// meanwhile.
pub fn check(data: &Value) -> Option<(Uuid, Link)> {
    let chain = Chain::read(data)?;
    let path = path(chain.debate)?;
    let seen = load(&path);
    if seen.as_ref() == Some(&chain.newest) {
        return None;
    }
    if let Some(seen) = seen.filter(|seen| chain.difference(seen).is_some()) {
        return Some((chain.debate, seen));
    }
    store(&path, &chain.newest);
    None
}

/// Compares the answer to a `get-context` request for the argument of a link that was stored before the answer arrived; other
/// commands may have stored a newer one since.
pub fn recheck(debate: Uuid, seen: &Link, context: &Value) {
    let (Some(path), Some(chain)) = (path(debate), Chain::read(context)) else { return };
    if let Some(difference) = chain.difference(seen) {
        warning::add(format!(
            "the history of debate {debate} is not the one seen before: {difference}. Do not rely on it until a person has \
             checked it with `aweave-server verify`"
        ));
    } else if load(&path).is_none_or(|seen| seen.seq < chain.newest.seq) {
        store(&path, &chain.newest);
    }
}

/// Removes what the reader of the output has no use for: the hashes and, unless `tells_agents`, which programs wrote arguments.
pub fn strip(data: &mut Value, tells_agents: bool) {
    if let Value::Array(items) = data {
        items.iter_mut().for_each(|item| strip(item, tells_agents));
    }
    let Value::Object(fields) = data else { return };
    HASH_FIELDS.iter().for_each(|field| drop(fields.shift_remove(*field)));
    if fields.contains_key("next_argument_id_to_wait") || fields.contains_key("last_seen_seq") {
        fields.shift_remove("last_seq");
    }
    // A side is not told, since it is no argument.
    if !tells_agents && fields.contains_key("seq") {
        fields.shift_remove("agents");
    }
    fields.values_mut().for_each(|value| strip(value, tells_agents));
}

impl Chain {
    fn read(data: &Value) -> Option<Self> {
        let hashes = Hashes::deserialize(data).ok()?;
        let previous_seq = hashes.argument.as_ref().and_then(|argument| argument.seq.checked_sub(1));
        let arguments: Vec<HashedArgument> = [hashes.motion, hashes.argument]
            .into_iter()
            .flatten()
            .chain(hashes.earlier)
            .chain(hashes.arguments)
            .collect();
        let (debate, last_seq, head) = match hashes.debate {
            Some(HashedDebate { id, last_seq, head }) => (Some(id), last_seq, head),
            None => (hashes.debate_id, hashes.last_seq, hashes.head),
        };
        let debate = debate.or_else(|| arguments.first()?.debate_id)?;
        let newest = Link::of(last_seq, head)?;
        let mut links = vec![newest.clone()];
        links.extend(Link::of(hashes.last_seen_seq, hashes.last_seen_hash));
        links.extend(arguments.into_iter().filter_map(|argument| Link::of(Some(argument.seq), argument.hash)));
        links.extend(Link::of(previous_seq, hashes.previous_hash));
        Some(Self { debate, newest, links })
    }

    /// How the answer differs from the link that was seen before.
    fn difference(&self, seen: &Link) -> Option<String> {
        let (count, seq) = (self.newest.seq, seen.seq);
        if count < seq {
            return Some(format!("it has {count} argument{}, but had {seq}", if count == 1 { "" } else { "s" }));
        }
        match self.links.iter().find(|link| link.seq == seq) {
            None => Some(format!("argument {seq} is no longer there")),
            Some(link) if link.hash == seen.hash => None,
            Some(_) => Some(format!("argument {seq} or one before it was changed")),
        }
    }
}

impl Link {
    fn of(seq: Option<u64>, hash: Option<String>) -> Option<Self> {
        Some(Self { seq: seq?, hash: hash? })
    }
}

fn path(debate: Uuid) -> Option<PathBuf> {
    Some(private::aweave_folder()?.join("heads").join(debate.to_string()))
}

/// Reads the first line. More lines are the rest of a longer link that was overwritten.
fn load(path: &Path) -> Option<Link> {
    let file = files::open(path).ok()?;
    // Without the lock, as on file systems that have none, the file is read while another command may write it.
    let _ = files::lock_within(&file, Lock::Shared, LOCK_TIMEOUT);
    let mut start = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut start).ok()?;
    let start = String::from_utf8_lossy(&start);
    let (seq, hash) = start.lines().next()?.split_once(' ')?;
    Some(Link { seq: seq.parse().ok()?, hash: hash.to_owned() })
}

/// Stores a link. Errors are ignored: the check is an additional safeguard, not part of the command.
fn store(path: &Path, link: &Link) {
    let write = || -> io::Result<()> {
        path.parent().map_or(Ok(()), private::make_folder)?;
        let flags = OFlags::WRONLY | OFlags::CREATE;
        let mut file = files::open_with(path, flags, Mode::RUSR | Mode::WUSR)?;
        let _ = files::lock_within(&file, Lock::Exclusive, LOCK_TIMEOUT);
        // One write in place: a temporary file and a rename take ten times as long.
        file.write_all(format!("{} {}\n", link.seq, link.hash).as_bytes())
    };
    let _ = write();
}

#[cfg(test)]
mod tests {
    use std::fs;
    #[cfg(target_os = "linux")]
    use std::{os::unix::fs::MetadataExt, thread, time::Instant};

    use serde_json::json;

    use super::*;

    const DEBATE: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn link(seq: u64, hash: &str) -> Link {
        Link { seq, hash: hash.to_owned() }
    }

    fn difference(data: &Value, seen: &Link) -> String {
        Chain::read(data).unwrap().difference(seen).unwrap_or_default()
    }

    #[test]
    fn an_answer_that_continues_the_seen_history_is_accepted() {
        let wait = json!({"debate_id": DEBATE, "last_seen_seq": 3, "last_seen_hash": "c", "last_seq": 4, "head": "d",
            "argument": {"seq": 4, "hash": "d"}, "earlier": []});
        assert_eq!(difference(&wait, &link(3, "c")), "");
        assert_eq!(difference(&wait, &link(4, "d")), "");
        let submit = json!({"argument": {"debate_id": DEBATE, "seq": 4, "hash": "d"}, "previous_hash": "c",
            "last_seq": 4, "head": "d"});
        assert_eq!(difference(&submit, &link(3, "c")), "");
        let context = json!({"debate": {"id": DEBATE, "last_seq": 5, "head": "e"}, "motion": {"seq": 1, "hash": "a"},
            "arguments": [{"seq": 4, "hash": "d"}, {"seq": 5, "hash": "e"}]});
        assert_eq!(difference(&context, &link(1, "a")), "");
        assert!(difference(&context, &link(3, "c")).contains("no longer there"));
    }

    #[test]
    fn another_hash_and_a_shorter_history_are_detected() {
        let wait = json!({"debate_id": DEBATE, "last_seen_seq": 3, "last_seen_hash": "x", "last_seq": 4, "head": "d"});
        assert!(difference(&wait, &link(3, "c")).contains("was changed"));
        assert!(difference(&wait, &link(4, "x")).contains("was changed"));
        assert!(difference(&wait, &link(5, "e")).contains("4 arguments, but had 5"));
    }

    #[test]
    fn the_last_stored_link_is_loaded() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("heads").join(DEBATE);
        assert_eq!(load(&path), None);
        for stored in [link(9, "c"), link(10, &"d".repeat(64)), link(11, "e")] {
            store(&path, &stored);
            assert_eq!(load(&path), Some(stored));
        }
    }

    #[test]
    fn a_damaged_file_is_no_link_or_one_that_the_history_lacks_and_the_next_one_takes_its_place() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(DEBATE);
        let context = json!({"debate": {"id": DEBATE, "last_seq": 2, "head": "b"}, "motion": {"seq": 1, "hash": "a"},
            "arguments": [{"seq": 2, "hash": "b"}]});
        let numbers = ["-1", "1.5", "1e3", "18446744073709551616", "99999999999999999999999999", "", "x", "٣"];
        let texts = ["", "\n", "2", " ", "\0\0", "2\tb\n"].map(str::to_owned);
        let no_link = numbers.iter().map(|number| format!("{number} b\n")).chain(texts);
        for text in no_link.map(String::into_bytes).chain([vec![0xff; 10], vec![b'1'; 1 << 20]]) {
            fs::write(&path, &text).unwrap();
            assert_eq!(load(&path), None, "{text:?}");
            store(&path, &link(2, "b"));
            assert_eq!(load(&path), Some(link(2, "b")), "{text:?}");
            fs::remove_file(&path).unwrap();
        }
        for seq in [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 62, 3] {
            fs::write(&path, format!("{seq} b\n{}", "x".repeat(9_000))).unwrap();
            let seen = load(&path).unwrap();
            assert!(seen == link(seq, "b") && difference(&context, &seen).contains("2 arguments, but had"), "{seq}");
        }
        assert_eq!(
            difference(&json!({"debate_id": DEBATE, "last_seq": u64::MAX, "head": "b"}), &link(1, "a")),
            "argument 1 is no longer there"
        );
    }

    /// Returns once another thread waits for the lock of the file.
    #[cfg(target_os = "linux")]
    fn wait_for_blocked_lock(path: &Path) {
        let file = format!(":{} ", fs::metadata(path).unwrap().ino());
        let is_waiting = |line: &str| line.contains("-> FLOCK") && line.contains(&file);
        let start = Instant::now();
        while !files::read_text(Path::new("/proc/locks"), files::MAX_BYTES).unwrap().lines().any(is_waiting) {
            assert!(start.elapsed() < Duration::from_secs(10), "nobody waits for the lock");
            thread::yield_now();
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn concurrent_commands_lock_the_file() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(DEBATE);
        store(&path, &link(1, "a"));
        let file = files::open(&path).unwrap();

        files::lock_within(&file, Lock::Exclusive, LOCK_TIMEOUT).unwrap();
        let loading = thread::spawn({
            let path = path.clone();
            move || load(&path)
        });
        wait_for_blocked_lock(&path);
        fs::write(&path, "2 b\n").unwrap();
        file.unlock().unwrap();
        assert_eq!(loading.join().unwrap(), Some(link(2, "b")));

        files::lock_within(&file, Lock::Shared, LOCK_TIMEOUT).unwrap();
        let storing = thread::spawn({
            let path = path.clone();
            move || store(&path, &link(3, "c"))
        });
        wait_for_blocked_lock(&path);
        assert_eq!(files::read(&path, 99).unwrap(), b"2 b\n");
        file.unlock().unwrap();
        storing.join().unwrap();
        assert_eq!(load(&path), Some(link(3, "c")));
    }

    #[test]
    fn an_answer_without_hashes_is_ignored() {
        assert!(Chain::read(&json!({"documents": []})).is_none());
        assert!(Chain::read(&json!({"debate_id": DEBATE, "last_seq": 4})).is_none());
    }

    #[test]
    fn hashes_are_stripped() {
        let mut data =
            json!({"debate": {"id": DEBATE, "last_seq": 4, "head": "d"}, "arguments": [{"seq": 4, "hash": "d"}]});
        strip(&mut data, false);
        assert_eq!(data, json!({"debate": {"id": DEBATE, "last_seq": 4}, "arguments": [{"seq": 4}]}));
        let mut data = json!({"last_seen_seq": 3, "last_seen_hash": "c", "last_seq": 4, "head": "d"});
        strip(&mut data, false);
        assert_eq!(data, json!({"last_seen_seq": 3}));
    }
}
