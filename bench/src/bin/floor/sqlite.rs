//! A database as the server makes it, and the statements that store a turn of a debate in it, on the thread that asks.

use std::{collections::HashMap, io, path::Path};

use rusqlite::{Connection, Result, Transaction, TransactionBehavior, params};
use uuid::Uuid;

use crate::log::{Disk, RECORD, Record};

const OPEN: &str = "INSERT INTO debates (id, title, title_folded, debate_type, state, last_seq, last_argument_id, \
     created_at, updated_at, head) VALUES (?1, 'Floor', 'floor', 'general_debate', ?2, 1, ?1, 1, 1, ?3)";

const MOVE: &str = "UPDATE debates SET state = ?3, state_detail = ?4, option_count = NULL, last_seq = ?5, \
     last_argument_id = ?6, updated_at = ?7, head = ?8 WHERE id = ?1 AND last_seq = ?2";

const ADD: &str = "INSERT INTO arguments (id, debate_id, seq, parent_id, argument_type, role, content, \
     client_request_id, created_at, hash) VALUES (?1, ?2, ?3, ?4, 'CLAIM', ?5, ?6, ?7, ?8, ?9)";

const COUNT: &str = "INSERT INTO debate_totals (slot, state, debates) VALUES (0, ?1, -1), (0, ?2, 1) \
     ON CONFLICT (slot, state) DO UPDATE SET debates = debates + excluded.debates";

/// Where a side is to speak: its state, that state's detail, and who has spoken before.
const PLACES: [(&str, Option<&str>, &str); 2] =
    [("AWAITING_OPPONENT", None, "proposer"), ("AWAITING_PROPOSER", Some("CLAIM"), "opponent")];

pub struct Turns {
    connection: Connection,
    debates: HashMap<u32, Debate>,
    /// Counts up where the server has the time, and microseconds of it
    clock: i64,
}

struct Debate {
    id: Uuid,
    seq: i64,
    newest: Uuid,
}

impl Turns {
    pub fn open(path: &Path) -> Result<Self> {
        let connection = Connection::open(path)?;
        // As the server does.
        for (name, value) in [("synchronous", "FULL"), ("wal_autocheckpoint", "4000"), ("foreign_keys", "ON")] {
            connection.pragma_update(None, name, value)?;
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        Ok(Self { connection, debates: HashMap::new(), clock: 0 })
    }

    fn write(&mut self, records: &[Record]) -> Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (topic, record) in records {
            if !self.debates.contains_key(topic) {
                let id = Uuid::new_v4();
                transaction.prepare_cached(OPEN)?.execute(params![id.as_bytes(), PLACES[0].0, [0_u8; 32]])?;
                self.debates.insert(*topic, Debate { id, seq: 1, newest: id });
            }
            if let Some(debate) = self.debates.get_mut(topic) {
                self.clock += 1;
                debate.move_on(&transaction, record, self.clock)?;
            }
        }
        transaction.commit()
    }
}

impl Debate {
    fn move_on(&mut self, transaction: &Transaction<'_>, record: &[u8; RECORD], clock: i64) -> Result<()> {
        let (next, hash) = (self.seq + 1, [7_u8; 32]);
        let [from, (state, detail, role)] = if next % 2 == 0 { PLACES } else { [PLACES[1], PLACES[0]] };
        // Ids of the server grow with the time.
        let argument = Uuid::from_u128(clock.cast_unsigned().into());
        transaction.prepare_cached(MOVE)?.execute(params![
            self.id.as_bytes(),
            self.seq,
            state,
            detail,
            next,
            argument.as_bytes(),
            clock,
            hash
        ])?;
        transaction.prepare_cached(ADD)?.execute(params![
            argument.as_bytes(),
            self.id.as_bytes(),
            next,
            self.newest.as_bytes(),
            role,
            String::from_utf8_lossy(record),
            Uuid::new_v4().to_string(),
            clock,
            hash
        ])?;
        transaction.prepare_cached(COUNT)?.execute(params![from.0, state])?;
        (self.seq, self.newest) = (next, argument);
        Ok(())
    }
}

impl Disk for Turns {
    fn store(&mut self, records: &[Record]) -> io::Result<()> {
        self.write(records).map_err(io::Error::other)
    }
}
