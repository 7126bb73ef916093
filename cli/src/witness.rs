//! Remembering what was seen of each debate, so that nobody can change its history unnoticed.
//!
//! The server tells a hash with every argument, which stands for it and all before it. The newest that was seen of a
//! debate is kept below the home folder; where the server later tells another for the same place, or a shorter history,
//! what was agreed on is no longer what is stored, and the answer says so.

use std::{
    env,
    fs::{self, File},
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::Mutex,
};

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::output;

/// The fields of answers that only this module reads.
const FIELDS: [&str; 4] = ["hash", "head", "last_seen_hash", "previous_hash"];

/// What has to be told besides the answer.
static WARNING: Mutex<Option<String>> = Mutex::new(None);

/// A place in a debate and the hash of what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    seq: u64,
    hash: String,
}

/// What an answer says of a debate.
#[derive(Debug)]
struct Told {
    debate: Uuid,
    newest: Seen,
    places: Vec<Seen>,
}

/// What an answer means for what is remembered.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// It goes on from there
    Extends,
    /// It says nothing of that place
    Unknown,
    /// It ends before that place, as does one that another command of ours overtook on its way
    Shorter(u64),
    /// It is no history that goes on from there
    Changed(String),
}

/// A place whose hash the answer does not tell, and which has to be asked for.
#[derive(Debug)]
pub struct Gap {
    /// The debate
    pub debate: Uuid,
    /// What was seen there before the question: what other commands of ours see until the answer comes may be newer than it
    seen: Seen,
}

impl Gap {
    /// The place
    pub fn seq(&self) -> u64 {
        self.seen.seq
    }
}

/// Compares an answer with what is remembered, and remembers it in turn.
pub fn look_at(data: &Value) -> Option<Gap> {
    let told = Told::read(data)?;
    let path = path(told.debate)?;
    let remembered = recall(&path);
    match remembered.as_ref().map_or(Verdict::Extends, |seen| told.verdict(seen)) {
        Verdict::Extends => {
            if remembered.as_ref() != Some(&told.newest) {
                keep(&path, &told.newest);
            }
            None
        }
        Verdict::Unknown | Verdict::Shorter(_) => remembered.map(|seen| Gap { debate: told.debate, seen }),
        Verdict::Changed(how) => {
            warn(told.debate, &how);
            None
        }
    }
}

/// Compares with what is remembered what the server tells of that place when asked for it, as the arguments there.
pub fn look_into(gap: &Gap, context: &Value) {
    let (Some(path), Some(told)) = (path(gap.debate), Told::read(context)) else { return };
    match told.verdict(&gap.seen) {
        Verdict::Extends => {
            if recall(&path).is_none_or(|seen| seen.seq < told.newest.seq) {
                keep(&path, &told.newest);
            }
        }
        Verdict::Unknown => warn(gap.debate, &format!("argument {} is no longer there", gap.seq())),
        Verdict::Shorter(now) => warn(gap.debate, &format!("it has {now} arguments, where it had {}", gap.seq())),
        Verdict::Changed(how) => warn(gap.debate, &how),
    }
}

/// What has to be told besides the answer, if anything.
pub fn warning() -> Option<String> {
    WARNING.lock().ok().and_then(|warning| warning.clone())
}

/// Takes out what only this module reads: it says nothing to whoever pays for every byte.
pub fn spare(data: &mut Value) {
    match data {
        Value::Object(fields) => {
            FIELDS.iter().for_each(|field| drop(fields.shift_remove(*field)));
            if fields.contains_key("next_argument_id_to_wait") || fields.contains_key("last_seen_seq") {
                fields.shift_remove("last_seq");
            }
            fields.values_mut().for_each(spare);
        }
        Value::Array(items) => items.iter_mut().for_each(spare),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn warn(debate: Uuid, how: &str) {
    let text = format!(
        "the history of debate {debate} is not the one seen before: {how}. Trust nothing in it until `aweave-server verify` \
         and a person have looked into it"
    );
    output::note(&text);
    if let Ok(mut warning) = WARNING.lock() {
        *warning = Some(text);
    }
}

impl Told {
    fn read(data: &Value) -> Option<Self> {
        let whole = data.as_object()?;
        let about = whole.get("debate").and_then(Value::as_object).unwrap_or(whole);
        let arguments = || {
            let lists = ["earlier", "arguments"].into_iter().filter_map(|field| whole.get(field)?.as_array()).flatten();
            ["motion", "argument"].into_iter().filter_map(|field| whole.get(field)).chain(lists)
        };
        let id = |fields: &Map<String, Value>, name: &str| fields.get(name)?.as_str()?.parse().ok();
        let debate = id(about, "debate_id")
            .or_else(|| id(about, "id"))
            .or_else(|| id(arguments().next()?.as_object()?, "debate_id"))?;
        let newest = seen(about, "last_seq", "head")?;
        let mut places = vec![newest.clone()];
        places.extend(seen(whole, "last_seen_seq", "last_seen_hash"));
        places.extend(arguments().filter_map(|argument| seen(argument.as_object()?, "seq", "hash")));
        if let (Some(hash), Some(seq)) =
            (whole.get("previous_hash"), whole.get("argument").and_then(|it| it.get("seq")))
        {
            places.extend(
                seq.as_u64().zip(hash.as_str()).map(|(seq, hash)| Seen { seq: seq - 1, hash: hash.to_owned() }),
            );
        }
        Some(Self { debate, newest, places })
    }

    fn verdict(&self, remembered: &Seen) -> Verdict {
        if self.newest.seq < remembered.seq {
            return Verdict::Shorter(self.newest.seq);
        }
        match self.places.iter().find(|place| place.seq == remembered.seq) {
            None => Verdict::Unknown,
            Some(place) if place.hash == remembered.hash => Verdict::Extends,
            Some(_) => Verdict::Changed(format!("argument {} or one before it was changed", remembered.seq)),
        }
    }
}

fn seen(fields: &Map<String, Value>, seq: &str, hash: &str) -> Option<Seen> {
    Some(Seen { seq: fields.get(seq)?.as_u64()?, hash: fields.get(hash)?.as_str()?.to_owned() })
}

fn path(debate: Uuid) -> Option<PathBuf> {
    let home = env::var_os("HOME").filter(|home| !home.is_empty())?;
    Some(Path::new(&home).join(".aweave").join("heads").join(debate.to_string()))
}

/// The first line: what follows it was left by a longer one.
fn recall(path: &Path) -> Option<Seen> {
    let mut file = File::open(path).ok()?;
    // Where files cannot be locked, a command that writes it at this very moment is not waited for.
    let _ = file.lock_shared();
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    let (seq, hash) = text.lines().next()?.split_once(' ')?;
    Some(Seen { seq: seq.parse().ok()?, hash: hash.to_owned() })
}

/// Where nothing can be kept nothing is, as this is a help and no need.
fn keep(path: &Path, seen: &Seen) {
    let kept = || -> io::Result<()> {
        let mut file = open(path).or_else(|error| match (error.kind(), path.parent()) {
            (io::ErrorKind::NotFound, Some(folder)) => fs::create_dir_all(folder).and_then(|()| open(path)),
            _ => Err(error),
        })?;
        let _ = file.lock();
        // At once and in place: a new file in its place takes ten times as long, a tenth of the whole command.
        file.write_all(format!("{} {}\n", seen.seq, seen.hash).as_bytes())
    };
    let _ = kept();
}

fn open(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    use std::{
        os::unix::fs::MetadataExt,
        thread,
        time::{Duration, Instant},
    };

    use serde_json::json;

    use super::*;

    const DEBATE: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn remembered(seq: u64, hash: &str) -> Seen {
        Seen { seq, hash: hash.to_owned() }
    }

    fn verdict(data: &Value, seen: &Seen) -> Verdict {
        Told::read(data).unwrap().verdict(seen)
    }

    #[test]
    fn what_goes_on_from_what_was_seen_is_in_order() {
        let wait = json!({"debate_id": DEBATE, "last_seen_seq": 3, "last_seen_hash": "c", "last_seq": 4, "head": "d",
            "argument": {"seq": 4, "hash": "d"}, "earlier": []});
        assert_eq!(verdict(&wait, &remembered(3, "c")), Verdict::Extends);
        assert_eq!(verdict(&wait, &remembered(4, "d")), Verdict::Extends);
        let submit = json!({"argument": {"debate_id": DEBATE, "seq": 4, "hash": "d"}, "previous_hash": "c",
            "last_seq": 4, "head": "d"});
        assert_eq!(verdict(&submit, &remembered(3, "c")), Verdict::Extends);
        let context = json!({"debate": {"id": DEBATE, "last_seq": 5, "head": "e"}, "motion": {"seq": 1, "hash": "a"},
            "arguments": [{"seq": 4, "hash": "d"}, {"seq": 5, "hash": "e"}]});
        assert_eq!(verdict(&context, &remembered(1, "a")), Verdict::Extends);
        assert_eq!(verdict(&context, &remembered(3, "c")), Verdict::Unknown);
    }

    #[test]
    fn another_hash_and_a_shorter_history_are_noticed() {
        let wait = json!({"debate_id": DEBATE, "last_seen_seq": 3, "last_seen_hash": "x", "last_seq": 4, "head": "d"});
        assert!(matches!(verdict(&wait, &remembered(3, "c")), Verdict::Changed(_)));
        assert!(matches!(verdict(&wait, &remembered(4, "x")), Verdict::Changed(_)));
        assert_eq!(verdict(&wait, &remembered(5, "e")), Verdict::Shorter(4));
    }

    #[test]
    fn what_is_kept_is_recalled_and_nothing_of_what_was_kept_before() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("heads").join(DEBATE);
        assert_eq!(recall(&path), None);
        for seen in [remembered(9, "c"), remembered(10, &"d".repeat(64)), remembered(11, "e")] {
            keep(&path, &seen);
            assert_eq!(recall(&path), Some(seen));
        }
    }

    /// Returns once somebody waits for the lock of the file.
    #[cfg(target_os = "linux")]
    fn until_waited_for(path: &Path) {
        let file = format!(":{} ", fs::metadata(path).unwrap().ino());
        let waits = |line: &str| line.contains("-> FLOCK") && line.contains(&file);
        let since = Instant::now();
        while !fs::read_to_string("/proc/locks").unwrap().lines().any(waits) {
            assert!(since.elapsed() < Duration::from_secs(10), "nobody waits for it");
            thread::yield_now();
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn commands_at_the_same_debate_wait_for_each_other() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(DEBATE);
        keep(&path, &remembered(1, "a"));
        let file = File::open(&path).unwrap();

        file.lock().unwrap();
        let recalling = thread::spawn({
            let path = path.clone();
            move || recall(&path)
        });
        until_waited_for(&path);
        fs::write(&path, "2 b\n").unwrap();
        file.unlock().unwrap();
        assert_eq!(recalling.join().unwrap(), Some(remembered(2, "b")));

        file.lock_shared().unwrap();
        let keeping = thread::spawn({
            let path = path.clone();
            move || keep(&path, &remembered(3, "c"))
        });
        until_waited_for(&path);
        assert_eq!(fs::read_to_string(&path).unwrap(), "2 b\n");
        file.unlock().unwrap();
        keeping.join().unwrap();
        assert_eq!(recall(&path), Some(remembered(3, "c")));
    }

    #[test]
    fn an_answer_without_hashes_says_nothing() {
        assert!(Told::read(&json!({"documents": []})).is_none());
        assert!(Told::read(&json!({"debate_id": DEBATE, "last_seq": 4})).is_none());
    }

    #[test]
    fn hashes_are_not_printed() {
        let mut data =
            json!({"debate": {"id": DEBATE, "last_seq": 4, "head": "d"}, "arguments": [{"seq": 4, "hash": "d"}]});
        spare(&mut data);
        assert_eq!(data, json!({"debate": {"id": DEBATE, "last_seq": 4}, "arguments": [{"seq": 4}]}));
        let mut data = json!({"last_seen_seq": 3, "last_seen_hash": "c", "last_seq": 4, "head": "d"});
        spare(&mut data);
        assert_eq!(data, json!({"last_seen_seq": 3}));
    }
}
