//! The commands of `aw`.

mod content_options;
mod debate_commands;
mod debate_get_context;
mod debate_open;
mod debate_show_and_export;
mod debate_wait;
mod debate_wait_options;
mod debate_watch;
mod docs;
mod doctor;
mod exit_codes;
mod guide;
mod history_check;
mod issues;
mod next_command;
mod output;
mod output_size;
mod retries;
mod setup;
mod shell_scripts;
mod short_ids;
mod up;
