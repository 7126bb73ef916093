//! What scenarios are values of. A move says what is meant (the newest debate, whoever's turn it is), not which: so any can be
//! left out of a scenario, and what is left is one as well.

use proptest::{collection::vec, prelude::*, sample::select};

use super::model_request::{ARGUMENTS, CommonFault, Verb, WRITES};

/// One of the debates, or of the documents, of a scenario.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// The newest that is not closed or deleted
    Open,
    /// Counted from the newest, over and over
    Newest(usize),
    Unknown,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The newest that is no intervention
    Said,
    Newest,
    /// Counted from the first, over and over
    Nth(usize),
    OfAnotherDebate,
    Unknown,
}

/// What makes a write repeatable.
#[derive(Clone, Copy, Debug)]
pub enum Request {
    Fresh,
    /// Taken from the newest such write that was stored
    Used(Verb),
    Absent,
}

/// What a list is searched for.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// What all of this scenario have in their titles and summaries
    Story,
    /// The same in capitals, and one of the endings of titles and summaries
    Ending(usize),
    /// The beginning of an id
    Id(Which, bool),
}

/// Part of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub limit: Option<usize>,
    pub offset: Option<usize>,
}

/// How a write that is sent again differs.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Nothing,
    /// One field, counted over and over
    Field(usize),
    Verb(Verb),
}

/// One move.
#[derive(Clone, Debug)]
pub enum Move {
    /// Opens a debate, maybe under the id of one that is there
    Create {
        taken: Option<Which>,
        words: usize,
        general: bool,
        request: Request,
    },
    /// Adds an argument; a claim is of the side that has the turn, or of the other
    Argue {
        /// None for one that is in order, and stops nobody
        verb: Option<Verb>,
        debate: Which,
        on_turn: bool,
        target: Target,
        words: usize,
        request: Request,
        extra: usize,
    },
    /// Sends such a write again that was stored, or refused; counted from the newest, over and over
    Repeat {
        verb: Verb,
        refused: bool,
        which: usize,
        change: Change,
    },
    Wait {
        debate: Which,
        role: usize,
        seen: Option<Target>,
    },
    Context {
        debate: Which,
        limit: Option<usize>,
        before: Option<usize>,
        after: Option<usize>,
    },
    List {
        search: Search,
        state: Option<usize>,
        page: Page,
    },
    DocumentCreate {
        words: usize,
        metadata: usize,
        request: Request,
    },
    DocumentSubmit {
        document: Which,
        words: usize,
        metadata: usize,
        request: Request,
    },
    DocumentGet {
        document: Which,
        version: Option<usize>,
    },
    DocumentHistory {
        document: Which,
        page: Page,
    },
    DocumentList {
        search: Search,
        page: Page,
    },
    DocumentDelete {
        document: Which,
    },
}

/// What is odd about a request. Places and values are counted over and over.
#[derive(Clone, Copy, Debug)]
pub enum Mutation {
    /// Ids are spelled otherwise, which changes nothing
    Spelling(usize),
    CommonFault(CommonFault),
    /// A text is one longer than it may be
    Long(usize),
    /// A text is empty
    Empty(usize),
    /// A text has a character that no text may have
    Control(usize, usize),
    /// A field is left out
    Absent(usize),
    /// A field is of another type
    Mistyped(usize),
    RequestId(usize),
    /// The id in the path is none
    Id,
    /// A parameter of the query has an odd value, or is left out
    Query(usize, usize),
}

/// A move, and what is odd about its request.
#[derive(Clone, Debug)]
pub struct Step {
    pub what: Move,
    pub mutations: Vec<Mutation>,
}

/// Any scenario of at most so many steps.
pub fn scenarios(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (moves(), mutations()).prop_map(|(what, mutations)| Step { what, mutations });
    vec(step, 1..=longest)
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![14 => Just(Which::Open), 5 => (0_usize..5).prop_map(Which::Newest), 1 => Just(Which::Unknown)]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        12 => Just(Target::Said),
        4 => Just(Target::Newest),
        6 => (0_usize..20).prop_map(Target::Nth),
        1 => Just(Target::OfAnotherDebate),
        1 => Just(Target::Unknown),
    ]
}

fn request() -> impl Strategy<Value = Request> {
    prop_oneof![
        16 => Just(Request::Fresh),
        1 => select(&WRITES[..]).prop_map(Request::Used),
        1 => Just(Request::Absent),
    ]
}

fn search() -> impl Strategy<Value = Search> {
    prop_oneof![
        Just(Search::Story),
        (0_usize..10).prop_map(Search::Ending),
        (which(), any::<bool>()).prop_map(|(which, whole)| Search::Id(which, whole)),
    ]
}

fn page() -> impl Strategy<Value = Page> {
    (prop::option::weighted(0.3, 1_usize..4), prop::option::weighted(0.3, 0_usize..4))
        .prop_map(|(limit, offset)| Page { limit, offset })
}

fn few() -> impl Strategy<Value = Option<usize>> {
    prop::option::weighted(0.4, 0_usize..8)
}

fn arguments() -> impl Strategy<Value = Verb> {
    let [submit, appeal, resolution, ruling, intervention] = ARGUMENTS;
    prop_oneof![
        3 => Just(submit),
        2 => Just(appeal),
        2 => Just(resolution),
        2 => Just(ruling),
        3 => Just(intervention),
    ]
}

fn moves() -> impl Strategy<Value = Move> {
    let words = || 0_usize..12;
    let create = (prop::option::weighted(0.15, which()), words(), any::<bool>(), request())
        .prop_map(|(taken, words, general, request)| Move::Create { taken, words, general, request });
    let verb = prop_oneof![arguments().prop_map(Some), Just(None)];
    let argue = (verb, which(), prop::bool::weighted(0.2), target(), words(), request(), 0_usize..8).prop_map(
        |(verb, debate, off_turn, target, words, request, extra)| Move::Argue {
            verb,
            debate,
            on_turn: !off_turn,
            target,
            words,
            request,
            extra,
        },
    );
    let change = prop_oneof![
        3 => Just(Change::Nothing),
        3 => (0_usize..6).prop_map(Change::Field),
        1 => arguments().prop_map(Change::Verb),
    ];
    let again = prop_oneof![
        1 => select(&WRITES[..]),
        1 => arguments(),
    ];
    let repeat = (again, prop::bool::weighted(0.2), 0_usize..4, change)
        .prop_map(|(verb, refused, which, change)| Move::Repeat { verb, refused, which, change });
    let wait = (which(), 0_usize..3, prop::option::weighted(0.8, target()))
        .prop_map(|(debate, role, seen)| Move::Wait { debate, role, seen });
    let context = (which(), few(), few(), few()).prop_map(|(debate, limit, before, after)| Move::Context {
        debate,
        limit,
        before,
        after,
    });
    let list = (search(), few(), page()).prop_map(|(search, state, page)| Move::List { search, state, page });
    let keep =
        (words(), 0_usize..4, request()).prop_map(|(words, metadata, request)| Move::DocumentCreate { words, metadata, request });
    let revise = (which(), words(), 0_usize..4, request())
        .prop_map(|(document, words, metadata, request)| Move::DocumentSubmit { document, words, metadata, request });
    let read = (which(), few()).prop_map(|(document, version)| Move::DocumentGet { document, version });
    let history = (which(), page()).prop_map(|(document, page)| Move::DocumentHistory { document, page });
    let documents = (search(), page()).prop_map(|(search, page)| Move::DocumentList { search, page });
    prop_oneof![
        6 => create,
        40 => argue,
        10 => repeat,
        14 => wait,
        6 => context,
        6 => list,
        4 => keep,
        6 => revise,
        6 => read,
        6 => history,
        6 => documents,
        5 => which().prop_map(|document| Move::DocumentDelete { document }),
    ]
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    prop_oneof![14 => Just(Vec::new()), 5 => vec(mutation(), 1), 1 => vec(mutation(), 2)]
}

fn mutation() -> impl Strategy<Value = Mutation> {
    const COMMON_FAULTS: [CommonFault; 6] = [CommonFault::Host, CommonFault::Path, CommonFault::Method, CommonFault::Token, CommonFault::Media, CommonFault::Right];
    let field = || 0_usize..5;
    prop_oneof![
        3 => (0_usize..3).prop_map(Mutation::Spelling),
        9 => select(&COMMON_FAULTS[..]).prop_map(Mutation::CommonFault),
        2 => field().prop_map(Mutation::Long),
        1 => field().prop_map(Mutation::Empty),
        1 => (field(), 0_usize..6).prop_map(|(field, character)| Mutation::Control(field, character)),
        1 => field().prop_map(Mutation::Absent),
        1 => field().prop_map(Mutation::Mistyped),
        1 => (0_usize..5).prop_map(Mutation::RequestId),
        1 => Just(Mutation::Id),
        2 => (0_usize..4, 0_usize..8).prop_map(|(param, value)| Mutation::Query(param, value)),
    ]
}
