const DEFAULT_SERVER = 'http://127.0.0.1:3456';

/** The command with which an agent joins a debate. */
export function agentCommand(role: string, debateId: string, origin: string): string {
  return commandLine(origin, `debate wait --debate-id ${debateId} --role ${role}`);
}

/** An `aw` command line. It sets the server's address only if that is not the CLI's default. */
export function commandLine(origin: string, words: string): string {
  return `${origin === DEFAULT_SERVER ? '' : `DEBATE_SERVER_URL=${origin} `}aw ${words}`;
}
