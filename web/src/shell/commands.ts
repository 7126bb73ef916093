const DEFAULT_SERVER = 'http://127.0.0.1:3456';

export type Command = 'context' | 'proposer' | 'opponent';

/** What an agent types to join. */
export function agentCommand(command: Command, debateId: string, origin: string): string {
  return commandLine(
    origin,
    command === 'context'
      ? `debate get-context --debate-id ${debateId}`
      : `debate wait --debate-id ${debateId} --role ${command}`,
  );
}

/** A command as it is typed; the server's address only where it is not the CLI's default. */
export function commandLine(origin: string, words: string): string {
  return `${origin === DEFAULT_SERVER ? '' : `DEBATE_SERVER_URL=${origin} `}aw ${words}`;
}
