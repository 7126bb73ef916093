import { aw } from './aw';

/** A document whose versions are written by running `aw`. */
export class TestDocument {
  id = '';

  constructor(
    private readonly server: string,
    private readonly token?: string,
  ) {}

  async create(summary: string, content: string, ...flags: string[]): Promise<this> {
    const words = ['docs', 'create', `--summary=${summary}`, `--content=${content}`, ...flags];
    const { document_id } = await aw<{ document_id: string }>(this.server, words, this.token);
    this.id = document_id;
    return this;
  }

  async submit(summary: string, content: string): Promise<this> {
    const words = ['docs', 'submit', this.id, `--summary=${summary}`, `--content=${content}`];
    await aw(this.server, words, this.token);
    return this;
  }

  async delete(): Promise<void> {
    await aw(this.server, ['docs', 'delete', this.id], this.token);
  }
}
