import { expect, it } from 'vitest';
import { agentCommand } from './agentCommands';

it('sets the server only if it is not the default of the CLI', () => {
  expect(agentCommand('proposer', 'd', 'http://127.0.0.1:3456')).toBe(
    'aw debate wait --debate-id d --role proposer',
  );
  expect(agentCommand('opponent', 'd', 'http://host:1')).toBe(
    'DEBATE_SERVER_URL=http://host:1 aw debate wait --debate-id d --role opponent',
  );
});
