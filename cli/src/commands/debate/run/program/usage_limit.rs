//! Texts by which a program says that its user has no more of what may be used, and until when.

use jiff::{
    Span, Timestamp, ToSpan, Zoned,
    civil::{Date, Time, Weekday},
    tz::{Offset, TimeZone},
};
use regex_lite::{Captures, Regex};
use serde_json::{Value, json};

use crate::commands::debate::run::json_objects::{self, Syntax};

/// How far away a time may be that is waited for, in days.
const MAX_DAYS: i64 = 7;

/// The longest message that may be nothing but such a text, in characters.
const MAX_MESSAGE: usize = 250;

/// The longest text that is looked at, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// How deep an error is looked for in an error that names it in JSON.
const MAX_DEPTH: usize = 4;

/// What a limit is called after, such as whose it is and for how long.
const OF_WHAT: &str = concat!(
    r"(?:claude|ai|opus|sonnet|haiku|fable|codex|copilot|gemini|provider|individual|account|organization|workspace|subscription",
    r"|free|usage|rate|premium|request|session|hour|\d+[- ]hour|daily|weekly|monthly|spend|spending|billing(?: hard)?|allocated)[ /]",
);

/// Texts of all programs, and of the interfaces of models behind them. `OF_WHAT` stands for the words above.
const USUAL: [&str; 15] = [
    r"you(?:'ve| have)? (?:hit|reached|exceeded|exhausted|used(?: up)?)(?: all)?(?: of)? your (?:[\w'.-]+ ){0,5}(?:limits?|quota|allowance|cap|capacity|budget|usage|credits|requests)\b",
    r"you(?:'ve| have|'re| are)(?: now)? (?:no|(?:run )?out of) (?:[\w'-]+ ){0,3}(?:usage|credits|quota|requests)\b",
    r"you(?:'ve| have) (?:hit|reached|exceeded) (?:a|the) rate limit\b",
    r"(?:you have been|your request was) rate[- ]limited\b",
    r"your (?:org|organization|team|workspace) (?:is out of (?:usage|credits)|has (?:hit|reached|exceeded) its (?:[\w'-]+ ){0,4}(?:limits?|quota|cap))\b",
    r"(?:your )?(?:[\w'-]+ ){0,2}(?:credits are|balance is|balance) (?:depleted|exhausted|too low)\b",
    r"(?:the )?(?:OF_WHAT){1,6}(?:limit|cap|usage) (?:has been )?(?:reached|exceeded|exhausted)\b",
    r"(?:OF_WHAT){0,4}quota (?:has been )?(?:reached|exceeded|exhausted)\b",
    r"insufficient (?:balance|credits?|quota)\b",
    r"insufficient_quota\b",
    r"\w*(?:quota|(?:spend|usage|rate|hard)_limit)_(?:exceeded|reached)\b",
    r"too many tokens per day\b",
    r"(?:budget has been exceeded|exceededbudget)\b",
    r"this request requires more credits\b",
    r"已达到[^\n]{0,20}上限",
];

/// What may stand between what calls it an error and the text: who said it, and how.
const SAID_BY: &str = concat!(
    r"(?:from provider(?: \([^)\n]*\))?|upstream request failed|running remote compact task|stream disconnected before completion",
    r"|request rejected \(\d+\)|too many requests|last error|payment required|\w+exception|message|(?:code|http|status)?[^\w\n]*\d{3})[^\w\n]+",
);

/// One of the texts of a program, or of those that are usual.
fn any_of(texts: &[&str]) -> String {
    [texts, &USUAL].concat().join("|").replace("OF_WHAT", OF_WHAT)
}

/// What a program says in its error channel: the line with one of these texts, and the time that is told beside it.
pub fn in_errors(texts: &[&str], told: &str) -> Option<String> {
    let told = &told[told.floor_char_boundary(told.len().saturating_sub(MAX_TEXT))..];
    // What stands before: signs, and what calls it an error.
    let found = regex(&format!(
        r"(?im)^[^\w\n]*(?:[^\n]*?(?:\w*error|failed)\b[^\w\n]*)?(?:{SAID_BY})*(?:sorry, )?({})",
        any_of(texts)
    ))?;
    let resets_at = regex(r"(?i)\b(?:resets?|try again)\b");
    let of = |text: &str| {
        let text = plain(text);
        let begin = found.captures(&text)?.get(1)?.start();
        let mut lines = text[begin..].lines().map(str::trim);
        let line = lines.next().unwrap_or_default();
        // Some tell the time in a sentence of its own, on the next line.
        let next =
            lines.find(|line| !line.is_empty()).filter(|next| resets_at.as_ref().is_some_and(|it| it.is_match(next)));
        Some(next.map_or_else(|| line.to_owned(), |next| format!("{line} {next}")))
    };
    in_text(&of, told, MAX_DEPTH).filter(|limit| !passes_soon(limit))
}

/// Whether it is a rate that is over before the program is started once more, so that it is a failure like others.
fn passes_soon(limit: &str) -> bool {
    regex(r"(?i)\brate[- ]limit.*\b(?:try again|retry|resets?) (?:in|after) (?:\d+ ?ms|[0-5]?\d(?:\.\d+)? ?(?:s|secs?|seconds?))\b")
        .is_some_and(|soon| soon.is_match(limit))
}

/// What `of` finds in a text, or in the errors in it: those of an interface come as JSON, also in a text of JSON.
fn in_text(of: &impl Fn(&str) -> Option<String>, text: &str, depth: usize) -> Option<String> {
    let in_objects = || {
        let mut objects = json_objects::find(text, None, Syntax::Json).objects.into_iter();
        objects.find_map(|(_, object)| {
            let error = object.into();
            let error = innermost(&error)?;
            let told = in_text(of, error["message"].as_str()?, depth.checked_sub(1)?)?;
            Some(format!("{told}{}", resets(error)))
        })
    };
    // One that is quoted once more, as a text in the JSON of somebody else.
    let in_quoted =
        || in_text(of, &text.replace("\\\"", "\""), depth.checked_sub(1).filter(|_| text.contains("{\\\""))?);
    in_objects().or_else(|| of(text)).or_else(in_quoted)
}

/// The innermost object with a message.
fn innermost(error: &Value) -> Option<&Value> {
    if error["message"].is_string() { Some(error) } else { innermost(error.get("error")?) }
}

/// An error of a program that tells besides that a limit of its user refused the request, with the second in which that is over.
pub fn refused(texts: &[&str], error: &str, resets_at: &Value) -> String {
    let resets = resets(&json!({"resets_at": resets_at}));
    // On one line, so that all of it is told with the limit.
    let whole = plain(&error.split_whitespace().collect::<Vec<_>>().join(" "));
    let whole = &whole[..whole.floor_char_boundary(MAX_TEXT / 2)];
    match in_errors(texts, error) {
        Some(limit) if limit == whole => limit + &resets,
        Some(limit) => format!("{limit}{resets}; in full: {whole}"),
        None => format!("usage limit reached: {whole}{resets}"),
    }
}

/// When a limit is over, as numbers beside its message tell it.
fn resets(error: &Value) -> String {
    let at = error["resets_at"].as_i64().and_then(|seconds| Timestamp::from_second(seconds).ok());
    let after = error["resets_in_seconds"].as_u64().map(|seconds| format!("; try again in {seconds} seconds"));
    at.map(|at| format!("; resets at {at}")).or(after).unwrap_or_default()
}

/// A message that is nothing but one of these texts.
pub fn as_message(texts: &[&str], message: &str) -> Option<String> {
    let message = plain(message.trim());
    let end = r"(?:\s*(?:$|[.·∙|•,;:(\n–—-])|\s+(?:resets?|try|run|until|upgrade|visit)\b)";
    let whole = regex(&format!(r"(?i)^(?:\d{{3}} )?(?:sorry, )?(?:{}){end}", any_of(texts)))?;
    (message.chars().count() <= MAX_MESSAGE && whole.is_match(&message)).then_some(message)
}

fn plain(text: &str) -> String {
    text.replace('\u{2019}', "'")
}

/// The time that such a text tells, if that is no more than seven days away. Without a zone it is local, without a date the next
/// such.
pub fn until(text: &str, now: &Zoned) -> Option<Zoned> {
    let told = plain(text);
    let until = timestamp(&told, now).or_else(|| duration(&told, now)).or_else(|| date_and_time(&told, now))?;
    (until <= now.checked_add(MAX_DAYS.days()).ok()?).then_some(until)
}

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// A number, such as that of a captured group.
fn number<T: std::str::FromStr>(captures: &Captures<'_>, group: &str) -> Option<T> {
    captures.name(group)?.as_str().parse().ok()
}

/// Seconds since 1970, or a time as ISO 8601 has it.
fn timestamp(text: &str, now: &Zoned) -> Option<Zoned> {
    let seconds = regex(r"(?i)(?:\||resets?(?:_at|at)?\W{1,4})(?P<seconds>\d{10})\b")?;
    let iso = regex(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})")?;
    let of_seconds = seconds.captures(text).and_then(|found| Timestamp::from_second(number(&found, "seconds")?).ok());
    let found = of_seconds.or_else(|| iso.find(text)?.as_str().parse().ok())?;
    Some(found.to_zoned(now.time_zone().clone()))
}

/// A duration: `in 5 days 3 hours`, `after 2h30m15s`.
fn duration(text: &str, now: &Zoned) -> Option<Zoned> {
    const PARTS: &str =
        r"(?i)\b(?:in|after|wait)\s+(?:about\s+|~\s*)?(?P<parts>(?:\d+(?:\.\d+)?\s*[a-z]+(?:,?\s+(?:and\s+)?)?)+)";
    let parts = regex(PARTS)?.captures(text)?["parts"].to_lowercase().replace(" and ", " ");
    let span: Span = parts.trim_end_matches([' ', ',']).parse().ok()?;
    now.checked_add(span).ok()
}

/// A date, a time, or both: `8pm (UTC)`, `Oct 14, 6:30pm`, `Monday at 09:00`.
fn date_and_time(text: &str, now: &Zoned) -> Option<Zoned> {
    const MONTHS: &str = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
    const DAYS: &str = "mon|tue|wed|thu|fri|sat|sun";
    let begin = regex(r"(?i)\b(?:resets?|again|until|available|access|back|after)\b")?.find(text)?.end();
    let told = text[begin..].lines().next()?;
    let clock = regex(
        r"(?i)\b(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?P<half>[ap])\.?m\b|\b(?P<hour24>\d{1,2}):(?P<minute24>\d{2})\b",
    )?;
    let clock = clock.captures(told);
    let after = clock.as_ref().and_then(|found| Some(&told[found.get(0)?.end()..])).unwrap_or_default();
    let time = match &clock {
        Some(found) => Some(time(found)?),
        None => None,
    };
    let in_parentheses = regex(r"\((?P<zone>[A-Za-z][\w+/-]*)\)")?.captures(told);
    let zone = match in_parentheses.or_else(|| regex(r"^\s+(?P<zone>[A-Z]{2,5}(?:[+-]\w[\w:]*)?)")?.captures(after)) {
        Some(found) => zone(&found["zone"], now)?,
        None => now.time_zone().clone(),
    };
    let now = now.with_time_zone(zone.clone());
    let at = |date: Date| date.to_datetime(time.unwrap_or_default()).to_zoned(zone.clone()).ok();
    const DAY: &str = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?";
    const YEAR: &str = r"(?:,?\s+(?P<year>\d{4})\b)?";
    let month = format!(r"(?P<month>{MONTHS})[a-z]*\.?");
    let dated = regex(&format!(r"(?i)\b{month}\s+{DAY}\b{YEAR}"))?;
    let day_first = regex(&format!(r"(?i)\b{DAY}\s+{month}{YEAR}"))?;
    let iso = regex(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b")?;
    if let Some(found) = iso.captures(told) {
        return at(Date::new(number(&found, "year")?, number(&found, "month")?, number(&found, "day")?).ok()?);
    }
    if let Some(found) = dated.captures(told).or_else(|| day_first.captures(told)) {
        let month = MONTHS.split('|').position(|name| found["month"].eq_ignore_ascii_case(name))?;
        let (month, day) = (i8::try_from(month).ok()? + 1, number(&found, "day")?);
        let of_year = |year| at(Date::new(year, month, day).ok()?);
        return match number(&found, "year") {
            Some(year) => of_year(year),
            None => of_year(now.year()).filter(|at| *at > now.clone() - 1.day()).or_else(|| of_year(now.year() + 1)),
        };
    }
    let weekday = regex(&format!(r"(?i)\b(?P<day>{DAYS})(?:[a-z]*day)?\b"))?.captures(told);
    let weekday = match weekday {
        Some(found) => {
            let day = DAYS.split('|').position(|name| found["day"].eq_ignore_ascii_case(name))?;
            Some(Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()?)
        }
        None => None,
    };
    if time.is_none() && weekday.is_none() {
        return None;
    }
    let first = if regex(r"(?i)\btomorrow\b")?.is_match(told) { now.date().tomorrow().ok()? } else { now.date() };
    let fits = |date: &Date| weekday.is_none_or(|weekday| date.weekday() == weekday);
    let dates = (0..=MAX_DAYS).filter_map(|days| first.checked_add(days.days()).ok());
    dates.filter(fits).filter_map(at).find(|at| *at > now)
}

/// A zone by its name, by how far it is from UTC, as in `GMT+2`, or by the abbreviation of the local one. One that is not known may be any.
fn zone(name: &str, now: &Zoned) -> Option<TimeZone> {
    let offset = ["GMT", "UTC"].iter().find_map(|utc| name.strip_prefix(utc)).filter(|offset| !offset.is_empty());
    if let Some(offset) = offset {
        let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "0"));
        let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
        let seconds = (hours.abs() * 60 + minutes) * 60;
        let seconds = if hours < 0 { -seconds } else { seconds };
        return Offset::from_seconds(seconds).ok().map(|offset| offset.to_time_zone());
    }
    let is_local = now.strftime("%Z").to_string() == name;
    if is_local { Some(now.time_zone().clone()) } else { TimeZone::get(name).ok() }
}

fn time(found: &Captures<'_>) -> Option<Time> {
    let (hour, minute) = match found.name("half") {
        Some(half) => {
            let hour: i8 = number(found, "hour").filter(|hour| (1..=12).contains(hour))?;
            let is_after_noon = half.as_str().eq_ignore_ascii_case("p");
            (hour % 12 + if is_after_noon { 12 } else { 0 }, number(found, "minute").unwrap_or_default())
        }
        None => (number(found, "hour24")?, number(found, "minute24")?),
    };
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{commands::debate::run::program::Program, hosts::Host};

    fn texts(name: &str) -> &'static [&'static str] {
        Program::parse("", name).unwrap().usage_limit_texts()
    }

    #[test]
    fn texts_of_each_program_that_mean_a_limit_are_known() {
        for (program, told) in [
            ("claude-code", "You've hit your Opus limit · resets 3pm (Europe/Berlin)"),
            ("claude-code", "You’ve hit your limit · resets 8pm (UTC)"),
            ("claude-code", "You're out of extra usage · resets 9pm (UTC)"),
            ("claude-code", "Your org is out of usage · add funds to continue"),
            ("claude-code", "Spending cap reached resets 6pm"),
            ("claude-code", "5-hour limit reached ∙ resets 6pm"),
            ("claude-code", "Claude AI usage limit reached|1760000000"),
            ("claude-code", "Your usage allocation has been disabled by your admin"),
            ("claude-code", "Credit balance is too low"),
            ("claude-code", "Your seat type doesn't include extra usage"),
            ("claude-code", "Opus 4.8 requires usage credits. Run /usage-credits to turn them on"),
            ("claude-code", "Usage is paused for your organization. For help, please contact support."),
            ("claude-code", "API Error: Usage credits ran out before the response was finished."),
            ("claude-code", "API Error: Usage credits required for 1M context · run /usage-credits to turn them on"),
            ("claude-code", "API Error: Request rejected (429) · enforced_spend_limit_reached"),
            ("codex", "organization_spend_limit_exceeded"),
            (
                "claude-code",
                "API Error: 400 {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit balance is too low to access the Anthropic API.\"}}",
            ),
            ("claude-code", "Limit reached resets Dec 18 at 5am (Asia/Riyadh)"),
            ("claude-code", "Your limit will reset at 9am (UTC)."),
            ("claude-code", "You've used all your extra usage · resets 5pm"),
            ("claude-code", "Your organization has exceeded its monthly spend limit."),
            (
                "claude-code",
                "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
            ),
            (
                "claude-code",
                "API Error: 400 {\"type\":\"error\",\"error\":{\"message\":\"You have reached your specified API usage limits.\"}}",
            ),
            (
                "claude-code",
                "API Error: 429 {\"error\":{\"message\":\"This request would exceed your account's rate limit. Please try again later.\"}}",
            ),
            (
                "gemini",
                r#"✕ [API Error: {"error":{"message":"{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"You exceeded your current quota, please check your plan.\"\n  }\n}\n","code":429}}]"#,
            ),
            ("gemini", r#"[API Error: {"error":{"message":"Resource has been exhausted (e.g. check quota)."}}]"#),
            (
                "gemini",
                r#"[API Error: {"error":{"code":429,"message":"Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.","status":"RESOURCE_EXHAUSTED"}}]"#,
            ),
            ("gemini", "You have reached your daily gemini-2.5-pro quota limit."),
            (
                "gemini",
                "Error: Cloud Code Assist API error (429): Individual quota reached. Contact your administrator to enable overages",
            ),
            ("codex", "Your workspace is out of credits. Ask your workspace owner to refill in order to continue."),
            ("opencode", "Error: Subscription quota exceeded. You can continue using free models."),
            (
                "copilot",
                "Server Error: Sorry, you've exceeded your weekly rate limit. Please review our Terms of Service.",
            ),
            (
                "copilot",
                "✗ Sorry, you've hit a rate limit that restricts the number of Copilot model requests you can make within a specific time period. Please try again in 2 hours.",
            ),
            ("copilot", "Sorry, you've exceeded your 5 hour session limits. Please retry after 2733 seconds."),
            ("copilot", "Sorry, you have been rate-limited. Please wait 2 minutes before trying again."),
            ("copilot", "Sorry, your request was rate-limited. Please wait 587 hours 33 minutes before trying again."),
            ("codex", "exceeded retry limit, last status: 429 Too Many Requests"),
            ("opencode", "Error: Free usage exceeded, add credits https://opencode.example/zen"),
            (
                "opencode",
                r#"timestamp=2026-11-27T17:12:12.494Z level=ERROR run=38773fad message="stream error" small=false agent=build error.error="AI_APICallError: Rate limit exceeded. Please try again later.""#,
            ),
            ("copilot", "✘ Execution failed: 402 You have no quota"),
            ("copilot", r#"✘ Model call failed: {"message":"You have no quota","code":"quota_exceeded"}"#),
            (
                "opencode",
                r#"Error: Codex error: {"type":"error","error":{"message":"The usage limit has been reached"}}"#,
            ),
            (
                "codex",
                "You hit your spend cap set by the owner of your workspace. Ask an owner to increase your spend cap to continue.",
            ),
            (
                "codex",
                "Error running remote compact task: You've hit your usage limit. To get more access now, send a request to your admin or try again at 2:57 PM.",
            ),
            (
                "codex",
                "\u{26a0} Insufficient quota: You exceeded your current quota, please check your plan and billing details.",
            ),
            (
                "codex",
                r#"{"error":{"message":"Billing hard limit has been reached","type":"invalid_request_error","code":"billing_hard_limit_reached"}}"#,
            ),
            (
                "copilot",
                r#"Model call failed: {"message":"Sorry, you have exceeded your Copilot token usage. Please review our Terms of Service.","code":"rate_limited"}"#,
            ),
            ("copilot", "You've used up your premium requests. Your allowance resets on December 1."),
            (
                "copilot",
                "\u{2718} Quota exceeded. Upgrade to increase your limit: https://github.example/features/copilot/plans",
            ),
            ("opencode", "402 Insufficient Balance"),
            (
                "opencode",
                r#"HTTP response error from OpenCode's API: status 402 Payment Required - "{\"error\":{\"message\":\"Insufficient Balance\",\"type\":\"unknown_error\"}}""#,
            ),
            ("opencode", "Error from provider (Console): Rate limit exceeded. Please try again later."),
            (
                "opencode",
                "Error from provider (Console Go): Upstream request failed: [rate_limit_exceeded] Rate limit exceeded. Please retry after a brief wait.",
            ),
            ("opencode", "HTTP 429: Error from provider (Console Go): Provider rate limit exceeded"),
            (
                "opencode",
                "Error from provider (Z.ai): Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-06-25 02:06:16",
            ),
            ("opencode", r#"Too Many Requests: {"error":{"code":"1302","message":"Rate limit reached for requests"}}"#),
            ("opencode", "This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens."),
            (
                "gemini",
                "\u{2715} [API Error: [{\n    \"error\": {\n      \"code\": 429,\n      \"message\": \"Resource exhausted. Please try again later.\"\n    }\n  }\n  ]]",
            ),
            ("claude-code", r#"API Error: 402 {"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#),
            (
                "claude-code",
                r#"API Error: 429 {"error":{"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2026-07-12 04:30:37"}}"#,
            ),
            ("claude-code", r#"API Error: 429 {"error":{"code":"1308","message":"已达到 5 小时的使用上限。"}}"#),
            ("claude-code", "API Error: 429 Too many tokens per day, please wait before trying again."),
            ("claude-code", r#"API Error: 429 {"error":{"message":"hour allocated quota exceeded"}}"#),
            ("claude-code", "API Error: Extra usage is required for 1M context \u{b7} run /extra-usage to enable"),
            ("claude-code", "API Error: Request rejected (429) \u{b7} You've hit your org's monthly usage limit"),
            ("command:agent", "429 Too Many Requests: You exceeded your current quota"),
            (
                "command:agent",
                "litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check your plan.",
            ),
            (
                "command:agent",
                "openai.RateLimitError: Error code: 429 - {'error': {'message': 'You exceeded your current quota', 'type': 'insufficient_quota'}}",
            ),
            (
                "command:agent",
                "ERROR: Insufficient credits. Add more using https://openrouter.example/settings/credits",
            ),
            ("command:agent", "Budget has been exceeded! Current cost: 10.02, Max budget: 10.0"),
            ("codex", "Quota exceeded. Check your plan and billing details."),
            ("codex", "To use Codex with your ChatGPT plan, upgrade to Plus: x"),
            (
                "gemini",
                "Error when talking to Gemini API TerminalQuotaError: You have exhausted your daily quota on this model.",
            ),
            ("gemini", "You have exhausted your capacity on this model. Your quota will reset after 2h30m15s."),
            ("copilot", "You have exceeded your premium request allowance."),
            ("command:agent", "error: You've hit your session limit · resets 3pm"),
        ] {
            assert!(in_errors(texts(program), told).is_some(), "{program}: {told}");
        }
    }

    #[test]
    fn the_time_that_is_told_beside_a_text_is_told_with_it() {
        let now: Zoned = "2026-07-30T14:00:00+02:00[Europe/Berlin]".parse().unwrap();
        for (beside, told, until_then) in [
            (r#""resets_at":1785420000,"resets_in_seconds":7200"#, "; resets at 2026-07-30T14:00:00Z", 7200),
            (r#""resets_in_seconds":7200"#, "; try again in 7200 seconds", 7200),
        ] {
            let inner =
                format!(r#"{{"type":"usage_limit_reached","message":"The usage limit has been reached",{beside}}}"#);
            for error in [inner.clone(), format!("unexpected status 429: {{\"error\":{inner}}}")] {
                let found = in_errors(texts("codex"), &error).unwrap();
                assert_eq!(found, format!("The usage limit has been reached{told}"));
                assert_eq!(until(&found, &now), Some(now.clone() + until_then.seconds()));
            }
        }
    }

    #[test]
    fn a_time_on_the_next_line_belongs_to_the_text() {
        let told = "Claude usage limit reached.\n\n  Your limit will reset at 9am (UTC).\nat Object.run (x.js:1)";
        let found = in_errors(texts("claude-code"), told).unwrap();
        assert_eq!(found, "Claude usage limit reached. Your limit will reset at 9am (UTC).");
        assert_eq!(in_errors(texts("codex"), "Quota exceeded.\nat x").unwrap(), "Quota exceeded.");
    }

    #[test]
    fn other_texts_mean_none() {
        for told in [
            "warning: inotify: watch limit reached, falling back to polling\nTypeError: cannot read properties of undefined",
            "API Error: 400 messages: text content blocks must be non-empty; input was: 'What we do when the session limit is reached'",
            "API Error: 400 messages: input was: 'You've hit your limit · resets 8pm'",
            "unexpected status 401 Unauthorized",
            "Context limit reached",
            "API Error: 529 Overloaded. This is a server-side issue, usually temporary \u{2014} try again in a moment.",
            "API Error: Server is temporarily limiting requests (not your usage limit) \u{b7} Rate limited",
            "API Error: 400 {\"error\":{\"message\":\"prompt is too long: 205004 tokens > 200000 maximum\"}}",
            "Failed to authenticate: OAuth session expired and could not be refreshed",
            "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
            "The 'gpt-5.3-codex' model is not supported when using Codex with a ChatGPT account.",
            "No capacity available for model gemini-3-flash-preview on the server",
            "Selected model is at capacity. Please try a different model.",
            "Error: too many requests in step 2 of the plan",
            "error: file size limit exceeded",
            "error: the plan says: You have hit your limit",
            "The plan has a rate limit of 5 requests a second",
            "Sorry, the plan says what happens when a rate limit is exceeded",
            "Context limit reached resets nothing",
            "The tool failed: the plan says what happens at the usage limits",
            "error_max_budget_usd",
            // They pass before the second start.
            "error: 429 Too Many Requests",
            "HTTP 429 Too Many Requests: retrying",
            "AI_RetryError: Failed after 4 attempts. Last error: Too Many Requests",
            "stream disconnected before completion: Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 500000. Please try again in 1.2s.",
            "Rate limit reached for requests. Please try again in 20 seconds.",
            "Error: insufficient funds in account of test fixture",
            "the plan says what happens when you've hit your limit",
            "",
        ] {
            for host in Host::ALL.iter().map(|host| host.name()).filter(|name| Program::parse("", name).is_ok()) {
                assert_eq!(in_errors(texts(host), told), None, "{host}: {told}");
            }
            assert_eq!(in_errors(texts("command:agent"), told), None, "{told}");
        }
    }

    #[test]
    fn a_message_is_a_limit_only_if_it_is_nothing_else() {
        let is_limit = |message: &str| as_message(texts("claude-code"), message).is_some();
        for message in
            ["You've hit your limit · resets 8pm (UTC)\n", "Usage limit reached", "5-hour limit reached resets 3pm"]
        {
            assert!(is_limit(message), "{message}");
        }
        for message in [
            "Usage limit reached is what the plan says in its second step",
            "I looked: You've hit your limit · resets 8pm (UTC)",
            &format!("You've hit your limit. {}", "The plan is wrong. ".repeat(30)),
        ] {
            assert!(!is_limit(message), "{message}");
        }
    }

    #[test]
    fn the_time_that_is_told_is_the_next_such_and_at_most_a_week_away() {
        // A Thursday, in summer time.
        let now: Zoned = "2026-07-30T14:00:00+02:00[Europe/Berlin]".parse().unwrap();
        for (text, expected) in [
            ("resets 3pm (Europe/Berlin)", "2026-07-30T13:00:00Z"),
            ("resets 8pm (UTC)", "2026-07-30T20:00:00Z"),
            ("resets 3am (America/New_York)", "2026-07-31T07:00:00Z"),
            ("Spending cap reached resets 6pm", "2026-07-30T16:00:00Z"),
            ("resets 1:30pm", "2026-07-31T11:30:00Z"),
            ("resets at 12am", "2026-07-30T22:00:00Z"),
            ("try again at 3:04 PM.", "2026-07-30T13:04:00Z"),
            ("Try again at Aug 3rd, 2026 3:04 PM.", "2026-08-03T13:04:00Z"),
            ("resets Aug 2, 6pm (UTC)", "2026-08-02T18:00:00Z"),
            ("resets Aug 1", "2026-07-31T22:00:00Z"),
            ("resets Monday at 09:00 UTC", "2026-08-03T09:00:00Z"),
            ("resets Thu 9am", "2026-08-06T07:00:00Z"),
            ("Resets tomorrow at 9am", "2026-07-31T07:00:00Z"),
            ("Claude AI usage limit reached|1785420000", "2026-07-30T14:00:00Z"),
            ("\"resets_at\": 1785420000", "2026-07-30T14:00:00Z"),
            ("try again in 5 days 3 hours 20 minutes", "2026-08-04T15:20:00Z"),
            ("Your quota will reset after 2h30m15s.", "2026-07-30T14:30:15Z"),
            ("Please retry in 34.07s.", "2026-07-30T12:00:34.07Z"),
            ("Please try again in 2 hours. Please review our Terms", "2026-07-30T14:00:00Z"),
            ("Please try again in 58 hours.", "2026-08-01T22:00:00Z"),
            ("Please retry after 2733 seconds.", "2026-07-30T12:45:33Z"),
            ("Please wait 2 minutes before trying again.", "2026-07-30T12:02:00Z"),
            ("Free usage exceeded [retrying in 32m 50s attempt #1]", "2026-07-30T12:32:50Z"),
            ("try again in 2h 30m", "2026-07-30T14:30:00Z"),
            ("try again in 2 days 17 hours 14 minutes.", "2026-08-02T05:14:00Z"),
            (
                "Please wait for your limit to reset on August 2, 2026 at 2:00 AM or switch to auto",
                "2026-08-02T00:00:00Z",
            ),
            ("try again in 45 minutes", "2026-07-30T12:45:00Z"),
            ("try again in 0 seconds", "2026-07-30T12:00:00Z"),
            ("You will regain access on 2026-08-01 at 00:00 UTC.", "2026-08-01T00:00:00Z"),
            ("resets on 2026-08-01", "2026-07-31T22:00:00Z"),
            ("Your limit will reset at 2026-08-01 02:06:16", "2026-08-01T00:06:00Z"),
            ("The weekly limit resets in 5d 5h.", "2026-08-04T17:00:00Z"),
            ("available again at 2026-07-30T15:00:00Z", "2026-07-30T15:00:00Z"),
            ("resets Jul 30, 1:59pm", "2026-07-30T11:59:00Z"),
            ("Your limit will reset at 9am", "2026-07-31T07:00:00Z"),
            ("Your limit will reset at 9am (America/New_York).", "2026-07-30T13:00:00Z"),
            ("Access resets at 6:30 PM CEST.", "2026-07-30T16:30:00Z"),
            ("Access resets at 6:30 PM GMT+2.", "2026-07-30T16:30:00Z"),
            ("Access resets at 6:30 PM GMT-3:30.", "2026-07-30T22:00:00Z"),
            ("resets 1 Aug, 6pm", "2026-08-01T16:00:00Z"),
            ("resets on 2nd August 2026 at 09:00", "2026-08-02T07:00:00Z"),
            ("try again in about 2 hours and 5 mins or so", "2026-07-30T14:05:00Z"),
            ("Try again in 1 day, 2 hrs", "2026-07-31T14:00:00Z"),
        ] {
            let found = until(text, &now).map(|until| until.timestamp().to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "run /usage-credits to raise it",
            "resets soon",
            "resets 3pm (Somewhere/Else)",
            "resets 3pm XYZ",
            "resets 3pm GMT+x",
            "resets 3pm GMT+99",
            "resets Aug 8, 6pm",
            "resets Jan 3",
            "try again in 8 days",
            "try again in 3 months",
            "Please wait 587 hours 33 minutes before trying again.",
            "resets 25:00",
            "resets 13pm",
            "",
        ] {
            assert_eq!(until(text, &now), None, "{text}");
        }
    }
}
