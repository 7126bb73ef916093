const DEFAULT_SERVER = 'http://127.0.0.1:3456';

export type Command = 'context' | 'proposer' | 'opponent';

/** What an agent types to join; the address only where it is not the CLI's default. */
export function agentCommand(command: Command, debateId: string, origin: string): string {
  const server = origin === DEFAULT_SERVER ? '' : `DEBATE_SERVER_URL=${origin} `;
  return command === 'context'
    ? `${server}aw debate get-context --debate-id ${debateId}`
    : `${server}aw debate wait --debate-id ${debateId} --role ${command}`;
}
