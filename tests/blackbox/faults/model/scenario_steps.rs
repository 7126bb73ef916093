//! The moves that scenarios consist of. A move describes what it refers to, such as the newest debate or the side that
//! has the turn, instead of naming it. So a scenario stays valid when proptest removes moves from it.

use std::ops::Range;

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    change_mutations::{CHANGE_FAULTS, ChangeFault},
    model_request::{ARGUMENTS, CommonFault, Verb, WRITES},
};

/// A debate or document of the scenario.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// The newest that is not closed or deleted
    Open,
    /// The n-th newest, modulo their number
    Newest(usize),
    Unknown,
}

/// An argument to refer to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The newest that is not an intervention
    Said,
    Newest,
    /// The n-th, modulo their number
    Nth(usize),
    OfAnotherDebate,
    Unknown,
}

/// The `client_request_id` of a write.
#[derive(Clone, Copy, Debug)]
pub enum RequestId {
    Fresh,
    /// That of the newest stored write with this verb
    Used(Verb),
    Absent,
}

/// A change of an issue. The numbers are taken modulo the number of choices.
#[derive(Clone, Copy, Debug)]
pub struct IssueStep {
    /// How it is chosen
    pub choice: ChangeChoice,
    /// The severity, for changes that set one
    pub severity: usize,
    /// The texts: title, location and note
    pub words: usize,
}

/// How a change of an issue is chosen.
#[derive(Clone, Copy, Debug)]
pub enum ChangeChoice {
    /// The n-th of those that are legal, and the n-th issue that it is legal for
    Legal(usize, usize),
    /// The n-th of those that the argument may carry, and the n-th issue whose status forbids it
    Illegal(usize, usize),
    /// The n-th of all, for the n-th issue or one that does not exist
    Any(usize, usize),
    /// A new issue, legal or not
    Raise,
}

/// A search term.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// The prefix that all titles and summaries of this scenario share
    Story,
    /// The prefix in upper case and one of the suffixes
    Ending(usize),
    /// An id, whole or only its beginning
    Id(Which, bool),
}

/// The page of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub limit: Option<usize>,
    pub offset: Option<usize>,
}

/// What a repeated write changes.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    Nothing,
    /// The n-th field, modulo their number
    Field(usize),
    /// Adds fields that are as if absent
    Blanks,
    Verb(Verb),
}

/// A move.
#[derive(Clone, Debug)]
pub enum Move {
    /// Creates a debate, possibly under an id in use
    Create {
        taken: Option<Which>,
        words: usize,
        general: bool,
        max_rounds: Option<usize>,
        request_id: RequestId,
    },
    /// Submits an argument; a claim comes from the side that has the turn or from the other side
    Argue {
        /// `None` chooses an allowed verb other than an intervention
        verb: Option<Verb>,
        debate: Which,
        on_turn: bool,
        target: Target,
        words: usize,
        request_id: RequestId,
        extra: usize,
        changes: Vec<IssueStep>,
    },
    /// Writes an argument that raises as many issues as possible, or one after which that is possible
    RaiseMany {
        request_id: RequestId,
    },
    /// Repeats the n-th newest stored or refused write with this verb, modulo their number
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
    Issues {
        debate: Which,
        status: Option<usize>,
        history: Option<bool>,
    },
    List {
        search: Search,
        state: Option<usize>,
        page: Page,
    },
    Search {
        search: Search,
        kind: Option<usize>,
        page: Page,
    },
    DocumentCreate {
        words: usize,
        metadata: usize,
        request_id: RequestId,
    },
    DocumentSubmit {
        document: Which,
        words: usize,
        metadata: usize,
        request_id: RequestId,
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

/// A change that makes a request unusual or invalid. Indexes are taken modulo the number of choices.
#[derive(Clone, Copy, Debug)]
pub enum Mutation {
    /// Spells ids differently, which must not matter
    Spelling(usize),
    CommonFault(CommonFault),
    /// Makes a text one byte or character too long
    Long(usize),
    /// Makes a text empty
    Empty(usize),
    /// Adds a forbidden character to a text
    Control(usize, usize),
    /// Leaves out a field
    Absent(usize),
    /// Sets a field to a value of another type
    Mistyped(usize),
    RequestId(usize),
    /// Sets the limit of rounds to another value
    Rounds(usize),
    /// Adds this fault to a change of an issue
    Change(ChangeFault, usize),
    /// Replaces the id in the path by an invalid one
    Id,
    /// Sets a query parameter to an invalid value or leaves it out
    Query(usize, usize),
}

/// A move and the mutations of its request.
#[derive(Clone, Debug)]
pub struct Step {
    pub what: Move,
    pub mutations: Vec<Mutation>,
}

/// Random scenarios of up to `longest` steps.
pub fn scenarios(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (moves(), mutations()).prop_map(|(what, mutations)| Step { what, mutations });
    let full = || {
        let fill = Step { what: Move::RaiseMany { request_id: RequestId::Fresh }, mutations: Vec::new() };
        vec(Just(fill), FILLED_AFTER)
    };
    // A few scenarios begin with a debate that has as many issues as possible.
    let beginning = prop_oneof![FILLED => full(), NOT_FILLED => Just(Vec::new())];
    let of_issues = prop_oneof![25 => issue_step().prop_map(|step| vec![step]), 1 => chosen_option()];
    let of_issues = vec(of_issues, 1..=longest).prop_map(|steps| steps.concat());
    let rest = prop_oneof![vec(step, 1..=longest), of_issues];
    (beginning, rest).prop_map(|(beginning, rest)| [beginning, rest].concat())
}

/// A step of a scenario that is mostly about the issues of a long debate.
fn issue_step() -> impl Strategy<Value = Step> {
    let argue = |verb: Option<Verb>, target: Target, extra: Range<usize>, changes: BoxedStrategy<Vec<IssueStep>>| {
        let which = prop_oneof![30 => Just(Which::Open), 1 => which()];
        (which, 0_usize..12, extra, changes).prop_map(move |(debate, words, extra, changes)| {
            let request_id = RequestId::Fresh;
            Move::Argue { verb, debate, on_turn: true, target, words, request_id, extra, changes }
        })
    };
    let legal = || vec(issue_change(legal_change().boxed()), 0..5).boxed();
    let any_change = || prop_oneof![1 => any_change(), 3 => illegal_change()];
    let any = || vec(issue_change(any_change().boxed()), 1..2).boxed();
    let none = || Just(Vec::new()).boxed();
    let create = (0_usize..12, prop::option::weighted(0.2, 1_usize..3)).prop_map(|(words, max_rounds)| Move::Create {
        taken: None,
        words,
        general: true,
        max_rounds,
        request_id: RequestId::Fresh,
    });
    let (said, open, closing) = (Target::Said, 0..2, 0..8);
    let what = prop_oneof![
        1 => create,
        40 => argue(None, said, open.clone(), legal()),
        20 => argue(None, said, open.clone(), any()),
        8 => argue(Some(Verb::Submit), said, open.clone(), legal()),
        34 => argue(Some(Verb::Submit), said, open.clone(), any()),
        3 => argue(Some(Verb::Appeal), said, open.clone(), legal()),
        3 => argue(Some(Verb::Appeal), said, open.clone(), any()),
        8 => argue(Some(Verb::Ruling), said, open.clone(), any()),
        3 => argue(Some(Verb::Intervention), said, open.clone(), none()),
        4 => argue(Some(Verb::Appeal), said, 4..7, legal()),
        1 => argue(Some(Verb::Appeal), said, 4..7, any()),
        4 => argue(Some(Verb::Ruling), said, 4..6, none()),
        2 => argue(None, said, closing, legal()),
        2 => argue(None, Target::Unknown, open, any()),
        8 => repeat(),
        15 => moves(),
    ];
    (what, mutations()).prop_map(|(what, mutations)| Step { what, mutations })
}

/// An appeal whose first option decides something, and the ruling that chooses it.
fn chosen_option() -> impl Strategy<Value = Vec<Step>> {
    // Both are numbers of the choices of options, of what they decide, and of which is chosen.
    const EXTRA: usize = 4;
    let change = issue_change(legal_change().boxed());
    (0_usize..12, 0_usize..12, change).prop_map(|(appeal, ruling, change)| {
        let step = |verb: Verb, words: usize, changes: Vec<IssueStep>| Step {
            what: Move::Argue {
                verb: Some(verb),
                debate: Which::Open,
                on_turn: true,
                target: Target::Said,
                words,
                request_id: RequestId::Fresh,
                extra: EXTRA,
                changes,
            },
            mutations: Vec::new(),
        };
        vec![step(Verb::Appeal, appeal, vec![change]), step(Verb::Ruling, ruling, Vec::new())]
    })
}

/// How many steps fill a debate with issues, the creation and the proposer's arguments among them.
const FILLED_AFTER: usize = 21;

/// The weights of scenarios that begin so, and of the others.
const FILLED: u32 = 1;
const NOT_FILLED: u32 = 40;

fn changes() -> impl Strategy<Value = Vec<IssueStep>> {
    let choice = prop_oneof![8 => legal_change(), 2 => any_change(), 1 => Just(ChangeChoice::Raise)];
    prop_oneof![2 => Just(Vec::new()), 3 => vec(issue_change(choice.boxed()), 1..4)]
}

fn issue_change(choice: BoxedStrategy<ChangeChoice>) -> impl Strategy<Value = IssueStep> {
    (choice, 0_usize..60, 0_usize..60).prop_map(|(choice, severity, words)| IssueStep { choice, severity, words })
}

fn legal_change() -> impl Strategy<Value = ChangeChoice> {
    // Often the oldest issue, so that some change many times.
    let issue = prop_oneof![2 => Just(0), 1 => 0_usize..60];
    (0_usize..60, issue).prop_map(|(change, issue)| ChangeChoice::Legal(change, issue))
}

fn illegal_change() -> impl Strategy<Value = ChangeChoice> {
    (0_usize..60, 0_usize..60).prop_map(|(change, issue)| ChangeChoice::Illegal(change, issue))
}

fn any_change() -> impl Strategy<Value = ChangeChoice> {
    (0_usize..60, 0_usize..60).prop_map(|(change, issue)| ChangeChoice::Any(change, issue))
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

fn request_id() -> impl Strategy<Value = RequestId> {
    prop_oneof![
        16 => Just(RequestId::Fresh),
        1 => select(&WRITES[..]).prop_map(RequestId::Used),
        1 => Just(RequestId::Absent),
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

fn repeat() -> impl Strategy<Value = Move> {
    let change = prop_oneof![
        3 => Just(Change::Nothing),
        3 => (0_usize..8).prop_map(Change::Field),
        1 => Just(Change::Blanks),
        1 => arguments().prop_map(Change::Verb),
    ];
    let again = prop_oneof![
        1 => select(&WRITES[..]),
        1 => arguments(),
    ];
    (again, prop::bool::weighted(0.2), 0_usize..4, change).prop_map(|(verb, refused, which, change)| Move::Repeat {
        verb,
        refused,
        which,
        change,
    })
}

fn moves() -> impl Strategy<Value = Move> {
    let words = || 0_usize..12;
    let rounds = prop::option::weighted(0.3, 1_usize..4);
    let create = (prop::option::weighted(0.15, which()), words(), any::<bool>(), rounds, request_id()).prop_map(
        |(taken, words, general, max_rounds, request_id)| Move::Create {
            taken,
            words,
            general,
            max_rounds,
            request_id,
        },
    );
    let verb = prop_oneof![arguments().prop_map(Some), Just(None)];
    let argue = (verb, which(), prop::bool::weighted(0.2), target(), words(), request_id(), 0_usize..8, changes())
        .prop_map(|(verb, debate, off_turn, target, words, request_id, extra, changes)| Move::Argue {
            verb,
            debate,
            on_turn: !off_turn,
            target,
            words,
            request_id,
            extra,
            changes,
        });
    let wait = (which(), 0_usize..3, prop::option::weighted(0.8, target()))
        .prop_map(|(debate, role, seen)| Move::Wait { debate, role, seen });
    let context = (which(), few(), few(), few()).prop_map(|(debate, limit, before, after)| Move::Context {
        debate,
        limit,
        before,
        after,
    });
    let issues = (which(), few(), prop::option::weighted(0.6, any::<bool>()))
        .prop_map(|(debate, status, history)| Move::Issues { debate, status, history });
    let list = (search(), few(), page()).prop_map(|(search, state, page)| Move::List { search, state, page });
    let find = (search(), few(), page()).prop_map(|(search, kind, page)| Move::Search { search, kind, page });
    let keep = (words(), 0_usize..4, request_id()).prop_map(|(words, metadata, request_id)| Move::DocumentCreate {
        words,
        metadata,
        request_id,
    });
    let revise = (which(), words(), 0_usize..4, request_id()).prop_map(|(document, words, metadata, request_id)| {
        Move::DocumentSubmit { document, words, metadata, request_id }
    });
    let read = (which(), few()).prop_map(|(document, version)| Move::DocumentGet { document, version });
    let history = (which(), page()).prop_map(|(document, page)| Move::DocumentHistory { document, page });
    let documents = (search(), page()).prop_map(|(search, page)| Move::DocumentList { search, page });
    prop_oneof![
        6 => create,
        40 => argue,
        10 => repeat(),
        14 => wait,
        6 => context,
        6 => issues,
        6 => list,
        6 => find,
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
    const COMMON_FAULTS: [CommonFault; 6] = [
        CommonFault::Host,
        CommonFault::Path,
        CommonFault::Method,
        CommonFault::Token,
        CommonFault::Media,
        CommonFault::Right,
    ];
    let field = || 0_usize..7;
    prop_oneof![
        3 => (0_usize..3).prop_map(Mutation::Spelling),
        9 => select(&COMMON_FAULTS[..]).prop_map(Mutation::CommonFault),
        2 => field().prop_map(Mutation::Long),
        1 => field().prop_map(Mutation::Empty),
        1 => (field(), 0_usize..6).prop_map(|(field, character)| Mutation::Control(field, character)),
        1 => field().prop_map(Mutation::Absent),
        1 => field().prop_map(Mutation::Mistyped),
        1 => (0_usize..5).prop_map(Mutation::RequestId),
        1 => (0_usize..5).prop_map(Mutation::Rounds),
        8 => (select(&CHANGE_FAULTS[..]), 0_usize..8).prop_map(|(fault, which)| Mutation::Change(fault, which)),
        1 => Just(Mutation::Id),
        2 => (0_usize..4, 0_usize..8).prop_map(|(param, value)| Mutation::Query(param, value)),
    ]
}
