const DEFAULT_SERVER = 'http://127.0.0.1:3456';

export type Command = 'context' | 'proposer' | 'opponent';

/** The command with which an agent reads the debate, or joins it in a role. */
export function agentCommand(command: Command, debateId: string, origin: string): string {
  return commandLine(
    origin,
    command === 'context'
      ? `debate get-context --debate-id ${debateId}`
      : `debate wait --debate-id ${debateId} --role ${command}`,
  );
}

/** An `aw` command line. It sets the server's address only if that is not the CLI's default. */
export function commandLine(origin: string, words: string): string {
  return `${origin === DEFAULT_SERVER ? '' : `DEBATE_SERVER_URL=${origin} `}aw ${words}`;
}
