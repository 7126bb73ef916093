//! The template of a request's path, such as `/debates/{id}`, for the log and the metrics: paths have ids in them.
//!
//! It is found without poem's router, so that requests that are refused before they are routed have it too.

use std::sync::LazyLock;

use poem::http::Method;

use super::{routes, web_app};

/// The template of paths that lead nowhere.
const UNKNOWN: &str = "unknown";

/// The paths that are not in `openapi.json`.
const OTHERS: [&str; 4] = ["/asyncapi.yaml", "/metrics", "/openapi.json", "/ws"];

/// Each template with the methods of its route.
static TEMPLATES: LazyLock<Vec<(String, Vec<Method>)>> = LazyLock::new(|| {
    let others = OTHERS.iter().map(|path| (*path).to_owned()).chain(web_app::templates());
    routes::templates().chain(others.map(|path| (path, vec![Method::GET]))).collect()
});

fn matching(path: &str) -> impl Iterator<Item = &'static (String, Vec<Method>)> {
    TEMPLATES.iter().filter(move |(template, _)| matches(template, path))
}

/// The template of `path`.
pub(super) fn of(path: &str) -> &'static str {
    matching(path).next().map_or(UNKNOWN, |(template, _)| template)
}

/// The methods that `path` supports, as the Allow header lists them. Where there is GET there is HEAD, too.
pub(super) fn methods(path: &str) -> String {
    let methods = matching(path).flat_map(|(_, methods)| methods);
    let names = methods.map(|method| if method == Method::GET { "GET, HEAD" } else { method.as_str() });
    names.collect::<Vec<_>>().join(", ")
}

/// Whether `path` is `template` with something in the place of each parameter. `{*file}` stands for the rest of the path.
fn matches(template: &str, path: &str) -> bool {
    let (mut expected, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), given.next()) {
            (None, None) => return true,
            (Some(rest), Some(_)) if rest.starts_with("{*") => return true,
            (Some(parameter), Some(segment)) if parameter.starts_with('{') && !segment.is_empty() => {}
            (Some(expected), Some(given)) if expected == given => {}
            (Some(_) | None, Some(_) | None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/", "/")]
    #[case("/debates", "/debates")]
    #[case("/debates/018f-x", "/debates/{id}")]
    #[case("/debates/x/wait", "/debates/{id}/wait")]
    #[case("/documents/x/versions", "/documents/{id}/versions")]
    #[case("/health", "/health")]
    #[case("/metrics", "/metrics")]
    #[case("/ws", "/ws")]
    #[case("/d/x", "/d/{debate_id}")]
    #[case("/_next/static/chunks/a.js", "/_next/{*file}")]
    #[case("/debates/", "unknown")]
    #[case("/debates//wait", "unknown")]
    #[case("/debates/x/wait/more", "unknown")]
    #[case("/metrics/secret", "unknown")]
    #[case("", "unknown")]
    fn a_path_has_the_template_of_its_route(#[case] path: &str, #[case] template: &str) {
        assert_eq!(of(path), template);
    }

    #[test]
    fn every_template_is_its_own() {
        for (template, _) in TEMPLATES.iter() {
            assert_eq!(of(template), template, "another template hides it");
        }
    }
}
