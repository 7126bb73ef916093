//! Who reads a message: somebody in a shell, or a client of the tools, for whom commands and options have other names.

tokio::task_local! {
    static HAS_TOOLS: ();
}

/// Does something whose messages a client of the tools reads.
pub async fn for_tools<T>(call: impl Future<Output = T>) -> T {
    HAS_TOOLS.scope((), call).await
}

/// The same, at once.
pub fn for_tools_at_once<T>(act: impl FnOnce() -> T) -> T {
    HAS_TOOLS.sync_scope((), act)
}

/// Whether a client of the tools reads what is written now.
pub fn has_tools() -> bool {
    HAS_TOOLS.try_with(|()| ()).is_ok()
}

/// An option as its reader writes it: `--plan-base`, or the argument `plan_base`.
pub fn option(name: &str) -> String {
    if has_tools() { name.trim_start_matches('-').replace('-', "_") } else { name.to_owned() }
}

/// A command as its reader calls it: `aw debate list`, or the tool `debate_list`.
pub fn command(words: &str) -> String {
    if has_tools() { words.replace([' ', '-'], "_") } else { format!("aw {words}") }
}

/// A text that only concerns whoever has a shell.
pub fn in_a_shell(text: &str) -> &str {
    if has_tools() { "" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn options_and_commands_are_named_as_the_reader_has_them() {
        let names = || [option("--plan-base"), command("debate get-context"), in_a_shell("; quoted").to_owned()];
        assert_eq!(names(), ["--plan-base", "aw debate get-context", "; quoted"]);
        let of_tools = ["plan_base", "debate_get_context", ""];
        assert_eq!(for_tools_at_once(names), of_tools);
        assert_eq!(for_tools(async { names() }).await, of_tools);
    }
}
