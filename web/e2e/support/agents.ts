import { randomUUID } from 'node:crypto';
import { aw } from './aw';

interface Argument {
  id: string;
  seq: number;
  type: string;
  content: string;
  close?: boolean;
  chosen_option?: number | null;
}

export interface WaitResult {
  status: string;
  action: string;
  debate_state: string;
  argument?: Argument;
}

/** Both agents of one debate. Each command runs `aw`. */
export class Agents {
  readonly debateId = randomUUID();
  /** The id of the newest argument that an agent wrote or received. */
  last = '';

  constructor(
    private readonly url: string,
    private readonly token?: string,
  ) {}

  async create(title: string, motion: string, type = 'general_debate'): Promise<this> {
    const data = await this.aw<{ argument: Argument }>(
      'create',
      '--title',
      title,
      '--debate-type',
      type,
      '--content',
      motion,
    );
    this.last = data.argument.id;
    return this;
  }

  async claim(role: 'proposer' | 'opponent', content: string): Promise<void> {
    await this.write('submit', '--role', role, '--target-id', this.last, '--content', content);
  }

  async appeal(content: string, options: readonly string[] = []): Promise<void> {
    const flags = options.flatMap((option) => ['--option', option]);
    await this.write('appeal', '--target-id', this.last, '--content', content, ...flags);
  }

  async requestCompletion(content: string): Promise<void> {
    await this.write('request-completion', '--target-id', this.last, '--content', content);
  }

  async ruling(content: string, ...flags: string[]): Promise<void> {
    await this.write('ruling', '--content', content, ...flags);
  }

  async wait(role: 'proposer' | 'opponent'): Promise<WaitResult> {
    const result = await this.aw<WaitResult>(
      'wait',
      '--role',
      role,
      '--argument-id',
      this.last,
      '--timeout',
      '40',
    );
    if (result.argument) this.last = result.argument.id;
    return result;
  }

  async arguments(): Promise<Argument[]> {
    const { motion, arguments: rest } = await this.aw<{ motion: Argument; arguments: Argument[] }>(
      'get-context',
    );
    return [motion, ...rest];
  }

  private async write(verb: string, ...flags: string[]): Promise<void> {
    const { argument } = await this.aw<{ argument: Argument }>(verb, ...flags);
    this.last = argument.id;
  }

  private aw<T>(verb: string, ...flags: string[]): Promise<T> {
    return aw(this.url, ['debate', verb, '--debate-id', this.debateId, ...flags], this.token);
  }
}
